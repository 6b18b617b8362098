"""Titles of statistics, as tables, plots and pages show them."""

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
