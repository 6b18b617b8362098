// The same as highlight.py, word for word; a test runs both on the same cases.
"use strict";

const MOST_CELLS = 1000000;
const SINGLE = "\\u{3040}-\\u{30FF}\\u{31F0}-\\u{31FF}\\u{3400}-\\u{4DBF}\\u{4E00}-\\u{9FFF}"
  + "\\u{F900}-\\u{FAFF}\\u{20000}-\\u{3FFFF}";
const RUN = `(?:(?![${SINGLE}])[\\p{L}\\p{M}\\p{N}])+`;
const WORD = new RegExp(`(?=[\\p{L}\\p{M}\\p{N}])[${SINGLE}]|${RUN}(?:['’]${RUN})*`, "gu");

function splitWords(text) {
  const pieces = [];
  let start = 0;
  for (const found of text.matchAll(WORD)) {
    if (start < found.index) pieces.push([text.slice(start, found.index), false]);
    pieces.push([found[0], true]);
    start = found.index + found[0].length;
  }
  if (start < text.length) pieces.push([text.slice(start), false]);
  return pieces;
}

const lowered = (pieces) => pieces.filter((piece) => piece[1]).map((piece) => piece[0].toLowerCase());

function commonSubsequence(left, right) {
  const rows = left.length, columns = right.length, wide = columns + 1;
  if (rows * columns > MOST_CELLS) return [];
  const length = new Uint16Array((rows + 1) * wide);
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      length[i * wide + j] = left[i] === right[j]
        ? length[(i + 1) * wide + j + 1] + 1
        : Math.max(length[(i + 1) * wide + j], length[i * wide + j + 1]);
    }
  }
  const pairs = [];
  for (let i = 0, j = 0; i < rows && j < columns;) {
    if (left[i] === right[j]) pairs.push([i++, j++]);
    else if (length[(i + 1) * wide + j] >= length[i * wide + j + 1]) i++;
    else j++;
  }
  return pairs;
}

function withKinds(pieces, kinds) {
  let number = 0;
  return pieces.map(([text, isWord]) => [text, isWord ? kinds[number++] : ""]);
}

function highlight(candidate, sources, references) {
  const pieces = splitWords(candidate), words = lowered(pieces);
  const known = new Set(references.flatMap((text) => lowered(splitWords(text))));
  let best = [], chosen = null, sourcePieces = [];
  sources.forEach((text, number) => {
    const split = splitWords(text), pairs = commonSubsequence(words, lowered(split));
    if (chosen === null || pairs.length > best.length) [chosen, sourcePieces, best] = [number, split, pairs];
  });
  const sourceWords = lowered(sourcePieces);
  const kinds = words.map(() => "new"), sourceKinds = sourceWords.map(() => "deleted");
  for (const [i, j] of best) kinds[i] = sourceKinds[j] = "kept";
  const spare = new Map(), claimed = new Map();
  sourceWords.forEach((word, j) => {
    if (sourceKinds[j] === "deleted") spare.set(word, (spare.get(word) || 0) + 1);
  });
  words.forEach((word, i) => {
    if (kinds[i] === "kept") return;
    if (spare.get(word) > 0) {
      kinds[i] = "moved";
      spare.set(word, spare.get(word) - 1);
      claimed.set(word, (claimed.get(word) || 0) + 1);
    } else if (known.has(word)) kinds[i] = "reference";
  });
  sourceWords.forEach((word, j) => {
    if (sourceKinds[j] === "deleted" && claimed.get(word) > 0) {
      sourceKinds[j] = "moved";
      claimed.set(word, claimed.get(word) - 1);
    }
  });
  return {
    candidate: withKinds(pieces, kinds), source: chosen, sourcePieces: withKinds(sourcePieces, sourceKinds),
  };
}
