// The Python face of the kernels: one file of bindings for each group of them.

#include "binding.hpp"

NB_MODULE(_native, m) {
    paragauge::bind_text(m);
    paragauge::bind_ngrams(m);
    paragauge::bind_statistics(m);
    paragauge::bind_maxsim(m);
    paragauge::bind_tagger(m);
}
