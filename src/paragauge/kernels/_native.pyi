"""Types of the native kernels; `reference/` says what each function does."""

from collections.abc import Sequence
from typing import Literal, overload

import numpy as np
from numpy.typing import NDArray

_Bytes = NDArray[np.uint8]
_Ids = NDArray[np.int32]
_Ints = NDArray[np.int64]
_Floats = NDArray[np.float64]
_TextColumn = tuple[_Bytes, _Ints, _Ints | None]
_IdColumn = tuple[_Ids, _Ints, _Ints | None]
_Bags = tuple[_Ids, _Floats, _Ints]
_Sentences = tuple[_Ids, _Ints]
_PivotBags = tuple[_Ids, _Floats, _Ints]
_Sets = tuple[_Ids, _Ints]
_Singles = NDArray[np.float32]
_Level = tuple[_Ids, _Ids, _Singles, _Singles]
_Texts = tuple[_Bytes, _Ints]
_BitextSide = tuple[_Texts, _Ids, _Ints]
_Links = tuple[_Ids, _Ids, _Ints]
_SyncSettings = tuple[int, bool, _Bytes, _Ids, _Bytes, int, int, float]
_Hashes = NDArray[np.uint32]
_ContextShape = tuple[int, int, int, bool, bool]
_Classifiers = tuple[_Ints, _Hashes, NDArray[np.int8], _Floats, _Ids]
_WordColumn = tuple[_Ids, _Ids, _Ints, _Ints | None]
_RelationColumn = tuple[_Ids, _Ids, _Ids, _Ints, _Ints | None]
_WordTypes = tuple[_Ids, _Floats, _Ids, _Floats, _Ints]
_LemmaFacts = tuple[_Ids, _Sets, _Sets, _Sets, tuple[_Bytes, _Ints]]
_WeightedColumn = tuple[_Ids, _Ids, _Floats, _Ints, _Ints | None]

