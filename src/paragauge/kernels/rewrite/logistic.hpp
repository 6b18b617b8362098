// Logistic regression: a linear classifier of sets of features.
#pragma once

#include "rewrite/linear.hpp"

namespace paragauge {

Linear learn_logistic(const Examples& examples, const Learning& settings);

}  // namespace paragauge
