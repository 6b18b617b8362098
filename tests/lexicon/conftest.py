"""A WordNet of a few words, written in each form that can be opened."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

LICENSE = "  1 Some WordNet 9.9 Copyright 2020 by nobody.  \n  2 \n"
PRINCETON = {
    "index.noun": LICENSE
    + "car n 2 1 @ 2 1 00000100 00000200  \n"
    + "automobile n 1 0 1 0 00000100  \n"
    + "railcar n 1 2 @ ~ 1 0 00000200  \n"
    + "ice_cream n 1 0 1 0 00000300  \n"
    + "mouse n 1 0 1 0 00000400  \n"
    + "pferd n 1 0 1 0 00000500  \n",
    "index.verb": LICENSE + "drive v 1 0 1 0 00000100  \n",
    "index.adj": LICENSE + "big a 1 0 1 0 00000700  \nlarge a 1 0 1 0 00000700  \n",
    "index.adv": LICENSE,
    "noun.exc": "mice mouse\nmice rat\n",
    "verb.exc": "drove drive\n",
    "adj.exc": "bigger big\n",
    "adv.exc": "",
}
# car and automobile are no opposites; they are made so to have nouns with two words in a synset.
POINTERS = {
    "data.noun": LICENSE
    + "00000100 06 n 02 car 0 Automobile 0 001 ! 00000200 n 0201 | on wheels  \n"
    + "00000200 06 n 02 car 1 railcar 0 001 @ 00000100 n 0000 | on rails ! & \n",
    "data.verb": LICENSE + "00000100 38 v 01 drive 0 000 01 + 02 00 | go by car  \n",
    "data.adj": LICENSE
    + "00000700 00 a 02 big 0 large(p) 1 001 ! 00000800 a 0201 | of size  \n"
    + "00000800 00 a 01 small(a) 0 001 ! 00000700 a 0102 | little  \n"
    + "00000900 00 s 01 huge 0 001 & 00000700 a 0000 | very large  \n",
    "data.adv": LICENSE,
}
ADJECTIVES = (
    "big a 1 0 1 0 00000700  \nlarge a 1 1 ! 1 0 00000700  \nsmall a 1 0 1 0 00000800  \n"
    "huge a 1 0 1 0 00000900  \n"
)
LMF_RELATIONS = """<LexicalResource><Lexicon id="small" version="1">
  <LexicalEntry id="e1"><Lemma writtenForm="large" partOfSpeech="a"/>
    <Sense id="s1" synset="x-00000700-a"><SenseRelation relType="antonym" target="s2"/>
      <SenseRelation relType="derivation" target="s9"/></Sense></LexicalEntry>
  <LexicalEntry id="e2"><Lemma writtenForm="small" partOfSpeech="a"/>
    <Sense id="s2" synset="x-00000800-a"/></LexicalEntry>
  <LexicalEntry id="e3"><Lemma writtenForm="huge" partOfSpeech="s"/>
    <Sense id="s3" synset="x-00000900-s"/></LexicalEntry>
  <LexicalEntry id="e4"><Lemma writtenForm="big" partOfSpeech="a"/>
    <Sense id="s4" synset="x-00000700-a"/></LexicalEntry>
  <Synset id="x-00000700-a" partOfSpeech="a"><SynsetRelation relType="similar" target="x-00000900-s"/>
  </Synset>
  <Synset id="x-00000900-s" partOfSpeech="s"><SynsetRelation relType="similar" target="x-00000700-a"/>
    <SynsetRelation relType="similar" target="x-00000999-a"/></Synset>
</Lexicon></LexicalResource>
"""
LMF = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.1.dtd">
<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">
  <Lexicon id="small" label="A small WordNet" language="en" version="2020">
    <LexicalEntry id="e1"><Lemma writtenForm="car" partOfSpeech="n"/>
      <Sense id="s1" synset="small-00000100-n"/><Sense synset="small-00000200-n"/></LexicalEntry>
    <LexicalEntry id="e2"><Lemma writtenForm="automobile" partOfSpeech="n">
      <Pronunciation>x</Pronunciation></Lemma><Sense id="s3" synset="small-00000100-n"/></LexicalEntry>
    <LexicalEntry id="e3"><Lemma writtenForm="railcar" partOfSpeech="n"/>
      <Sense id="s4" synset="small-00000200-n"/></LexicalEntry>
    <LexicalEntry id="e4"><Lemma writtenForm="Ice cream" partOfSpeech="n"/>
      <Sense id="s5" synset="small-00000300-n"/></LexicalEntry>
    <LexicalEntry id="e5"><Lemma writtenForm="mouse" partOfSpeech="n"/><Form writtenForm="mice"/>
      <Sense id="s6" synset="small-00000400-n"/></LexicalEntry>
    <LexicalEntry id="e6"><Lemma writtenForm="Pferd" partOfSpeech="n"/>
      <Sense id="s7" synset="small-00000500-n"/></LexicalEntry>
    <LexicalEntry id="e7"><Lemma writtenForm="drive" partOfSpeech="v"/><Form writtenForm="drove"/>
      <Sense id="s8" synset="small-00000100-v"/></LexicalEntry>
    <LexicalEntry id="e8"><Lemma writtenForm="big" partOfSpeech="a"/><Form writtenForm="bigger"/>
      <Sense id="s9" synset="small-00000700-s"/></LexicalEntry>
    <LexicalEntry id="e9"><Lemma writtenForm="large" partOfSpeech="s"/>
      <Sense id="s10" synset="small-00000700-s"/></LexicalEntry>
    <LexicalEntry id="e10"><Lemma writtenForm="ouch" partOfSpeech="x"/>
      <Sense id="s11" synset="small-00000800-x"/></LexicalEntry>
    <Synset id="small-00000100-n" partOfSpeech="n"><Definition>on &lt;wheels&gt;</Definition></Synset>
  </Lexicon>
</LexicalResource>
"""


@pytest.fixture
def princeton(tmp_path: Path) -> Path:
    """A folder with Princeton's files."""
    folder = tmp_path / "wordnet"
    folder.mkdir()
    for name, text in PRINCETON.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def with_pointers(princeton: Path) -> Path:
    """The same folder with data files, which have antonyms and a satellite."""
    for name, text in POINTERS.items():
        (princeton / name).write_text(text, encoding="utf-8")
    (princeton / "index.adj").write_text(LICENSE + ADJECTIVES, encoding="utf-8")
    return princeton


@pytest.fixture
def lmf_with_relations(tmp_path: Path) -> Path:
    """A few adjectives in WN-LMF with the same antonyms and the same satellite."""
    path = tmp_path / "relations.xml"
    path.write_text(LMF_RELATIONS, encoding="utf-8")
    return path


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """The same files in a zip archive, as NLTK and Open English WordNet pack them."""
    path = tmp_path / "wordnet.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name, text in PRINCETON.items():
            out.writestr(f"wordnet/{name}", text)
    return path


@pytest.fixture
def lmf(tmp_path: Path) -> Path:
    """The same WordNet in WN-LMF."""
    path = tmp_path / "small.xml"
    path.write_text(LMF, encoding="utf-8")
    return path