def first_invalid_utf8(buffer: _Bytes) -> int | None: ...
def split_lines(buffer: _Bytes, start: int, limit: int, last: bool) -> tuple[_Ints, int]: ...
def split_fields(buffer: _Bytes, spans: _Ints) -> tuple[_Ints, _Ints]: ...
def split_rows(
    buffer: _Bytes, limit: int, delimiter: str, last: bool
) -> tuple[_Ints, _Ints, _Ints, _Bytes, int, int, int, int]: ...
def count_blank(buffer: _Bytes, spans: _Ints) -> int: ...
def count_tabbed(buffer: _Bytes, spans: _Ints) -> int: ...
def lower_latin(buffer: _Bytes, spans: _Ints) -> tuple[_Bytes, _Ints]: ...
def normalize_typography(buffer: _Bytes, spans: _Ints) -> tuple[_Bytes, _Ints] | None: ...
def tokenize_lines(buffer: _Bytes, spans: _Ints, scheme: str, threads: int) -> tuple[_Bytes, _Ints]: ...
def parse_pharaoh(
    buffer: _Bytes, spans: _Ints, threads: int
) -> tuple[_Ids, _Ids, _Bytes, _Ints, _Ints]: ...
def symmetrize(forward: _Links, reverse: _Links, heuristic: str, threads: int) -> _Links: ...
def encode_segments(
    columns: Sequence[_TextColumn], scheme: str, threads: int
) -> list[tuple[_Ids, _Ints]]: ...
def match_ngrams(
    candidates: _IdColumn,
    others: _IdColumn,
    order: int,
    counting: str,
    joint: bool,
    threads: int,
) -> _Ints: ...
def chrf_counts(
    candidates: _TextColumn,
    references: _TextColumn,
    char_order: int,
    word_order: int,
    beta: float,
    whitespace: bool,
    smooth: bool,
    threads: int,
) -> _Ints: ...
def normalize_tercom(
    buffer: _Bytes, spans: _Ints, normalized: bool, no_punct: bool, asian: bool, threads: int
) -> _Texts: ...
def ter_counts(candidates: _IdColumn, references: _IdColumn, threads: int) -> _Ints: ...
def ter_edits(candidate: _Ids, reference: _Ids) -> tuple[_Ints, _Bytes]: ...
def match_pair(
    candidate: str,
    others: str | Sequence[str] | None,
    scheme: str,
    order: int,
    counting: str,
    joint: bool,
) -> tuple[list[int], list[int]]: ...
def pair_novelty(
    candidate: str,
    others: str | Sequence[str] | None,
    scheme: str,
    order: int,
    counting: str,
    joint: bool,
    missing: float,
) -> float: ...
def ngram_bags(columns: Sequence[_IdColumn], order: int, threads: int) -> list[_Bags]: ...
def bag_overlaps(left: _Bags, right: _Bags, threads: int) -> _Floats: ...
def resample_sums(
    stats: _Floats, weights: str, seed: int, first: int, sums: _Floats, threads: int
) -> None: ...
def group_correlations(
    x: _Floats, y: _Floats, offsets: _Ints, coefficient: str, threads: int
) -> _Floats: ...
def resampled_correlations(
    x: _Floats,
    y: _Floats,
    offsets: _Ints,
    units: _Ints,
    complement: _Bytes,
    coefficient: str,
    weights: str,
    zero_constant: bool,
    seed: int,
    replicates: int,
    threads: int,
) -> _Floats: ...
def exchanged_correlations(
    one: _Floats,
    other: _Floats,
    gold: _Floats,
    offsets: _Ints,
    units: _Ints,
    coefficient: str,
    zero_constant: bool,
    seed: int,
    replicates: int,
    threads: int,
) -> tuple[_Floats, _Floats]: ...
def resampled_maxima(
    gain: _Floats,
    last: _Bytes,
    units: _Ints,
    complement: _Bytes,
    weights: str,
    seed: int,
    replicates: int,
    threads: int,
) -> _Floats: ...
def rbf_values(
    rows: _Floats, vectors: _Floats, coefficients: _Floats, gamma: float, threads: int
) -> _Floats: ...
def tree_sums(
    rows: _Floats,
    roots: _Ints,
    features: _Ids,
    thresholds: _Floats,
    left: _Ids,
    right: _Ids,
    values: _Floats,
    threads: int,
) -> _Floats: ...
def assignment(weights: _Ints) -> _Ids: ...
def matching_weight(weights: _Ints) -> int: ...
@overload
def maxsim_ngrams(
    candidates: _WordColumn,
    references: _WordColumn,
    sets: _Sets,
    order: int,
    phases: tuple[bool, bool, bool],
    self: bool,
    links: Literal[False],
    threads: int,
) -> _Ints: ...
@overload
def maxsim_ngrams(
    candidates: _WordColumn,
    references: _WordColumn,
    sets: _Sets,
    order: int,
    phases: tuple[bool, bool, bool],
    self: bool,
    links: Literal[True],
    threads: int,
) -> tuple[_Ints, _Ids, _Ints]: ...
@overload
def maxsim_relations(
    candidates: _RelationColumn,
    references: _RelationColumn,
    sets: _Sets,
    self: bool,
    links: Literal[False],
    threads: int,
) -> _Ints: ...
@overload
def maxsim_relations(
    candidates: _RelationColumn,
    references: _RelationColumn,
    sets: _Sets,
    self: bool,
    links: Literal[True],
    threads: int,
) -> tuple[_Ints, _Ids, _Ints]: ...
@overload
def similar_ngrams(
    candidates: _WeightedColumn,
    references: _WeightedColumn,
    similarities: _Floats,
    order: int,
    phases: tuple[bool, bool, bool],
    links: Literal[False],
    threads: int,
) -> _Floats: ...
@overload
def similar_ngrams(
    candidates: _WeightedColumn,
    references: _WeightedColumn,
    similarities: _Floats,
    order: int,
    phases: tuple[bool, bool, bool],
    links: Literal[True],
    threads: int,
) -> tuple[_Floats, _Ids, _Floats, _Ints]: ...
@overload
def soft_words(
    candidates: _WeightedColumn,
    references: _WeightedColumn,
    sets: _Sets,
    lemmas: tuple[_Bytes, _Ints],
    synonym: float,
    characters: float,
    category: float,
    distance: float,
    floor: float,
    links: Literal[False],
    threads: int,
) -> _Floats: ...
@overload
def soft_words(
    candidates: _WeightedColumn,
    references: _WeightedColumn,
    sets: _Sets,
    lemmas: tuple[_Bytes, _Ints],
    synonym: float,
    characters: float,
    category: float,
    distance: float,
    floor: float,
    links: Literal[True],
    threads: int,
) -> tuple[_Floats, _Ids, _Floats, _Ints]: ...
@overload
def word_changes(
    lines: _Sentences,
    left: _Ints,
    right: _Ints,
    types: _WordTypes,
    lemmas: _LemmaFacts,
    links: Literal[False],
    threads: int,
) -> _Floats: ...
@overload
def word_changes(
    lines: _Sentences,
    left: _Ints,
    right: _Ints,
    types: _WordTypes,
    lemmas: _LemmaFacts,
    links: Literal[True],
    threads: int,
) -> tuple[_Floats, _Ids, _Ints]: ...
def unicode_ranges(category: str) -> _Ints: ...
def meteor_alignments(
    candidates: _IdColumn,
    references: _IdColumn,
    stages: Sequence[tuple[_Ids, _Ints]],
    beam: int,
    threads: int,
) -> _Ints: ...
def meteor_links(
    candidate: _Ids, reference: _Ids, stages: Sequence[tuple[_Ids, _Ints]], beam: int
) -> _Ints: ...
def unmatched(references: _IdColumn, candidates: _IdColumn, words: _Bytes, threads: int) -> _Ints: ...
def token_spans(
    buffer: _Bytes, spans: _Ints, token_buffer: _Bytes, token_lines: _Ints, threads: int
) -> _Ints: ...
def sets_meet(ids: _Ids, offsets: _Ints, left: _Ints, right: _Ints, threads: int) -> _Bytes: ...
def hash_words(buffer: _Bytes, spans: _Ints, threads: int) -> tuple[_Hashes, _Ints]: ...
def context_features(
    words: _Hashes, offsets: _Ints, lines: _Ints, positions: _Ints, shape: _ContextShape
) -> tuple[_Hashes, _Ids, _Ints]: ...
def sample_positions(
    ids: _Ids, rows: _Ids, wanted: int, limit: int, seed: int
) -> tuple[_Ints, _Ints, _Ints]: ...
def train_contexts(
    corpus: tuple[_Ids, _Ints],
    types: tuple[_Hashes, _Bytes],
    words: _Ids,
    samples: tuple[_Ints, _Ints],
    shape: _ContextShape,
    learning: tuple[str, int, float, float],
    least: int,
    most: int,
    held_out: float,
    draws: int,
    by_sentence: bool,
    seed: int,
    threads: int,
) -> tuple[_Ints, _Hashes, NDArray[np.int8], _Floats, _Ids, _Ints]: ...

