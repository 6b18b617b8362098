// The Python module of the kernels; each group of kernels has its own file of bindings.

#include "bind/binding.hpp"

NB_MODULE(_native, m) {
    // A WordNet that stays open until the interpreter ends is not a leak.
    nanobind::set_leak_warnings(false);
    paragauge::bind_text(m);
    paragauge::bind_ngrams(m);
    paragauge::bind_chrf_ter(m);
    paragauge::bind_statistics(m);
    paragauge::bind_maxsim(m);
    paragauge::bind_tagger(m);
    paragauge::bind_wordnet(m);
    paragauge::bind_word_links(m);
    paragauge::bind_pivot(m);
    paragauge::bind_lm(m);
    paragauge::bind_phrases(m);
    paragauge::bind_sync(m);
    paragauge::bind_align(m);
    paragauge::bind_rewrite(m);
    paragauge::bind_phrase_decoder(m);
    paragauge::bind_phrase_matcher(m);
    paragauge::bind_rules(m);
    paragauge::bind_constituents(m);
    paragauge::bind_trees(m);
    paragauge::bind_grammar_text(m);
    paragauge::bind_clusters(m);
    paragauge::bind_contexts(m);
    paragauge::bind_cube(m);
}
