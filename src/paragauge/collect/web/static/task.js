/* Keeps drafts of answers in this browser until they are sent, and adds keys: numbers choose on a scale,
   Ctrl+Enter sends. Everything works without it. */
"use strict";

const DRAFT = "draft ";
const KEYS_OFF = "number keys off";
const WEEK = 7 * 24 * 3600 * 1000;
let shelf = null;
try {
  shelf = window.localStorage;
  shelf.getItem(KEYS_OFF);
} catch { shelf = null; } // The browser allows no storage: no drafts.

const form = document.querySelector("form#answer[data-draft]");
forget(document.body.dataset.forget);
if (form && shelf) keepDraft(form, DRAFT + form.dataset.draft);
if (form) listen(form);

/* Drafts that are no longer needed: all of them, the one that was sent, and those older than a week. */
function forget(which) {
  if (!shelf) return;
  for (const key of Object.keys(shelf).filter((name) => name.startsWith(DRAFT))) {
    let age = WEEK;
    try { age = Date.now() - JSON.parse(shelf.getItem(key)).at; } catch { /* not ours */ }
    if (which === "all" || key === DRAFT + which || !(age < WEEK)) shelf.removeItem(key);
  }
}

function fields(form) {
  return [...form.elements].filter((field) => field.name && !["hidden", "submit"].includes(field.type));
}

function keepDraft(form, key) {
  const back = document.querySelector("[data-draft-back]");
  const draft = form.hasAttribute("data-typed") ? null : shelf.getItem(key);
  if (draft) {
    const values = JSON.parse(draft).values;
    let changed = false;
    for (const field of fields(form)) {
      if (field.type === "radio" || field.type === "checkbox") {
        const on = (values[field.name] || []).includes(field.value);
        changed ||= on !== field.checked;
        field.checked = on;
      } else if (values[field.name]) {
        changed ||= field.value !== values[field.name][0];
        field.value = values[field.name][0];
        if (field.value && field.closest("details")) field.closest("details").open = true;
      }
    }
    if (changed && back) back.hidden = false;
  }
  back?.querySelector("button").addEventListener("click", () => {
    shelf.removeItem(key);
    form.reset();
    back.hidden = true;
    (form.querySelector("textarea, input:not([type=hidden])"))?.focus();
  });
  const save = () => {
    const values = {};
    for (const [name, value] of new FormData(form)) {
      if (name !== "csrf" && typeof value === "string") (values[name] ||= []).push(value);
    }
    try { shelf.setItem(key, JSON.stringify({ at: Date.now(), values })); } catch { /* it is full */ }
  };
  form.addEventListener("input", save);
  form.addEventListener("change", save);
}

function listen(form) {
  const hint = document.querySelector("[data-keys]");
  const choice = hint?.querySelector("input");
  const groups = [...form.querySelectorAll("fieldset")].filter((group) => group.querySelector("[type=radio]"));
  if (hint) hint.hidden = false;
  if (choice) {
    choice.closest("label").hidden = !groups.length;
    choice.checked = !shelf?.getItem(KEYS_OFF);
    choice.addEventListener("change", () => {
      if (choice.checked) shelf?.removeItem(KEYS_OFF);
      else shelf?.setItem(KEYS_OFF, "yes");
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit(form.querySelector("button.primary"));
    } else if (/^[0-9]$/.test(event.key) && choice?.checked) {
      choose(groups, event);
    }
  });
}

/* A number goes to the question in focus, or to the first without an answer; then the next one has it. */
function choose(groups, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("textarea, select, input:not([type=radio], [type=checkbox])")) return;
  const open = (group) => !group.querySelector(":checked");
  const group = event.target.closest("fieldset") || groups.find(open);
  if (!group || !groups.includes(group)) return;
  const options = [...group.querySelectorAll("[type=radio]")];
  const byValue = options.find((option) => option.value === event.key);
  const option = byValue || (isNaN(options[0].value) && options[Number(event.key) - 1]);
  if (!option) return;
  event.preventDefault();
  option.checked = true;
  option.dispatchEvent(new Event("change", { bubbles: true }));
  const next = groups[groups.indexOf(group) + 1];
  const target = next ? next.querySelector(":checked, [type=radio]") : option;
  target.focus();
}
