"""Tails of Student's t and of the binomial distribution, by the regularized incomplete beta function.

With I_x(a, b) that function, Student's t with v degrees of freedom and the number K of heads in n fair
tosses have

    P(|T| > t) = I_x(v / 2, 1 / 2)       x = v / (v + t^2)
    P(K >= k)  = I_1/2(k, n - k + 1)

I_x(a, b) is x^a (1 - x)^b / (a B(a, b)) divided by a continued fraction (Abramowitz and Stegun 26.5.8)
that Lentz's method evaluates (Thompson and Barnett 1986), for x up to (a + 1) / (a + b + 2), and
1 - I_1-x(b, a) above. The relative error is below 1e-12 for parameters up to 100. It grows with the
logarithms of gamma functions, which cancel: below 1e-8 at a million.

Student's t with 100,000 degrees of freedom or more is taken as normal instead, after the transformation

    a = v - 1/2      z = sqrt(a ln(1 + t^2 / v))      u = z + (z^3 + 3 z) / (48 a^2)

which is Hill's expansion (1970) up to its first correction: P(|T| > t) = P(|N| > u) to 1e-11, and for
infinite v, where u = t, exactly.

G. W. Hill. Algorithm 395: Student's t-distribution. Communications of the ACM 13(10), 1970.
"""

from __future__ import annotations

import math

from paragauge.errors import SettingError

STEPS = 100_000
CLOSE = 1e-16
TINY = 1e-300
NEARLY_NORMAL = 1e5


def student_p(t: float, freedom: float) -> float:
    """The two-sided p-value of Student's t: P(|T| > |t|).

    >>> round(student_p(12.706, 1), 5), student_p(0.0, 3), student_p(math.inf, 3)
    (0.05, 1.0, 0.0)
    >>> round(student_p(1.0, math.inf), 4)
    0.3173
    """
    if not freedom > 0:
        raise SettingError(f"expected degrees of freedom above 0, found {freedom}")
    if math.isinf(t):
        return 0.0
    if freedom >= NEARLY_NORMAL:
        return 2 * normal_p(_normal_of(abs(t), freedom))
    square = t * t
    if math.isinf(square):  # 1/x alone is in range
        return _incomplete_beta(freedom / 2, 0.5, freedom / abs(t) / abs(t), 1.0)
    return _incomplete_beta(freedom / 2, 0.5, freedom / (freedom + square), square / (freedom + square))


def student_bound(share: float, freedom: float) -> float:
    """The t that |T| exceeds with probability `share`, to the last digits.

    >>> round(student_bound(0.05, 10), 3)
    2.228
    """
    if not 0 < share < 1:
        raise SettingError(f"share: expected a number between 0 and 1, found {share}")
    low, high = 0.0, 1.0
    while student_p(high, freedom) > share:
        low, high = high, 2 * high
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if student_p(middle, freedom) > share else (low, middle)
    return high


def fair_tosses_p(heads: int, tosses: int) -> float:
    """The probability of at least `heads` heads in tosses of a fair coin: the one-sided sign test.

    >>> round(fair_tosses_p(3, 4), 9)  # (4 + 1) / 16
    0.3125
    """
    if not 0 <= heads <= tosses:
        raise SettingError(f"heads: expected a whole number from 0 to {tosses}, found {heads}")
    return 1.0 if heads == 0 else _incomplete_beta(heads, tosses - heads + 1, 0.5, 0.5)


def normal_p(z: float) -> float:
    """The probability that a standard normal variable exceeds z.

    >>> normal_p(0.0)
    0.5
    """
    return 0.5 * math.erfc(z / math.sqrt(2))


def _normal_of(t: float, freedom: float) -> float:
    """The u that a normal variable exceeds as often as Student's t exceeds t, for large `freedom`."""
    if math.isinf(freedom):
        return t
    a = freedom - 0.5
    z = math.sqrt(a * math.log1p(t * t / freedom))
    return z + z * (z * z + 3) / 48 / a / a


def _incomplete_beta(a: float, b: float, x: float, rest: float) -> float:
    """I_x(a, b), with `rest` = 1 - x, which keeps its digits where x is close to 1."""
    if x <= 0 or rest <= 0:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, rest, x)
    logarithm = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    return math.exp(logarithm + a * math.log(x) + b * math.log(rest)) / (a * _fraction(a, b, x))


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction 1 + d1/(1 + d2/(1 + ...)) in the denominator of I_x(a, b)."""
    value, upper, lower = 1.0, 1.0, 0.0
    for step in range(1, STEPS):
        half, odd = divmod(step, 2)
        if odd:
            part = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        else:
            part = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        lower = 1 / _not_zero(1 + part * lower)
        upper = _not_zero(1 + part / upper)
        value *= upper * lower
        if abs(upper * lower - 1) <= CLOSE:
            break
    return value


def _not_zero(value: float) -> float:
    return value if abs(value) > TINY else TINY
