"""English words that say little about the topic of a text.

These are the closed-class words among the 4,000 most frequent words of English prose: those that the
shipped tagger mostly tags as determiners, prepositions, conjunctions, pronouns, question words, modal
verbs or particles; and the forms of *be*, *have*, *do* and *not*. The original prose is not on record;
`tools/models/stop_words.py` reconstructs the list and says how certain that is.
"""

from __future__ import annotations

STOP_WORDS = frozenset(
    """
    'd 'll 'm 're 's 've a about above across after against all along alongside although am among
    an and another any are around as at be because been before behind being below beneath beside
    besides between beyond both but by ca can could despite did do does doing done down during each
    either every except for from had has have having he her herself him himself his how i if in
    inside into is it its itself like may me might mine must my myself n't near neither no nor not
    of off on onto or ought our ours ourselves out outside over plus shall she should since some
    than that the their them themselves there these they this those though through throughout to
    toward towards under unless unlike until up upon us via was we were what whatever when where
    whereas whether which while who whom whose why will with within without wo would you your
    yourself
    """.split()  # noqa: SIM905  # as a list it fills three screens
)
