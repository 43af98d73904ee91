// Reads content from other programs: HTML, Markdown, and tables as text.
import { Fragment, Slice } from "prosemirror-model";
import { blocksOf, isMarkdown, linkTo, tableFrom } from "./markdown.js";
import { schema } from "./schema.js";

const { nodes } = schema;
/** Styles of other programs that represent a mark, and its element. */
const MARKS = [
  [/font-weight:\s*(?:bold|[6-9]\d\d)/i, "b"],
  [/font-style:\s*italic/i, "i"],
  [/text-decoration[^;]*line-through/i, "s"],
];

/** Returns a slice of blocks. Paragraphs at its ends merge with those at the caret. */
function openSlice(blocks) {
  const content = Fragment.from(blocks);
  const depthOf = (node) => (node?.type === nodes.paragraph ? 1 : 0);
  return new Slice(content, depthOf(content.firstChild), depthOf(content.lastChild));
}

/** Returns the rows of a table that was copied as text with tabs. */
function rowsOf(text) {
  const rows = text.replace(/\r?\n$/, "").split(/\r?\n/).map((line) => line.split("\t"));
  return rows.length > 1 && rows[0].length > 1 && rows.every((row) => row.length === rows[0].length) ? rows : undefined;
}

/** Returns the blocks of a table or Markdown. Undefined for other texts. */
export function sliceOf(text) {
  const rows = rowsOf(text);
  if (rows) return new Slice(Fragment.from(tableFrom(rows, [], (cell) => schema.text(cell))), 0, 0);
  return isMarkdown(text) ? openSlice(blocksOf(text)) : undefined;
}

/** Returns a new element. */
function remade(document, name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Gives a table a header and rows of equal length. A layout table is replaced by its content. */
function cleanTable(document, table) {
  const rows = [...table.rows].map((row) => [...row.cells]);
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width < 2 && rows.length < 2) return table.replaceWith(...(rows[0]?.[0]?.childNodes ?? []));
  const made = rows.map((row, index) => {
    const cells = Array.from({ length: width }, (_, at) => {
      const cell = row[at];
      if (index === 0) return remade(document, "th", {}, cell?.textContent.trim() ?? "");
      return remade(document, "td", {}, ...(cell?.childNodes ?? []));
    });
    return remade(document, "tr", index === 0 ? { "data-head": "" } : {}, ...cells);
  });
  return table.replaceWith(remade(document, "table", {}, ...made));
}

/** Converts list paragraphs of Word to lists. */
function cleanWordLists(document) {
  const levelOf = (paragraph) => Number(/mso-list:[^;]*level(\d)/.exec(paragraph.dataset.style)?.[1] ?? 1);
  let open = [];
  for (const paragraph of document.querySelectorAll("p[data-style*='mso-list:']")) {
    const sign = [...paragraph.querySelectorAll("span")].find((span) => /mso-list:\s*ignore/i.test(span.dataset.style ?? ""));
    const name = /^\s*\(?\w{1,3}[.)]/.test(sign?.textContent ?? "") ? "ol" : "ul";
    sign?.remove();
    const follows = open.length > 0 && paragraph.previousElementSibling === open[0];
    open = follows ? open.slice(0, levelOf(paragraph)) : [];
    while (open.length < levelOf(paragraph)) {
      const list = document.createElement(name);
      const around = open.at(-1);
      if (!around) paragraph.before(list);
      else (around.lastElementChild ?? around.appendChild(document.createElement("li"))).append(list);
      open.push(list);
    }
    const item = remade(document, "li", {}, remade(document, "p", {}, ...paragraph.childNodes));
    open.at(-1).append(item);
    paragraph.remove();
  }
}

