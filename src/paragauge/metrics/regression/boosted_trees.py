"""Regression by gradient-boosted trees (Friedman 2001).

    f(x) = g(base + sum over trees t of  v_t(x)),    g(s) = s  or  1 / (1 + exp(-s))

where v_t(x) is the value of the leaf that x reaches in tree t: at each node above the leaf,
x[feature] <= threshold goes left. scikit-learn learns the trees; predicting needs no library.

Features must be finite numbers when fitting, and must not be NaN when predicting: there are no branches
for missing values.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from paragauge.errors import (
    FileFormatError,
    InputError,
    LengthError,
    MissingExtraError,
    SettingError,
    ShapeError,
    unknown_name,
)
from paragauge.kernels import _native
from paragauge.kernels.layout import Floats, Ids, Ints
from paragauge.text.array_file import read_arrays, write_arrays
from paragauge.text.files import display_name

MAGIC = b"PGTREES1"
Link = Literal["identity", "logistic"]
# The losses of scikit-learn's regression that predict the sum itself.
IDENTITY_LOSSES = ("squared_error", "absolute_error", "quantile")


@dataclass(frozen=True, eq=False)
class BoostedTrees:
    """Trees over the features with these `names`; `link` makes predictions of their sums.

    `roots` [trees] are the numbers of the nodes where trees start. The other arrays have an entry for
    each node: `features` are indices of names, or -1 in a leaf; `left` and `right` are the children,
    which have greater numbers than their parent; `values` are those of leaves. Entries that do not
    apply are not read: the value of an inner node, the threshold and the children of a leaf.

    >>> stump = BoostedTrees(
    ...     ("x",), 1.0, "identity", roots=np.array([0]), features=np.array([0, -1, -1], np.int32),
    ...     thresholds=np.array([0.5, 0.0, 0.0]), left=np.array([1, 0, 0], np.int32),
    ...     right=np.array([2, 0, 0], np.int32), values=np.array([0.0, 10.0, 20.0]))
    >>> stump.predict(np.array([[0.4], [0.5], [0.6]])).tolist()
    [11.0, 11.0, 21.0]
    """

    names: tuple[str, ...]
    base: float
    link: Link
    roots: Ints
    features: Ids
    thresholds: Floats
    left: Ids
    right: Ids
    values: Floats

    def __post_init__(self) -> None:
        if self.link not in get_args(Link):
            raise unknown_name("link", str(self.link), get_args(Link))
        if not math.isfinite(self.base):
            raise InputError(f"the base must be a finite number, found {self.base}")
        for name in ("roots", "features", "thresholds", "left", "right", "values"):
            if getattr(self, name).ndim != 1:
                raise ShapeError(f"boosted trees: {name} must have one dimension")
        self._sums(np.empty((0, len(self.names))), 1)  # checks the trees

    def predict(self, rows: Floats, threads: int = 1) -> Floats:
        """The value for each row of features [n, k]; 0 threads for one per core.

        >>> rows = np.array([[0.0], [1.0], [2.0], [3.0]])
        >>> trees = BoostedTrees.fit(
        ...     ("x",), rows, np.array([5.0, 5.0, 7.0, 7.0]), link="identity", trees=1, leaves=2,
        ...     rate=1.0, least=1, ridge=0.0)
        >>> trees.predict(np.array([[0.5], [9.0]])).tolist()
        [5.0, 7.0]
        """
        _check_rows(self.names, rows)
        sums = self.base + self._sums(rows, threads)
        if self.link == "identity":
            return sums
        with np.errstate(over="ignore"):  # far below 0 the value is 0
            return np.asarray(1.0 / (1.0 + np.exp(-sums)), np.float64)

    def _sums(self, rows: Floats, threads: int) -> Floats:
        try:
            return _native.tree_sums(
                np.ascontiguousarray(rows, np.float64),
                np.ascontiguousarray(self.roots, np.int64),
                np.ascontiguousarray(self.features, np.int32),
                np.ascontiguousarray(self.thresholds, np.float64),
                np.ascontiguousarray(self.left, np.int32),
                np.ascontiguousarray(self.right, np.int32),
                np.ascontiguousarray(self.values, np.float64),
                threads,
            )
        except ValueError as error:
            raise InputError(f"boosted trees: {error}") from None

    @property
    def fingerprint(self) -> str:
        """Eight digits that change with any number of the trees that is read.

        >>> one = BoostedTrees.fit(
        ...     ("x",), np.eye(4)[:, :1], np.arange(4.0), link="identity", trees=1, leaves=2, rate=1.0,
        ...     least=1, ridge=0.0)
        >>> len(one.fingerprint), one.fingerprint == replace(one, base=0.25).fingerprint
        (8, False)
        """
        digest = hashlib.sha256(repr((self.names, self.base, self.link)).encode())
        for name, array in self._file_arrays().items():
            kind = np.float64 if name in ("thresholds", "values") else np.int64
            digest.update(len(array).to_bytes(8, "little") + array.astype(kind).tobytes())
        return digest.hexdigest()[:8]

    def save(self, path: str | Path) -> None:
        """Write a file that `load` reads.

        >>> from tempfile import TemporaryDirectory
        >>> trees = BoostedTrees.fit(
        ...     ("x",), np.eye(4)[:, :1], np.arange(4.0), link="identity", trees=1, leaves=2, rate=1.0,
        ...     least=1, ridge=0.0)
        >>> with TemporaryDirectory() as folder:
        ...     trees.save(Path(folder, "trees.bin"))
        ...     BoostedTrees.load(Path(folder, "trees.bin")).fingerprint == trees.fingerprint
        True
        """
        about = {"names": self.names, "base": self.base, "link": self.link}
        arrays = self._file_arrays()
        for name in ("thresholds", "values"):
            arrays[name] = _narrowest(arrays[name])
        write_arrays(path, MAGIC, about, arrays)

    def _file_arrays(self) -> dict[str, np.ndarray]:
        """What is read of the trees: no thresholds of leaves, no values of other nodes.

        Features are counted from 1, and children from their parent, which keeps numbers small; both are
        0 in a leaf.
        """
        is_leaf, own = self.features < 0, np.arange(len(self.features))
        return {
            "roots": self.roots,
            "features": self.features + 1,
            "left": np.where(is_leaf, 0, self.left - own),
            "right": np.where(is_leaf, 0, self.right - own),
            "thresholds": self.thresholds[~is_leaf].astype(np.float64),
            "values": self.values[is_leaf].astype(np.float64),
        }

    @classmethod
    def load(cls, path: str | Path) -> BoostedTrees:
        """The trees in a file.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "trees.bin")
        ...     _ = path.write_text("no trees")
        ...     BoostedTrees.load(path)
        Traceback (most recent call last):
        paragauge.errors.FileFormatError: ...: expected boosted trees written by paragauge, ...
        """
        about, arrays = read_arrays(path, MAGIC, "boosted trees")
        try:
            integers = {
                name: arrays[name].astype(np.int64) for name in ("roots", "features", "left", "right")
            }
            features = integers["features"] - 1
            is_leaf, own = features < 0, np.arange(len(features))
            thresholds, values = np.zeros(len(features)), np.zeros(len(features))
            if arrays["thresholds"].shape != own[~is_leaf].shape:
                raise ValueError("thresholds")  # noqa: TRY301  # one message for all that is wrong
            if arrays["values"].shape != own[is_leaf].shape:
                raise ValueError("values")  # noqa: TRY301
            thresholds[~is_leaf], values[is_leaf] = arrays["thresholds"], arrays["values"]
            return cls(
                tuple(map(str, about["names"])),
                float(about["base"]),
                about["link"],
                integers["roots"],
                _int32(features),
                thresholds,
                _int32(np.where(is_leaf, 0, integers["left"] + own)),
                _int32(np.where(is_leaf, 0, integers["right"] + own)),
                values,
            )
        except (KeyError, ValueError, TypeError, OverflowError) as error:
            raise FileFormatError(
                display_name(path), None, f"expected boosted trees of this version ({error}); fit again"
            ) from None

    @classmethod
    def fit(
        cls,
        names: Sequence[str],
        rows: Floats,
        goals: Floats,
        *,
        weights: Floats | None = None,
        link: Link,
        trees: int,
        leaves: int,
        rate: float,
        least: int,
        ridge: float,
        columns: float = 1.0,
        seed: int = 7,
    ) -> BoostedTrees:
        """The trees that predict `goals` [n] from `rows` [n, k]; rows count by their `weights` [n].

        With the identity link, the squared error is minimized. With the logistic link, goals are 0 or
        1, the log loss is minimized, and the probability of 1 is predicted. There are `trees` trees of
        at most `leaves` leaves, with at least `least` rows in each leaf; `rate` is the learning rate,
        and `ridge` the penalty on squared values. Each split looks at a random share `columns` of the
        features. If there are more than 200,000 rows, thresholds come
        from a sample drawn with `seed`.

        Values are rounded to 32 bits, so that files are small; thresholds are not.

        >>> rows = np.arange(40.0).reshape(20, 2)
        >>> trees = BoostedTrees.fit(
        ...     ("a", "b"), rows, np.repeat([0.0, 1.0], 10), link="logistic", trees=50, leaves=2,
        ...     rate=0.5, least=1, ridge=1.0)
        >>> trees.predict(rows[[0, 9, 10, 19]]).round(1).tolist()
        [0.0, 0.0, 1.0, 1.0]
        """
        if link not in get_args(Link):
            raise unknown_name("link", str(link), get_args(Link))
        for name, number, smallest in (("trees", trees, 1), ("leaves", leaves, 2), ("least", least, 1)):
            if number < smallest:
                raise SettingError(f"{name} must be {smallest} or more, found {number}")
        if not (0 < rate < math.inf and 0 <= ridge < math.inf):
            raise SettingError(
                f"rate must be more than 0 and ridge not less than 0, found {rate} and {ridge}"
            )
        if not 0 < columns <= 1:
            raise SettingError(f"columns must be above 0 and up to 1, found {columns}")
        _check_data(names, rows, goals, weights)
        if link == "logistic" and set(np.unique(goals).tolist()) != {0.0, 1.0}:
            raise InputError("goals of the logistic link must be 0 or 1, and some of each")
        machine = _scikit_learn_class(link)(
            learning_rate=rate,
            max_iter=trees,
            max_leaf_nodes=leaves,
            min_samples_leaf=least,
            l2_regularization=ridge,
            max_features=columns,
            early_stopping=False,
            random_state=seed,
        )
        machine.fit(rows, goals, sample_weight=weights)
        exact = cls.from_scikit_learn(names, machine)
        return replace(exact, values=exact.values.astype(np.float32).astype(np.float64))

    @classmethod
    def average(cls, ensembles: Sequence[BoostedTrees]) -> BoostedTrees:
        """One ensemble that predicts the mean of several, over the same features, with identity link.

        >>> rows = np.arange(8.0)[:, None]
        >>> options = dict(trees=1, leaves=2, rate=1.0, least=1, ridge=0.0)
        >>> low, high = (
        ...     BoostedTrees.fit(("x",), rows, goals, link="identity", **options)
        ...     for goals in (np.zeros(8), np.ones(8))
        ... )
        >>> BoostedTrees.average([low, high]).predict(rows[:1]).tolist()
        [0.5]
        """
        first = ensembles[0]
        if any((one.names, one.link) != (first.names, "identity") for one in ensembles):
            raise InputError("expected ensembles over the same features with the identity link")
        starts = np.cumsum([0, *(len(one.features) for one in ensembles[:-1])])
        values = np.concatenate([one.values for one in ensembles]) / len(ensembles)
        shifted = {
            name: np.concatenate(
                [getattr(one, name) + start for one, start in zip(ensembles, starts, strict=True)]
            )
            for name in ("roots", "left", "right")
        }
        return cls(
            first.names,
            sum(one.base for one in ensembles) / len(ensembles),
            "identity",
            shifted["roots"],
            np.concatenate([one.features for one in ensembles]),
            np.concatenate([one.thresholds for one in ensembles]),
            shifted["left"].astype(np.int32),
            shifted["right"].astype(np.int32),
            values.astype(np.float32).astype(np.float64),
        )

    @classmethod
    def from_scikit_learn(cls, names: Sequence[str], machine: Any) -> BoostedTrees:
        """The trees of scikit-learn's histogram gradient boosting, with all their digits.

        `machine` is a fitted HistGradientBoostingClassifier of two classes, of which the second's
        probability is predicted, or a HistGradientBoostingRegressor whose loss predicts the sum itself.
        Features that are categories are rejected.

        >>> from sklearn.ensemble import HistGradientBoostingRegressor
        >>> rows = np.arange(100.0).reshape(50, 2)
        >>> machine = HistGradientBoostingRegressor(max_iter=5).fit(rows, rows[:, 0])
        >>> trees = BoostedTrees.from_scikit_learn(("a", "b"), machine)
        >>> bool(np.allclose(trees.predict(rows), machine.predict(rows), rtol=1e-12))
        True
        """
        link: Link = "logistic" if hasattr(machine, "classes_") else "identity"
        if link == "identity" and machine.loss not in IDENTITY_LOSSES:
            raise InputError(
                f"expected one of the losses {', '.join(IDENTITY_LOSSES)}, found {machine.loss!r}"
            )
        if machine.n_trees_per_iteration_ != 1:
            raise InputError(f"expected two classes, found {len(machine.classes_)}")
        nodes_by_tree = [predictor.nodes for (predictor,) in machine._predictors]
        sizes = [len(nodes) for nodes in nodes_by_tree]
        roots = np.cumsum([0, *sizes[:-1]], dtype=np.int64)
        nodes, first = np.concatenate(nodes_by_tree), np.repeat(roots, sizes)
        if nodes["is_categorical"].any():
            raise InputError("expected features that are numbers, found categories")
        is_leaf = nodes["is_leaf"].astype(bool)
        return cls(
            tuple(names),
            float(machine._baseline_prediction.item()),
            link,
            roots,
            np.where(is_leaf, -1, nodes["feature_idx"]).astype(np.int32),
            np.where(is_leaf, 0.0, nodes["num_threshold"]),
            np.where(is_leaf, 0, nodes["left"] + first).astype(np.int32),
            np.where(is_leaf, 0, nodes["right"] + first).astype(np.int32),
            np.where(is_leaf, nodes["value"], 0.0),
        )


def _check_rows(names: Sequence[str], rows: Floats) -> None:
    if rows.ndim != 2 or rows.shape[1] != len(names):
        raise ShapeError(f"expected rows of {len(names)} features, found the shape {rows.shape}")


def _check_data(names: Sequence[str], rows: Floats, goals: Floats, weights: Floats | None) -> None:
    _check_rows(names, rows)
    for what, numbers in (("goals", goals), ("weights", weights)):
        if numbers is not None and numbers.shape != (len(rows),):
            raise LengthError(f"expected {len(rows)} {what}, one for each row, found {numbers.shape}")
        if numbers is not None and not np.isfinite(numbers).all():
            raise InputError(f"{what} must be finite numbers")
    if weights is not None and (weights < 0).any():
        raise InputError("weights must not be negative")
    if not np.isfinite(rows).all():
        name = names[int(np.flatnonzero(~np.isfinite(rows).all(axis=0))[0])]
        raise InputError(f"features must be finite numbers; {name!r} is not in every row")


def _scikit_learn_class(link: Link) -> Any:
    try:
        from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
    except ImportError:
        raise MissingExtraError("scikit-learn", "learn") from None
    return HistGradientBoostingRegressor if link == "identity" else HistGradientBoostingClassifier


def _narrowest(numbers: Floats) -> np.ndarray:
    """The same numbers in 32 bits if that changes none of them."""
    with np.errstate(over="ignore"):
        singles = numbers.astype(np.float32)
    return singles if np.array_equal(singles, numbers) else numbers


def _int32(numbers: Ints) -> Ids:
    """Integers of a file, which could be too large for the kernel and wrap around."""
    if numbers.size and not -(2**31) <= int(numbers.min()) <= int(numbers.max()) < 2**31:
        raise ValueError("numbers of nodes")
    return numbers.astype(np.int32)