class ContextTable:
    def __init__(self, classifiers: _Classifiers, shape: _ContextShape) -> None: ...
    def __len__(self) -> int: ...
    def scores(
        self, buffer: _Bytes, spans: _Ints, lines: _Ints, positions: _Ints, words: _Ints, threads: int
    ) -> _Floats: ...

class Vocabulary:
    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def add(self, token: str) -> int: ...
    def find(self, token: str) -> int: ...
    def token(self, number: int) -> str: ...
    def extend(self, buffer: _Bytes, spans: _Ints) -> None: ...
    def texts(self, first: int) -> tuple[_Bytes, _Ints]: ...
    def encode(
        self, buffer: _Bytes, spans: _Ints, scheme: str, grow: bool, threads: int
    ) -> tuple[_Ids, _Ints]: ...

class Tagger:
    def __init__(self, model: bytes) -> None: ...
    @property
    def names(self) -> list[str]: ...
    def tag(self, buffer: _Bytes, spans: _Ints, threads: int) -> tuple[_Ids, _Ints]: ...
    def known(self, buffer: _Bytes, spans: _Ints) -> _Bytes: ...

class TaggerTrainer:
    def __init__(
        self,
        buffer: _Bytes,
        spans: _Ints,
        tags: _Ids,
        names: Sequence[str],
        cutoff: int,
        margin: int,
        seed: int,
    ) -> None: ...
    def epoch(self) -> int: ...
    def model(self) -> bytes: ...

