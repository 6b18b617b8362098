// The requester's pages work without this: it adds a box that ticks all rows of a table, and sends a form
// that was clicked twice only once.
"use strict";

for (const form of document.querySelectorAll("form[method=post]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
}
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

for (const all of document.querySelectorAll("[data-choose-all]")) {
  const boxes = all.closest("table").querySelectorAll("tbody input[type=checkbox]");
  all.hidden = boxes.length === 0;
  const show = () => {
    const ticked = Array.from(boxes).filter((box) => box.checked).length;
    all.checked = ticked > 0 && ticked === boxes.length;
    all.indeterminate = ticked > 0 && ticked < boxes.length;
  };
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
    show();
  });
  for (const box of boxes) box.addEventListener("change", show);
  show();
}
