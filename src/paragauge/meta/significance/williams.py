"""Williams' test (1959) of two correlations that share a variable.

Metrics a and b are both correlated with the same ratings h on n items. With r_ah, r_bh and r_ab,

    K = 1 - r_ah^2 - r_bh^2 - r_ab^2 + 2 r_ah r_bh r_ab
    t = (r_ah - r_bh) sqrt((n - 1) (1 + r_ab)
                           / (2 K (n - 1) / (n - 3) + ((r_ah + r_bh) / 2)^2 (1 - r_ab)^3))

has Student's t distribution with n - 3 degrees of freedom if both correlations are equal in the
population (Steiger 1980, equation 7; Graham and Baldwin 2014 brought it to metrics). For opposite
metrics, r_ab = -1, both sides of the fraction are 0, and t is its limit r_ah sqrt((n - 3) / (1 -
r_ah^2)). It assumes
independent items, which candidates for the same source are not, so it is exact at system level or with
one candidate per source, and overconfident otherwise.
"""

from __future__ import annotations

import math

from paragauge.errors import InputError
from paragauge.meta.significance.distributions import student_p


def williams_t(r_ah: float, r_bh: float, r_ab: float, n: int) -> float:
    """The test statistic; 0 for equal correlations and for metrics that are the same up to scale.

    >>> round(williams_t(0.4, 0.5, 0.1, 103), 2)
    -0.89
    """
    if n < 4:
        raise InputError(f"Williams' test needs at least 4 items, found {n}")
    # Closer to 1 or -1 than this, K is only rounding.
    if r_ah == r_bh or 1 - r_ab < 1e-12:
        return 0.0
    if 1 + r_ab < 1e-12:
        k = max(0.0, 1 - r_ah**2)
        return r_ah * math.sqrt((n - 3) / k) if k > 0 else math.copysign(math.inf, r_ah)
    k = max(0.0, 1 - r_ah**2 - r_bh**2 - r_ab**2 + 2 * r_ah * r_bh * r_ab)
    below = 2 * k * (n - 1) / (n - 3) + ((r_ah + r_bh) / 2) ** 2 * (1 - r_ab) ** 3
    if below <= 0:
        return math.copysign(math.inf, r_ah - r_bh)
    return (r_ah - r_bh) * math.sqrt((n - 1) * (1 + r_ab) / below)


def williams_p(r_ah: float, r_bh: float, r_ab: float, n: int) -> float:
    """The two-sided p-value.

    >>> round(williams_p(0.4, 0.5, 0.1, 103), 2)
    0.37
    """
    return student_p(williams_t(r_ah, r_bh, r_ab, n), n - 3)