class WordNet:
    def __init__(self, table: _Bytes) -> None: ...
    def __len__(self) -> int: ...
    def title(self) -> str: ...
    def word(self, number: int) -> str: ...
    def synset(self, number: int) -> tuple[int, int]: ...
    def senses(self, word: str) -> _Ids: ...
    def synonyms(self, word: str) -> list[str]: ...
    def morphy(self, word: str, pos: int) -> str | None: ...
    def exceptions(self, pos: int) -> list[tuple[str, str]]: ...
    def related_sets(
        self, buffer: _Bytes, spans: _Ints, how: str, threads: int
    ) -> tuple[_Ids, _Ints]: ...
    def antonym_pointers(self) -> int: ...
    def antonyms(self, word: str, how: str) -> tuple[_Ids, _Ints]: ...
    def opposite_sets(
        self, buffer: _Bytes, spans: _Ints, how: str, threads: int
    ) -> tuple[tuple[_Ids, _Ints], tuple[_Ids, _Ints]]: ...
    def lemmatize(
        self, buffer: _Bytes, spans: _Ints, pos: _Bytes, threads: int
    ) -> tuple[_Bytes, _Ints]: ...

class PhraseStore:
    def __init__(self, vocabulary: Vocabulary) -> None: ...
    def add(self, sources: _Texts, targets: _Texts, scores: _Singles) -> None: ...
    def __len__(self) -> int: ...
    @property
    def sources(self) -> int: ...
    @property
    def longest(self) -> int: ...

class PhraseDecoder:
    def __init__(
        self,
        store: PhraseStore,
        model: NgramModel,
        weights: _Floats,
        stack: int,
        beam: float,
        distortion: int,
        limit: int,
        copy: str,
    ) -> None: ...
    def decode(
        self, buffer: _Bytes, spans: _Ints, size: int, threads: int
    ) -> tuple[tuple[_Bytes, _Ints], _Ints, _Floats, _Floats]: ...
    def options(
        self, line: str, limit: int
    ) -> tuple[_Ints, tuple[_Bytes, _Ints], _Floats, _Floats]: ...

class PhraseMatcher:
    def __init__(self, left: _Sentences, right: _Sentences) -> None: ...
    def __len__(self) -> int: ...
    def match(
        self, references: _IdColumn, candidates: _IdColumn, known: _Ids, threads: int
    ) -> _Ints: ...

class PivotTable:
    def __init__(
        self,
        phrases: _Sentences,
        scores: _Floats,
        edge_offsets: _Ints,
        targets: _Ids,
        probabilities: _Floats,
        target_phrases: _Sentences,
    ) -> None: ...
    def segment(
        self, sentences: _Sentences, unknown: float, longest: int, threads: int
    ) -> tuple[_Ids, _Ids, _Ints]: ...
    def bags(
        self,
        sentences: _Sentences,
        unknown: float,
        longest: int,
        order: int,
        least: float,
        threads: int,
    ) -> _PivotBags: ...

def gram_overlaps(
    left: _PivotBags,
    right: _PivotBags,
    left_index: _Ints,
    right_index: _Ints,
    word_weights: _Floats,
    other_weight: float,
    threads: int,
) -> _Floats: ...

