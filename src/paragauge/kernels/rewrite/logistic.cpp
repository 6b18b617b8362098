// Logistic regression by stochastic gradient with AdaGrad's steps (Duchi, Hazan and Singer 2011).

#include "rewrite/logistic.hpp"

#include <cmath>

namespace paragauge {

namespace {

void step(double& weight, double& squares, double slope, double rate) {
    if (slope == 0) return;
    squares += slope * slope;
    weight -= rate * slope / std::sqrt(squares);
}

}  // namespace

Linear learn_logistic(const Examples& examples, const Learning& settings) {
    Linear model{0, std::vector<double>(examples.different)};
    std::vector<double> squares(examples.different);
    double bias_squares = 0;
    for (std::size_t round = 0; round < settings.rounds; ++round)
        for (std::size_t i = 0; i < examples.size(); ++i) {
            double margin = model.bias;
            for (std::size_t at = examples.offsets[i]; at < examples.offsets[i + 1]; ++at)
                margin += model.weights[examples.features[at]];
            const double slope = 1 / (1 + std::exp(-margin)) - examples.labels[i];
            step(model.bias, bias_squares, slope, settings.rate);
            for (std::size_t at = examples.offsets[i]; at < examples.offsets[i + 1]; ++at) {
                const std::uint32_t f = examples.features[at];
                const double pull = slope + settings.penalty * model.weights[f];
                step(model.weights[f], squares[f], pull, settings.rate);
            }
        }
    return model;
}

}  // namespace paragauge
