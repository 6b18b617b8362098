"""How good a paraphrase resource is: all measures of PARADIGM and ParaMetric, from text to results."""

__all__: list[str] = []
