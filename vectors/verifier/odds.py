"""The exact solution of the birthday problem: the probability that n random numbers out of N
include two equal ones.

The probability that all are different is N (N-1) ... (N-n+1) / N^n, which is Gamma(N+1) /
(Gamma(N-n+1) N^n). For a small n, the module multiplies the factors. For a large n, it computes the
logarithm with Stirling's series, to a hundred digits.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

from .grammar import AnyLayout

DIGITS = 140
# B(2k), the Bernoulli numbers of Stirling's series, for k from 1.
BERNOULLI = [
    Fraction(1, 6), Fraction(-1, 30), Fraction(1, 42), Fraction(-1, 30), Fraction(5, 66), Fraction(-691, 2730),
    Fraction(7, 6), Fraction(-3617, 510), Fraction(43867, 798), Fraction(-174611, 330),
]  # fmt: skip
HALF_LN_TAU = Decimal(
    "0.91893853320467274178032973640561763986139747363778341281715154048276569592726039769474329863595419762200564662463"
)


def decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def stirling(x: Decimal) -> Decimal:
    """Returns ln Gamma(x) - (x - 1/2) ln x + x - ln(2 pi) / 2 for a large x."""
    total = Decimal(0)
    for k, number in enumerate(BERNOULLI, 1):
        total += decimal(number) / (2 * k * (2 * k - 1)) / x ** (2 * k - 1)
    return total


def log_gamma(x: Decimal) -> Decimal:
    """Returns ln Gamma(x). Uses x Gamma(x) = Gamma(x + 1) until x is large enough."""
    shift = Decimal(0)
    while x < 200:
        shift += x.ln()
        x += 1
    return (x - Decimal("0.5")) * x.ln() - x + HALF_LN_TAU + stirling(x) - shift


def birthday(numbers: int, cells: Fraction) -> float:
    if numbers <= 1:
        return 0.0
    if numbers > cells:
        return 1.0
    with localcontext() as context:
        context.prec = DIGITS
        n, room = Decimal(numbers), decimal(cells)
        if numbers <= 10_000:
            none_equal = Decimal(1)
            for taken in range(1, numbers):
                none_equal *= 1 - taken / room
            return float(1 - none_equal)
        if cells / numbers > 10**9:
            # The first terms of the power series of -ln(1 - i/N), summed over i, are enough here.
            first = n * (n - 1) / 2 / room
            second = (n - 1) * n * (2 * n - 1) / 6 / room**2 / 2
            third = (n * (n - 1) / 2) ** 2 / room**3 / 3
            return float(1 - (-(first + second + third)).exp())
        log = log_gamma(room + 1) - log_gamma(room - n + 1) - n * room.ln()
        return float(1 - log.exp()) if log < 0 else 0.0


def odds(layout: AnyLayout, ids_per_second: float, seconds: float) -> float:
    if layout.is_unique or ids_per_second <= 0 or seconds <= 0:
        return 0.0
    ticks = Fraction(seconds) * 1_000_000 / layout.tick_us
    ticks = min(max(ticks, Fraction(1)), Fraction(layout.highest("timestamp") + 1))
    return birthday(int(ids_per_second * seconds), ticks * (layout.highest("random") + 1))
