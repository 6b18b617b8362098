"""Titles of statistics and the text of p-values, as tables, plots and pages show them."""

from __future__ import annotations

STATISTIC_TITLES = {
    "pearson": "Pearson",
    "spearman": "Spearman",
    "kendall": "Kendall tau-b",
    "kendall-wmt12": "Kendall (WMT12)",
    "kendall-wmt13": "Kendall (WMT13)",
    "kendall-wmt14": "Kendall (WMT14)",
    "accuracy": "accuracy",
    "accuracy-tuned": "accuracy, tuned ties",
    "soft-accuracy": "soft accuracy",
}


def p_text(p: float | None) -> str:
    """A p-value for reading.

    >>> p_text(0.0004), p_text(0.25), p_text(None)
    ('<0.001', '0.250', '')
    """
    return "" if p is None else "<0.001" if p < 0.001 else f"{p:.3f}"
