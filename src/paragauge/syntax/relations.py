"""Dependency relations that metrics compare: (child, type, parent).

Parsers name their arcs differently. Chan and Ng (2008) used a parser trained on the Penn Treebank,
whose subjects (SBJ) include clauses, subjects of passives and the expletives *there* and *it*, and
whose objects are the noun phrases that a verb governs. `SUBJECT` and `OBJECT` are these relations
in the labels of Universal Dependencies and of spaCy's English pipelines (ClearNLP); of a label such
as `nsubj:pass` the part before the colon decides too. Their objects of prepositions are another
relation; `preposition` counts them as objects too (`pobj`, or in Universal Dependencies `obl`, whose
parent is the verb).
"""

from __future__ import annotations

SUBJECT = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl", "sbj", "sub"})
OBJECT = frozenset({"obj", "dobj", "iobj", "dative"})
PREPOSITION = frozenset({"pobj", "pmod", "obl"})
NO_RELATION = frozenset({"root", "punct"})
CHOICES = (
    "subject+object",
    "subject+object+preposition",
    "subject",
    "object",
    "object+preposition",
    "all",
)


def relation_type(label: str, choice: str) -> str | None:
    """The type that an arc of this label counts as, or None if `choice` leaves it out.

    >>> [relation_type(label, "subject+object") for label in ("nsubj:pass", "dobj", "amod")]
    ['subject', 'object', None]
    >>> [relation_type("pobj", choice) for choice in ("subject+object", "subject+object+preposition")]
    [None, 'object']
    >>> relation_type("amod", "all"), relation_type("punct", "all")
    ('amod', None)
    """
    name = label.lower()
    base = name.partition(":")[0]
    if choice == "all":
        return None if base in NO_RELATION else name
    for kind, labels in (("subject", SUBJECT), ("object", OBJECT)):
        if kind in choice and base in labels:
            return kind
    if "preposition" in choice and base in PREPOSITION:
        return "object"
    return None
