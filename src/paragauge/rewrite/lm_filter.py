"""A filter that judges by an n-gram language model whether a word fits its place.

    score = log10 P(sentence with the substitute) - log10 P(sentence with the word) - threshold

A substitution is accepted if the score is 0 or more: if the model finds the new sentence at most
10^-threshold times less probable. In an n-gram model words farther than n - 1 from the place cancel
out, so a window of n - 1 words on either side gives the same difference as the whole sentence. A word
that the model does not know gets NaN: its probability says nothing about the context.

A phrase may be longer or shorter than the one it replaces, and every additional word makes a sentence
less probable. So the means per word are compared: with n' tokens (and </s>) in the window with the
substitute, and n in the one without,

    score = log10 P(window with the substitute) - n'/n log10 P(window) - threshold

which is the formula above if both phrases have the same length.

Tokens are those of rewriting (lowercase, Penn Treebank's). A model that was trained on text in another
form gets the window as text and tokenizes it in its own way; if it splits tokens further, words at a
distance below n may fall outside the window. This filter goes beyond Kauchak and Barzilay (2006), who
name other learners as future work.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import SettingError
from paragauge.kernels.layout import Ints
from paragauge.lm.sentence_model import SentenceModel
from paragauge.rewrite.agreement.article_agreement import replace_tokens
from paragauge.rewrite.substitution_filters import PhraseJudge
from paragauge.text.lines import Lines
from paragauge.text.wording import format_setting

THRESHOLD = -1.0


@dataclass(frozen=True, eq=False)
class LanguageModelFilter(PhraseJudge):
    """Accepts substitutions that a language model finds probable enough.

    >>> from paragauge.lm.model import LanguageModel
    >>> text = ["it took place here", "it is hard here", "it is difficult", "we are home here"]
    >>> model = LanguageModel.train(text, order=2, discount_fallback=(0.5, 1, 1.5))
    >>> lines, words = Lines.of(["it is hard", "it took place"]), Lines.of(["difficult", "home", "x"])
    >>> where = np.array([0, 1, 1]), np.array([2, 2, 2])
    >>> LanguageModelFilter(model).scores(lines, *where, words, np.array([0, 1, 2])).round(1)
    array([ 2. , -0.1,  nan])
    """

    model: SentenceModel
    threshold: float = THRESHOLD

    def __post_init__(self) -> None:
        if not np.isfinite(self.threshold):
            raise SettingError(f"threshold: expected a number, found {self.threshold!r}")

    @property
    def name(self) -> str:
        """The model's name and the threshold."""
        return f"{self.model.name}@{format_setting(self.threshold)}"

    def phrase_scores(
        self,
        tokens: Lines,
        segment: Ints,
        span: tuple[Ints, Ints],
        phrases: Lines,
        phrase: Ints,
        threads: int = 0,
    ) -> NDArray[np.float64]:
        """A score for each proposal; see `PhraseFilter`."""
        lines, row = np.unique(segment, return_inverse=True)
        texts = [tokens[i].split(" ") for i in lines.tolist()]
        reach = self.model.order - 1
        substitutes = list(phrases)
        before, after, length_ratios = [], [], []
        for i, first, last, new in zip(
            row.tolist(), span[0].tolist(), span[1].tolist(), phrase.tolist(), strict=True
        ):
            start, stop = max(0, first - reach), last + 1 + reach
            window = texts[i][start:stop]
            changed = replace_tokens(window, first - start, last - start, substitutes[new])
            before.append(" ".join(window))
            after.append(" ".join(changed))
            length_ratios.append((after[-1].count(" ") + 2) / (len(window) + 1))
        form = self.model.form
        tokenized = form.stem is None and form.tokenize in ("penn", "none")
        score_before, score_after = (
            self.model.score(Lines.of(side), tokenized=tokenized, threads=threads)
            for side in (before, after)
        )
        substitute_scores = self.model.score(
            Lines.of([substitutes[i] for i in phrase.tolist()]), tokenized=tokenized, threads=threads
        )
        expected = score_before.log10 * np.array(length_ratios, np.float64)
        scores = score_after.log10 - expected - self.threshold
        return np.where(substitute_scores.unknown > 0, np.nan, scores)
