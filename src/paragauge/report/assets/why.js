// Asks for one card after the other as one types, and lights up words that belong together.

(() => {
  const form = document.getElementById("texts");
  const status = document.getElementById("status");
  const absent = document.getElementById("absent");
  const cards = [...document.querySelectorAll(".cards .card")];
  const PAUSE = 300; // milliseconds without a keystroke
  let version = 0;
  let timer = 0;

  const lines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);
  function read() {
    return {
      candidate: form.elements.candidate.value.trim(),
      source: form.elements.source.value.trim(),
      references: lines(form.elements.references.value),
    };
  }

  function isReady(card, texts) {
    return card.dataset.needs.split(" ").every((need) =>
      need === "sources" ? texts.source !== "" : need === "references" ? texts.references.length > 0 : true);
  }

  async function ask(card, texts) {
    const response = await fetch("/explain", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Paragauge-Token": form.dataset.token },
      body: JSON.stringify({ metric: card.dataset.metric, ...texts }),
    });
    return response.json();
  }

  function showAbsent(card, message) {
    card.dataset.absent = "yes";
    card.hidden = true;
    const item = document.createElement("li");
    item.textContent = `${card.dataset.metric}: ${message}`;
    absent.querySelector("ul").append(item);
    absent.hidden = false;
  }

  // One request at a time; newer texts end the round.
  let running = false;
  async function update() {
    version += 1;
    if (running) return;
    running = true;
    for (let round = -1; round !== version;) {
      round = version;
      await showAll(round);
    }
    running = false;
  }

  async function showAll(round) {
    const texts = read();
    const waiting = [];
    for (const card of cards) {
      if (card.dataset.absent) continue;
      const ready = texts.candidate !== "" && isReady(card, texts);
      if (!ready) card.hidden = true;
      else waiting.push(card);
    }
    if (!waiting.length) {
      status.textContent = "Type a candidate, and a source or a reference to compare it with.";
      return;
    }
    for (const card of waiting) card.querySelector(".answer").classList.add("waiting");
    for (const [number, card] of waiting.entries()) {
      status.textContent = `${number} of ${waiting.length} metrics`;
      const answer = card.querySelector(".answer");
      try {
        const result = await ask(card, texts);
        if (round !== version) return;
        if (result.unavailable) { showAbsent(card, result.unavailable); continue; }
        const open = answer.querySelector("details")?.open;
        if (result.error) {
          answer.replaceChildren(Object.assign(document.createElement("p"), { className: "bad", textContent: result.error }));
        } else {
          answer.innerHTML = result.html; // escaped by the server
          if (open) answer.querySelector("details").open = true;
          answer.querySelectorAll(".marked").forEach(link);
        }
      } catch {
        status.textContent = "The server has ended; start paragauge explain --browser again and reload.";
        return;
      }
      card.hidden = false;
      answer.classList.remove("waiting");
    }
    status.textContent = `${waiting.length} metrics`;
  }

  // Words: pointing at one, or moving to it by arrow keys, lights up those of its groups.
  function light(texts, word) {
    const groups = new Set(word ? word.dataset.group.split(" ") : []);
    for (const other of texts.querySelectorAll("[data-group]")) {
      other.classList.toggle("lit", other.dataset.group.split(" ").some((group) => groups.has(group)));
    }
  }
  function link(texts) {
    const words = [...texts.querySelectorAll("[data-group]")];
    words.forEach((word, place) => {
      word.tabIndex = place === 0 ? 0 : -1;
      word.addEventListener("pointerenter", () => light(texts, word));
      word.addEventListener("pointerleave", () => light(texts, null));
      word.addEventListener("focus", () => light(texts, word));
      word.addEventListener("blur", () => light(texts, null));
      word.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        const next = step && words[place + step];
        if (!next) return;
        event.preventDefault();
        word.tabIndex = -1;
        next.tabIndex = 0;
        next.focus();
      });
    });
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    status.textContent = "…";
    clearTimeout(timer);
    timer = setTimeout(update, PAUSE);
  });
  update();
})();