class NgramEstimator:
    def __init__(self, order: int, memory: int, folder: str, threads: int) -> None: ...
    def add(self, ids: _Ids, offsets: _Ints) -> None: ...
    def adjust(self, prune: Sequence[int], fallback: Sequence[float] | None) -> None: ...
    def smooth(self) -> None: ...
    def read(self, order: int, limit: int) -> tuple[_Ids, _Ids, _Singles, _Singles]: ...
    @property
    def counts(self) -> list[int]: ...
    @property
    def discounts(self) -> list[tuple[float, float, float]]: ...
    @property
    def spilled(self) -> int: ...

class NgramModel:
    def __init__(self, levels: Sequence[_Level], threads: int) -> None: ...
    @property
    def begin(self) -> int: ...
    def sentences(self, ids: _Ids, offsets: _Ints, threads: int) -> tuple[_Floats, _Floats, _Ints]: ...
    def tokens(self, ids: _Ids, offsets: _Ints, threads: int) -> tuple[_Floats, _Ids, _Ints]: ...
    def step(self, state: int, word: int) -> tuple[float, int]: ...

class NgramSorter:
    def __init__(self) -> None: ...
    def add(self, words: _Ids) -> tuple[_Ints, _Ids, str, int]: ...

def parse_arpa(
    buffer: _Bytes, spans: _Ints, order: int, vocabulary: Vocabulary
) -> tuple[_Ids, _Singles, _Singles, str, int]: ...
def format_arpa(
    words: _Ids,
    order: int,
    probabilities: _Singles,
    backoffs: _Singles,
    highest: bool,
    vocabulary: Vocabulary,
    threads: int,
) -> bytes: ...
def pack_children(parents: _Ids, words: _Ids, contexts: int) -> bytes: ...
def unpack_children(packed: bytes, contexts: int, size: int, words: int) -> tuple[_Ids, _Ids]: ...
def entropy_prune(
    levels: Sequence[_Level], threshold: float, threads: int
) -> list[tuple[_Bytes, _Singles]]: ...
def extract_phrases(
    source: _BitextSide, target: _BitextSide, links: _Links, max_length: int, threads: int
) -> tuple[_Texts, _Texts, _Texts, _Texts]: ...
def parse_moses(
    buffer: _Bytes, spans: _Ints, threads: int
) -> tuple[_Texts, _Texts, _Texts, _Floats, _Ints, _Ints]: ...
def parse_grammar(
    buffer: _Bytes, spans: _Ints, style: int, threads: int
) -> tuple[
    _Texts,
    _Texts,
    _Texts,
    _Texts,
    _Texts,
    _Texts,
    _Ids,
    _Ints,
    _Texts,
    tuple[_Ids, _Floats, _Ints],
    _Ints,
]: ...
def format_grammar(
    columns: tuple[_Texts, _Texts, _Texts, _Texts, _Texts, _Texts],
    values: _Floats,
    names: _Texts,
    counts: _Floats,
    style: int,
    threads: int,
) -> tuple[bytes, int, int]: ...

class LexicalTable:
    def __init__(
        self, sources: _Texts, targets: _Texts, p_target: _Floats, p_source: _Floats
    ) -> None: ...
    def __len__(self) -> int: ...
    def weights(
        self, sources: _Texts, targets: _Texts, alignments: _Texts, threads: int, rules: bool = False
    ) -> tuple[_Floats, _Floats]: ...

class PhraseOccurrences:
    def __init__(self, buffer: _Bytes, spans: _Ints, phrases: _Texts) -> None: ...
    def __len__(self) -> int: ...

def count_phrase_pairs(
    source: PhraseOccurrences,
    target: PhraseOccurrences,
    sources: _Texts,
    targets: _Texts,
    threads: int,
) -> _Ints: ...
def significances(counts: _Ints, sentences: int) -> _Floats: ...

_Trees = tuple[_Texts, _Ids, _Ids, _Ids, _Ints]
_LabelSettings = tuple[bool, bool, bool, bool, str, str]

def label_spans(
    trees: _Trees, lengths: _Ints, spans: _Ints, labels: _LabelSettings, threads: int
) -> _Texts: ...

