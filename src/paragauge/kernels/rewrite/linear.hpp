// Linear classifiers of sets of features, and the settings of their learners (boosting.hpp, logistic.hpp). The
// arithmetic is specified in reference/rewrite/context_learners.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace paragauge {

// Examples one after the other; each is a set of features, numbered from 0.
struct Examples {
    std::vector<std::uint32_t> features;
    std::vector<std::size_t> offsets{0};
    std::vector<std::uint8_t> labels;
    std::size_t different = 0;  // features

    std::size_t size() const { return labels.size(); }
};

struct Linear {
    double bias = 0;
    std::vector<double> weights;
};

struct Learning {
    bool boosting;
    std::size_t rounds;  // of boosting; passes over the examples otherwise
    double rate;
    double penalty;
};

}  // namespace paragauge
