"use strict";
(() => {
  const pageSize = 100;
  const shownItems = 3;
  const collator = new Intl.Collator("en", {numeric: true});

  // element returns a new element. Texts from logs become text nodes only.
  function element(tag, attributes, ...children) {
    const e = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
    e.append(...children);
    return e;
  }

  function code(text) { return element("code", {}, text); }

  function count(n, noun) { return n.toLocaleString("en") + " " + noun + (n === 1 ? "" : "s"); }

  function duration(ns) {
    for (const [unit, size] of [["s", 1e9], ["ms", 1e6], ["µs", 1e3]]) {
      if (ns >= size) return Number((ns / size).toPrecision(3)).toLocaleString("en") + " " + unit;
    }
    return ns + " ns";
  }

  // cost shows a time as far as it is known.
  function cost({ns, atLeast, unknown}) { return unknown ? "–" : (atLeast ? "≥ " : "") + duration(ns); }

  function signature(pieces) {
    const parts = pieces.map((text, i) => i % 2 ? element("mark", {}, text) : text);
    return element("span", {class: "code"}, ...parts);
  }

  // items lists texts with their counts, the most frequent ones.
  function items(list) {
    const lines = list.slice(0, shownItems).map(({text, n}) =>
      element("div", {}, code(text), n > 1 ? " × " + n.toLocaleString("en") : ""));
    if (list.length > shownItems) lines.push(element("div", {}, "and " + count(list.length - shownItems, "other")));
    return lines;
  }

  function places(group) {
    const list = element("dl", {});
    const add = (name, found) => {
      if (found) list.append(element("dt", {}, name), element("dd", {}, ...items(found)));
    };
    add("called at", group.sites);
    add("through", group.wrappers);
    add("inside", group.within);
    add("holds", group.holds);
    return list;
  }

  function cause(group) {
    if (!group.outcome) return [group.cause];
    return [group.cause, element("div", {class: "failed"}, group.outcome)];
  }

  function kind(column) { return column.class || (column.number ? "number" : "text"); }

  // A column says how a table shows and sorts one thing. The first click sorts
  // numbers with the largest first.
  const functionColumns = [
    {title: "Function", key: f => f.name},
    {title: "Traces", key: f => f.traces, number: true, cell: f => [f.traces.toLocaleString("en")]},
    {title: "Retraces", key: f => f.retraces, number: true, cell: f => [f.retraces.toLocaleString("en")]},
    {title: "Time lost", key: f => f.lost.ns, number: true, cell: f => [cost(f.lost)]},
    {title: "Time", key: f => f.own.ns, number: true, cell: f => [cost(f.own)]},
    {title: "With nested", key: f => f.nested.ns, number: true, cell: f => [cost(f.nested)]},
    {title: "Line to change", key: f => f.place, class: "place", cell: f => [f.place ? code(f.place) : "–"]},
    {title: "Top cause of retraces", key: f => f.cause, cell: f => [f.cause || "–"]},
  ];
  const causeColumns = [
    {title: "Retraces", key: c => c.retraces, number: true, cell: c => [c.retraces.toLocaleString("en")]},
    {title: "Time lost", key: c => c.lost.ns, number: true, cell: c => [cost(c.lost)]},
    {title: "Line to change", key: c => c.place || "", class: "place", cell: c => [c.place ? code(c.place) : "–"]},
    {title: "Cause", key: c => c.text, cell: c => [c.text]},
  ];
  const groupColumns = [
    {title: "Order", key: g => g.first, number: true, ascending: true, cell: g => [g.first.toLocaleString("en")]},
    {title: "Signature", key: g => g.signature.join(""), cell: g => [signature(g.signature), g.alike ? element("div", {class: "alike"}, g.alike) : ""]},
    {title: "Traces", key: g => g.traces, number: true, cell: g => [g.traces.toLocaleString("en")]},
    {title: "Time", key: g => g.own.ns, number: true, cell: g => [cost(g.own)]},
    {title: "Cause", key: g => g.cause, cell: cause},
    {title: "Where", key: g => g.sites ? g.sites[0].text : "", cell: g => [places(g)]},
  ];

  // A Table shows rows a page at a time. Its caption names it to screen readers.
  class Table {
    constructor(caption, columns, sorted, descending, makeRows) {
      Object.assign(this, {columns, sorted, descending, makeRows, rows: [], shown: 0});
      this.body = element("tbody", {});
      this.heads = columns.map(column => this.head(column));
      const table = element("table", {}, element("caption", {}, caption),
        element("thead", {}, element("tr", {}, ...this.heads)), this.body);
      this.more = element("button", {type: "button", class: "more"});
      this.more.addEventListener("click", () => this.showMore());
      const region = element("div", {class: "scroll", role: "region", tabindex: "0", "aria-label": caption}, table);
      this.root = element("div", {}, region, this.more);
    }

    head(column) {
      const button = element("button", {type: "button"}, column.title);
      button.addEventListener("click", () => {
        this.descending = this.sorted === column ? !this.descending : Boolean(column.number && !column.ascending);
        this.sorted = column;
        this.show(this.rows);
      });
      return element("th", {scope: "col", class: kind(column)}, button);
    }

    show(rows) {
      const {key, number} = this.sorted;
      const sign = this.descending ? -1 : 1;
      const compare = number ? (a, b) => key(a) - key(b) : (a, b) => collator.compare(key(a), key(b));
      this.rows = rows.toSorted((a, b) => sign * compare(a, b));
      this.heads.forEach((head, i) => {
        if (this.columns[i] === this.sorted) head.setAttribute("aria-sort", this.descending ? "descending" : "ascending");
        else head.removeAttribute("aria-sort");
      });
      this.body.replaceChildren();
      this.shown = 0;
      this.append();
    }

    append() {
      const next = this.rows.slice(this.shown, this.shown + pageSize);
      this.body.append(...next.flatMap(row => this.makeRows(row)));
      this.shown += next.length;
      const left = this.rows.length - this.shown;
      this.more.hidden = left === 0;
      this.more.textContent = `Show ${Math.min(pageSize, left)} more of ${left.toLocaleString("en")}`;
    }

    showMore() {
      const last = this.body.lastElementChild;
      this.append();
      const first = last.nextElementSibling;
      first.tabIndex = -1;
      first.focus(); // the button may be gone
    }
  }

  function cells(columns, row) {
    return columns.map(column => element("td", {class: kind(column)}, ...column.cell(row)));
  }

  const functions = JSON.parse(document.getElementById("data").textContent) || [];
  functions.forEach((f, i) => {
    f.id = "function-" + i;
    const [top, ...others] = f.causes;
    f.place = top && top.place || "";
    f.cause = top ? (others.length ? `${top.retraces} of ${f.retraces}: ` : "") + top.text : "";
    f.text = [f.name, f.pkg, f.cause, f.place].join("\n").toLowerCase();
    for (const g of f.groups) {
      const texts = [...g.sites || [], ...g.wrappers || [], ...g.within || [], ...g.holds || []].map(item => item.text);
      g.text = [f.text, g.signature.join(""), g.alike, g.cause, g.outcome, ...texts].join("\n").toLowerCase();
    }
  });

  const open = new Set();

  // detailTable returns a table whose rows do not open.
  function detailTable(caption, columns, descending, rows) {
    const table = new Table(caption, columns, columns[0], descending, row => [element("tr", {}, ...cells(columns, row))]);
    table.show(rows);
    return table.root;
  }

  // functionRows returns the row of a function and the one that holds its
  // causes and signatures while it is open.
  function functionRows(f) {
    const button = element("button", {type: "button", class: "open", "aria-controls": f.id}, code(f.name));
    const name = element("th", {scope: "row"}, button);
    if (f.pkg) name.append(element("div", {class: "package"}, code(f.pkg)));
    const holder = element("td", {colspan: String(functionColumns.length)});
    const detail = element("tr", {class: "detail", id: f.id}, holder);
    const update = () => {
      button.setAttribute("aria-expanded", String(open.has(f)));
      detail.hidden = !open.has(f);
      if (open.has(f) && !holder.hasChildNodes()) {
        if (f.causes.length) holder.append(detailTable("Causes of retraces of " + f.name, causeColumns, true, f.causes));
        holder.append(detailTable("Signatures of " + f.name, groupColumns, false, f.found));
        if (f.unlisted) holder.append(element("p", {}, "and " + count(f.unlisted, "trace") + " with signatures that are not listed"));
      }
    };
    button.addEventListener("click", () => {
      if (!open.delete(f)) open.add(f);
      update();
    });
    update();
    return [element("tr", {}, name, ...cells(functionColumns.slice(1), f)), detail];
  }

  const table = new Table("Functions", functionColumns, functionColumns[1], true, functionRows);
  const status = document.getElementById("status");

  function search(text) {
    const words = text.toLowerCase().split(/\s+/).filter(word => word);
    const has = haystack => words.every(word => haystack.includes(word));
    let traces = 0;
    const found = functions.filter(f => {
      f.found = has(f.text) ? f.groups : f.groups.filter(g => has(g.text));
      for (const g of f.found) traces += g.traces;
      if (has(f.text)) traces += f.unlisted || 0;
      return has(f.text) || f.found.length > 0;
    });
    table.show(found);
    status.textContent = count(found.length, "function") + ", " + count(traces, "trace") + (words.length ? " found" : "");
  }

  const input = document.getElementById("search");
  let timer;
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => search(input.value), 150); // so that the status is not read at every key
  });
  document.getElementById("functions").append(table.root);
  search(input.value);
})();