class RuleExtractor:
    def __init__(
        self,
        words: _Texts,
        source: tuple[_Ids, _Ints],
        target: tuple[_Ids, _Ints],
        links: _Links,
        trees: _Trees | None,
        target_is_parsed: bool,
        labels: _LabelSettings,
        limits: _Ints,
        max_rows: int,
    ) -> None: ...
    def next(
        self, threads: int
    ) -> tuple[_Texts, _Texts, _Texts, _Texts, _Ids, _Ids, _Ints, _Texts] | None: ...

def read_brackets(
    buffer: _Bytes, spans: _Ints, labels: Vocabulary, strip: bool
) -> tuple[_Ids, _Ids, _Ids, _Ids, _Ints, _Ints, _Ints, int, str]: ...
def bracket_spans(buffer: _Bytes) -> tuple[_Ints, int]: ...

class ConstituentParser:
    def __init__(
        self,
        bar_of: _Ids,
        lowest: _Ids,
        kinds: _Bytes,
        keys: NDArray[np.uint32],
        offsets: _Ints,
        columns: _Bytes,
        weights: NDArray[np.int8],
    ) -> None: ...
    def parse(self, buffer: _Bytes, spans: _Ints, tags: _Ids, threads: int) -> _Ids: ...

class ConstituentTrainer:
    def __init__(
        self,
        buffer: _Bytes,
        spans: _Ints,
        word_tags: _Ids,
        kinds: _Bytes,
        bar_of: _Ids,
        lowest: _Ids,
        trees: _Ids,
        cutoff: int,
        rate: float,
        cost: float,
        seed: int,
    ) -> None: ...
    def epoch(self) -> int: ...
    def model(
        self, scale: float, smallest: int
    ) -> tuple[NDArray[np.uint32], _Ints, _Bytes, NDArray[np.int8]]: ...

class SyncGrammar:
    def __init__(self, words: _Texts, sides: _Bytes) -> None: ...
    def __len__(self) -> int: ...
    def add(
        self,
        lhs: _Texts,
        labels: _Texts,
        source: _Texts,
        target: _Texts,
        costs: _Floats,
        threads: int,
    ) -> int: ...
    def finish(self) -> None: ...
    def label(self, name: str) -> int: ...
    def labels(self) -> _Texts: ...
    def inner(self) -> _Bytes: ...
    def known(self) -> _Bytes: ...
    def rule(self, number: int) -> tuple[int, _Ids, _Ids, float]: ...
    def parse(
        self, sources: _Sentences, targets: _Sentences, settings: _SyncSettings, threads: int
    ) -> tuple[_Bytes, _Ints, _Ints]: ...
    def derive(
        self, source: _Sentences, target: _Sentences, settings: _SyncSettings
    ) -> tuple[int, float, _Ints, _Ints, int]: ...

class CubeDecoder:
    def __init__(
        self, grammar: SyncGrammar, model: NgramModel, words: _Texts, lm_ids: _Ids, features: _Singles
    ) -> None: ...
    def decode(
        self,
        words: _Texts,
        grammar_ids: _Ids,
        lm_ids: _Ids,
        lines: _Sentences,
        weights: _Floats,
        settings: tuple[int, int, int, int, bool],
        size: int,
        threads: int,
    ) -> tuple[_Texts, _Ints, _Floats, _Floats]: ...
    def phrases(
        self, grammar_ids: _Ids, line: _Sentences, weights: _Floats, limit: int
    ) -> tuple[_Ids, _Ids, _Ids, _Floats]: ...

def count_cooccurrences(
    ids: _Ids, offsets: _Ints, columns: _Ids, window: int, counts: _Ints, threads: int
) -> None: ...

class BigramCounter:
    def __init__(self) -> None: ...
    def add(self, ids: _Ids, offsets: _Ints) -> None: ...
    def bigrams(self) -> tuple[_Ids, _Ids, _Ints]: ...

class BrownClustering:
    def __init__(
        self, left: _Ids, right: _Ids, counts: _Ints, words: int, clusters: int, threads: int
    ) -> None: ...
    def merge(self, limit: int) -> tuple[_Ids, _Floats]: ...
