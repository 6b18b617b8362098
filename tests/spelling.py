"""Finds British spellings, so that tests can keep the package to American ones."""

from __future__ import annotations

import re

# Verbs in -ise and their forms, where the stem says whether there is an American -ize.
_ISE = re.compile(r"([a-z]*)is(?:e|ed|es|er|ers|ing|able|ation|ations)")
_ONLY_ISE = frozenset(
    """
    adv advert appra ar clockw compr comprom conc cru d dem desp dev disgu enterpr exc exerc expert
    franch gu improv likew merchand no otherw pairw parad po pra prec prem pr prom r ra rev sunr superv
    surm surpr telev torto treat unsuperv v w
    """.split()  # noqa: SIM905  # easier to read
)
_OTHERS = re.compile(
    r"""
    .*alys(?:e|ed|er|ers|ing)
    | .*(?:arm|avi|col|eav|fav|flav|harb|hon|hum|lab|neighb|rum)our(?:s|ed|ing|able)?
    | (?:.*met|cent|fib|lit|theat)res?
    | .*(?:cancel|channel|fuel|label|level|model|signal|total|travel)l(?:ed|ing|er|ers)
    | (?:ana|cata|dia)logues? | (?:defen|offen|licen)ces? | judgements? | artefacts? | programmes?
    | grey | learnt | (?:mis)?spelt | whilst | amongst | towards | fulfil | skilful | ageing
    """,
    re.VERBOSE,
)


def british_words(text: str) -> list[str]:
    """The words of a text that have a British spelling, in lowercase.

    >>> british_words("Raise noise: analyse z_normalised colours with TOKENISERS, or advise.")
    ['analyse', 'normalised', 'colours', 'tokenisers']
    """
    words = re.findall(r"[a-z]+", text.lower())
    return [word for word in words if _is_british(word)]


def _is_british(word: str) -> bool:
    ise = _ISE.fullmatch(word)
    return ise.group(1) not in _ONLY_ISE if ise else _OTHERS.fullmatch(word) is not None