/** Classes of listings that name their language. */
const LANGUAGE = /(?:^|\s)(?:language-|lang-|highlight-(?:source|text)-)([\w+#-]{1,40})/;

/** Converts preformatted text to a listing. */
function cleanListing(document, listing) {
  const lines = listing.textContent.replace(/\n$/, "").split(/\r?\n/);
  const made = lines.map((line) => remade(document, "div", { class: "line" }, line));
  const named = [listing.firstElementChild, listing, listing.parentElement].map((one) => LANGUAGE.exec(one?.className ?? "")?.[1]);
  const syntax = named.find(Boolean);
  listing.replaceWith(remade(document, "div", { class: "code", ...(syntax ? { "data-syntax": syntax } : {}) }, ...made));
}

/** Marks lists whose items all begin with a box. */
function cleanTasks(document) {
  for (const list of document.querySelectorAll("ul")) {
    const items = [...list.children].filter((item) => item.localName === "li");
    const boxes = items.map((item) => item.querySelector(":scope > input[type=checkbox], :scope > :is(p, label) > input[type=checkbox]"));
    if (items.length === 0 || !boxes.every(Boolean)) continue;
    list.className = "tasks";
    items.forEach((item, index) => (item.dataset.checked = String(boxes[index].checked)));
    boxes.forEach((box) => box.remove());
  }
}

/** Styles of hints by the kinds of GitHub's alerts. */
const ALERTS = { note: "info", tip: "success", important: "info", warning: "warning", caution: "danger" };

/** Converts alerts of GitHub to hints, and folded texts. */
function cleanNotes(document) {
  for (const alert of document.querySelectorAll(".markdown-alert")) {
    const style = ALERTS[/markdown-alert-(\w+)/.exec(alert.className)?.[1]] ?? "info";
    alert.querySelector(".markdown-alert-title")?.remove();
    alert.replaceWith(remade(document, "div", { class: "hint", "data-style": style }, ...alert.childNodes));
  }
  for (const details of [...document.querySelectorAll("details")].reverse()) {
    const title = details.querySelector(":scope > summary");
    const summary = remade(document, "summary", {}, remade(document, "p", {}, title?.textContent.trim() ?? ""));
    title?.remove();
    details.replaceWith(remade(document, "div", { class: "expandable" }, summary, remade(document, "div", { class: "expandable-body" }, ...details.childNodes)));
  }
}

/** Replaces links to Google's redirection by their targets. */
function cleanLinks(document) {
  for (const link of document.querySelectorAll("a[href^='https://www.google.com/url?']")) {
    const target = new URL(link.href).searchParams.get("q");
    if (/^https?:/.test(target ?? "")) link.setAttribute("href", target);
  }
}

/** Converts styles to marks. Headings are bold anyway, and Google Docs wraps everything in a bold element without weight. */
function cleanStyles(document) {
  for (const bold of document.querySelectorAll("b[data-style]")) {
    if (/font-weight:\s*normal/i.test(bold.dataset.style)) bold.replaceWith(...bold.childNodes);
  }
  for (const one of document.querySelectorAll("span[data-style], font[data-style]")) {
    if (one.closest("h1, h2, h3, h4, h5, h6")) continue;
    for (const [style, name] of MARKS) {
      if (style.test(one.dataset.style)) one.append(remade(document, name, {}, ...one.childNodes));
    }
  }
}

/** Returns HTML without style sheets. The content security policy refuses them even in a parsed document. */
function withoutSheets(html) {
  const [before, ...sheets] = html.split(/<style\b/i);
  const afterSheet = (sheet) => sheet.split(/<\/style>/i).slice(1).join("");
  return before + sheets.map(afterSheet).join("");
}

/** Returns HTML of other programs in the form of the schema. HTML of the editor is kept. */
export function cleaned(html) {
  if (html.includes("data-pm-slice")) return html;
  const bare = withoutSheets(html).replace(/(<[a-z][^<>]*\s)style(?=\s*=)/gi, "$1data-style");
  const document = new DOMParser().parseFromString(bare, "text/html");
  for (const one of document.querySelectorAll("script, meta, link, title, template, button, col, colgroup")) one.remove();
  cleanWordLists(document);
  cleanTasks(document);
  cleanNotes(document);
  cleanLinks(document);
  cleanStyles(document);
  for (const listing of document.querySelectorAll("pre")) cleanListing(document, listing);
  // Inner tables first.
  for (const table of [...document.querySelectorAll("table")].reverse()) cleanTable(document, table);
  return document.body.innerHTML;
}

export { linkTo };
