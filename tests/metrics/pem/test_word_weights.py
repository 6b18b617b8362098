"""The weights of words that the learned parts read, and files that are none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import FileFormatError
from paragauge.lm.text_form import TextForm
from paragauge.metrics.pem import open_model
from paragauge.metrics.pem.word_weights import FILE, WordWeights
from paragauge.text.vocabulary import Vocabulary


def small_weights() -> WordWeights:
    vocabulary = Vocabulary()
    vocabulary.extend(["rain", "café", "the"])
    return WordWeights(TextForm("13a", "lower"), vocabulary, np.array([2.5, 4.0, 0.1]), other=9.0)


def test_saved_and_loaded_they_are_the_same(tmp_path: Path) -> None:
    weights = small_weights()
    weights.save(tmp_path / "weights.bin")
    again = WordWeights.load(tmp_path / "weights.bin")
    words = ["the", "rain", "café", "snow"]
    assert again.weigh_words(words).tolist() == weights.weigh_words(words).tolist() == [0.1, 2.5, 4, 9]
    assert again.form == weights.form


def test_those_of_the_package_are_those_of_its_model() -> None:
    words = ["meeting", "the", "monday", "raining", "zyxwv"]
    own, model = WordWeights.default(), open_model("english").resources
    np.testing.assert_allclose(own.weigh_words(words), model.word_weights.weigh_words(words), rtol=1e-6)
    assert own.form == model.form


@pytest.fixture(scope="session")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("weights") / "weights.bin"
    small_weights().save(path)
    return path


@given(st.data())
def test_a_cut_or_changed_file_is_one_line(saved: Path, data: st.DataObject) -> None:
    content = saved.read_bytes()
    place = data.draw(st.integers(0, len(content) - 1))
    changed = bytearray(content)
    changed[place] ^= data.draw(st.integers(1, 255))
    messages = []
    for broken in (content[:place], bytes(changed)):
        path = saved.with_name("broken.bin")
        path.write_bytes(broken)
        try:
            weights = WordWeights.load(path)
        except FileFormatError as error:
            messages.append(str(error))
        else:
            assert np.isfinite(weights.weigh_words(["rain", "snow"])).all()
    assert messages
    assert not any("\n" in message for message in messages)


def test_another_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.bin"
    path.write_bytes(FILE.with_name("words").joinpath("rating.bin").read_bytes())
    with pytest.raises(FileFormatError, match="weights of words"):
        WordWeights.load(path)
