// Real AdaBoost of stumps on the presence of a feature (Schapire and Singer 2000, section 4).

#include "rewrite/boosting.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace paragauge {

namespace {

// Weights of positive and negative examples that have a feature.
struct Mass {
    double positive = 0;
    double negative = 0;
};

Mass without(Mass all, Mass some) {
    return {std::max(0.0, all.positive - some.positive), std::max(0.0, all.negative - some.negative)};
}

double loss(Mass mass) { return std::sqrt(mass.positive * mass.negative); }

double answer(Mass mass, double smoothing) {
    return 0.5 * std::log((mass.positive + smoothing) / (mass.negative + smoothing));
}

}  // namespace

Linear learn_boosting(const Examples& examples, const Learning& settings) {
    Linear model{0, std::vector<double>(examples.different)};
    if (examples.size() == 0 || examples.different == 0) return model;
    const double smoothing = 1 / static_cast<double>(examples.size());
    std::vector<double> weights(examples.size(), smoothing);
    std::vector<Mass> masses(examples.different);
    for (std::size_t round = 0; round < settings.rounds; ++round) {
        std::fill(masses.begin(), masses.end(), Mass{});
        Mass all;
        for (std::size_t i = 0; i < examples.size(); ++i) {
            double Mass::*side = examples.labels[i] ? &Mass::positive : &Mass::negative;
            all.*side += weights[i];
            for (std::size_t at = examples.offsets[i]; at < examples.offsets[i + 1]; ++at)
                masses[examples.features[at]].*side += weights[i];
        }
        std::size_t best = 0;
        double least = loss(masses[0]) + loss(without(all, masses[0]));
        for (std::size_t f = 1; f < masses.size(); ++f) {
            const double here = loss(masses[f]) + loss(without(all, masses[f]));
            if (here < least) {
                least = here;
                best = f;
            }
        }
        const double absent = answer(without(all, masses[best]), smoothing);
        const double present = answer(masses[best], smoothing);
        model.bias += absent;
        model.weights[best] += present - absent;
        // How much the weight of a negative or positive example without or with the feature changes.
        const std::array<double, 4> factors = {std::exp(absent), std::exp(-absent), std::exp(present),
                                               std::exp(-present)};
        double total = 0;
        for (std::size_t i = 0; i < examples.size(); ++i) {
            const auto* first = examples.features.data() + examples.offsets[i];
            const auto* last = examples.features.data() + examples.offsets[i + 1];
            const bool has = std::find(first, last, static_cast<std::uint32_t>(best)) != last;
            weights[i] *= factors[2 * std::size_t{has} + examples.labels[i]];
            total += weights[i];
        }
        for (double& weight : weights) weight /= total;
    }
    return model;
}

}  // namespace paragauge
