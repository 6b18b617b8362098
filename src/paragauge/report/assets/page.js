// The theme, tables that sort, and what must happen before printing.

(() => {
  const themes = ["system", "light", "dark"];
  const button = document.getElementById("theme");
  // Some browsers refuse storage to files; the choice then lasts as long as the page.
  const remembered = () => { try { return localStorage.getItem("paragauge-theme"); } catch { return null; } };
  const remember = (name) => { try { localStorage.setItem("paragauge-theme", name); } catch { /* no storage */ } };

  function setTheme(name) {
    if (name === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    button.textContent = `Theme: ${name}`;
    button.value = name;
  }
  const saved = remembered();
  setTheme(themes.includes(saved) ? saved : "system");
  button.hidden = false;
  button.addEventListener("click", () => {
    const name = themes[(themes.indexOf(button.value) + 1) % themes.length];
    setTheme(name);
    remember(name);
  });

  function compare(a, b, sign) {
    if (a === null || b === null) return (a === null) - (b === null);
    if (typeof a === "number" && typeof b === "number") return sign * (a - b);
    return sign * String(a).localeCompare(String(b), undefined, { numeric: true });
  }

  function valueOf(row, column) {
    const text = row.cells[column].dataset.v;
    if (text === undefined || text === "") return null;
    return Number.isNaN(Number(text)) ? text : Number(text);
  }

  function sortTable(table, column, sign) {
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [valueOf(row, column), row]);
    rows.sort((a, b) => compare(a[0], b[0], sign));
    body.append(...rows.map((row) => row[1]));
    [...table.tHead.rows[0].cells].forEach((cell, i) => {
      if (!cell.firstElementChild) return;
      cell.setAttribute("aria-sort", i !== column ? "none" : sign > 0 ? "ascending" : "descending");
    });
  }

  for (const table of document.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((cell, column) => {
      if (!cell.textContent) return;
      const sorter = document.createElement("button");
      sorter.type = "button";
      sorter.textContent = cell.textContent;
      sorter.addEventListener("click", () => {
        // Numbers begin with the largest, names with the first.
        const numeric = [...table.tBodies[0].rows].some((row) => typeof valueOf(row, column) === "number");
        const now = cell.getAttribute("aria-sort");
        const sign = now === "none" ? (numeric ? -1 : 1) : now === "ascending" ? -1 : 1;
        sortTable(table, column, sign);
      });
      cell.setAttribute("aria-sort", "none");
      cell.replaceChildren(sorter);
    });
  }

  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open]):not(.help)")];
    for (const each of closed) each.open = true;
  });
  addEventListener("afterprint", () => {
    for (const each of closed) each.open = false;
  });
})();
