// The segment browser. Texts become elements through textContent only, never as markup.

(async () => {
  const PAGE = 20;
  const at = (id) => document.getElementById(id);
  const make = (name, css, ...content) => {
    const element = document.createElement(name);
    if (css) element.className = css;
    element.append(...content);
    return element;
  };

  async function read(element) {
    if (element.type === "application/json") return JSON.parse(element.textContent);
    const text = atob(element.textContent), bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).json();
  }

  const data = await read(at("data"));
  const { systems, metrics, candidates } = data;
  const count = candidates[0].length;
  const listed = (column, i) => (column ? (Array.isArray(column[i]) ? column[i] : [column[i]]) : []);
  const values = data.values.map((each) => each.map(
    (column) => Float64Array.from(column, (value) => (value === null ? NaN : value))));
  delete data.values;

  // Percentiles of a system's segments under a metric, 100 being best; equal scores share their mean.
  const cache = new Map();
  function percentiles(system, metric) {
    const key = `${system} ${metric}`;
    if (cache.has(key)) return cache.get(key);
    const scores = values[system][metric], sign = metrics[metric].higher ? 1 : -1;
    const known = indices().filter((i) => !Number.isNaN(scores[i])).sort((a, b) => sign * (scores[a] - scores[b]));
    const result = new Float64Array(count).fill(NaN);
    for (let start = 0, end = 0; start < known.length; start = end) {
      while (end < known.length && scores[known[end]] === scores[known[start]]) end++;
      const share = known.length > 1 ? 100 * (start + end - 1) / 2 / (known.length - 1) : 50;
      for (let i = start; i < end; i++) result[known[i]] = share;
    }
    cache.set(key, result);
    return result;
  }
  const indices = () => Int32Array.from({ length: count }, (_, i) => i);

  const haystacks = new Array(count);
  function haystack(i) {
    if (haystacks[i] === undefined) {
      const texts = [...listed(data.sources, i), ...listed(data.references, i), ...candidates.map((c) => c[i])];
      haystacks[i] = texts.join("\n").toLowerCase();
    }
    return haystacks[i];
  }

  const sorts = [{ name: "segment number" }];
  metrics.forEach((metric, a) => sorts.push({ name: metric.title, metric: a }));
  if (systems.length > 1) {
    metrics.forEach((metric, a) => sorts.push({ name: `difference in ${metric.title}`, metric: a, rival: true }));
  }
  metrics.forEach((first, a) => metrics.slice(a + 1).forEach((second, b) => sorts.push(
    { name: `disagreement of ${first.title} and ${second.title}`, metric: a, other: a + 1 + b })));

  // A page that was saved with its controls filled is filled anew.
  const fill = (select, names) => select.replaceChildren(...names.map((name, i) => new Option(name, String(i))));
  fill(at("system"), systems);
  fill(at("rival"), systems);
  fill(at("sort"), sorts.map((sort) => sort.name));
  fill(at("metric"), metrics.map((metric) => metric.title));
  // The defaults that a reset goes back to.
  const start = systems.length > 1 && data.baseline === 0 ? 1 : 0;
  at("system").options[start].defaultSelected = true;
  at("rival").options[data.baseline].defaultSelected = true;

  const state = { found: [], page: 0, system: 0, sort: sorts[0], problem: "" };

  function sortKey() {
    const { system, sort } = state;
    if (sort.metric === undefined) return null;
    if (sort.other !== undefined) {
      const first = percentiles(system, sort.metric), second = percentiles(system, sort.other);
      return first.map((value, i) => Math.abs(value - second[i]));
    }
    const mine = values[system][sort.metric];
    if (!sort.rival) return mine;
    const theirs = values[Number(at("rival").value)][sort.metric];
    return mine.map((value, i) => value - theirs[i]);
  }

  function matcher(text) {
    state.problem = "";
    const expression = /^\/(.+)\/$/u.exec(text.trim());
    if (expression) {
      try {
        const pattern = new RegExp(expression[1], "iu");
        return (i) => pattern.test(haystack(i));
      } catch {
        state.problem = "This is no regular expression. ";
        return () => false;
      }
    }
    const words = text.toLowerCase().split(/\s+/u).filter(Boolean);
    return words.length ? (i) => words.every((word) => haystack(i).includes(word)) : null;
  }

  let waiting = 0;
  function update() {
    clearTimeout(waiting);
    state.system = Number(at("system").value);
    state.sort = sorts[Number(at("sort").value)];
    at("rival-label").hidden = !state.sort.rival;
    const matches = matcher(at("search").value);
    const scores = values[state.system][Number(at("metric").value)];
    const low = at("low").valueAsNumber, high = at("high").valueAsNumber;
    let found = indices();
    if (!Number.isNaN(low)) found = found.filter((i) => scores[i] >= low - 1e-9);
    if (!Number.isNaN(high)) found = found.filter((i) => scores[i] <= high + 1e-9);
    if (matches) found = found.filter(matches);
    const key = sortKey(), sign = Number(at("order").value);
    if (key) {
      const known = found.filter((i) => !Number.isNaN(key[i]));
      const unknown = found.filter((i) => Number.isNaN(key[i]));
      known.sort((a, b) => sign * (key[a] - key[b]) || a - b);
      found = new Int32Array(known.length + unknown.length);
      found.set(known);
      found.set(unknown, known.length);
    } else if (sign < 0) found.reverse();
    Object.assign(state, { found, key, page: 0 });
    show();
  }

  function words(pieces) {
    return pieces.map(([text, kind]) => (kind ? make("span", `w ${kind}`, text) : text));
  }

  function row(texts, term, content, scores, css) {
    const text = make("div", `text ${css || ""}`.trim(), ...content);
    text.dir = "auto";
    texts.append(make("div", "term", term), text, make("div", "scores", ...scores));
  }

  const number = (value) => (Number.isNaN(value) ? "none" : value.toFixed(1));

  function card(i) {
    const sources = listed(data.sources, i), references = listed(data.references, i);
    const found = systems.map((_, s) => highlight(candidates[s][i], sources, references));
    const chosen = found[state.system];
    const texts = make("div", "texts");
    sources.forEach((text, n) => row(texts, "source", n === chosen.source ? words(chosen.sourcePieces) : [text], []));
    references.forEach((text) => row(texts, "reference", [text], []));
    systems.forEach((name, s) => {
      const scores = metrics.map((metric, m) => make("span", "", `${metric.title} `, make("b", "", number(values[s][m][i]))));
      const several = systems.length > 1 && s === state.system;
      row(texts, make("bdi", "", name), words(found[s].candidate), scores, several ? "chosen" : "");
    });
    let title = `Segment ${(i + 1).toLocaleString("en")}`;
    const { sort, system } = state;
    if (sort.other !== undefined) {
      const names = [sort.metric, sort.other].map((m) => `${metrics[m].title} ${number(percentiles(system, m)[i])}`);
      title += `: percentiles ${names.join(", ")}`;
    } else if (sort.rival) title += `: ${sort.name} ${number(state.key[i])}`;
    const article = make("article", "card", make("h4", "", title), texts);
    article.tabIndex = -1;
    return article;
  }

  const pageCount = () => Math.max(1, Math.ceil(state.found.length / PAGE));

  function show() {
    const { found } = state, pages = pageCount();
    const shown = found.slice(state.page * PAGE, (state.page + 1) * PAGE);
    at("segment-list").replaceChildren(...Array.from(shown, card));
    const total = count.toLocaleString("en");
    at("status").textContent = `${state.problem}${found.length.toLocaleString("en")} of ${total} segments`;
    at("page").textContent = `Page ${state.page + 1} of ${pages.toLocaleString("en")}`;
    at("previous").disabled = state.page === 0;
    at("next").disabled = state.page === pages - 1;
  }

  function turn(step) {
    const page = state.page + step;
    if (page < 0 || page >= pageCount()) return false;
    state.page = page;
    show();
    return true;
  }

  function move(step) {
    const cards = [...at("segment-list").children];
    let next = cards.indexOf(document.activeElement) + step;
    if (!cards.includes(document.activeElement)) next = step > 0 ? 0 : cards.length - 1;
    if (next < 0 && turn(-1)) next = PAGE - 1;
    else if (next >= cards.length && turn(1)) next = 0;
    const { children } = at("segment-list");
    children[Math.min(Math.max(next, 0), children.length - 1)]?.focus();
  }

  at("controls").addEventListener("submit", (event) => event.preventDefault());
  at("controls").addEventListener("change", update);
  at("controls").addEventListener("reset", () => setTimeout(update));
  at("search").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(update, 120);
  });
  at("previous").addEventListener("click", () => turn(-1));
  at("next").addEventListener("click", () => turn(1));
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea")) return;
    const keys = { j: () => move(1), k: () => move(-1), n: () => turn(1), p: () => turn(-1), "/": () => at("search").focus() };
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });
  at("controls").hidden = false;
  at("pager").hidden = false;
  update();
  document.documentElement.dataset.ready = "yes";

  // Text to search in is made while nothing else happens, so that the first search is quick too.
  let next = 0;
  const prepare = (deadline) => {
    while (next < count && deadline.timeRemaining() > 1) haystack(next++);
    if (next < count) requestIdleCallback(prepare);
  };
  if ("requestIdleCallback" in window) requestIdleCallback(prepare);
})();
