// Find and replace in edited text. Read-only pages have the browser's search.
import { closeHistory } from "prosemirror-history";
import { NodeSelection, TextSelection } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";
import { element } from "./element.js";
import { key } from "./finding.js";

/** Values in the data of nodes that the page shows as text, by node type. */
const SHOWN = { code: "title", tabs_item: "title", button: "label" };
/** Maximum number of matches. */
const MOST = 1_000;

/** Returns a text in lower case, unless that changes its length, since positions of matches refer to the original. */
function folded(text) {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}

function* startsOf(text, wanted) {
  const inside = folded(text);
  for (let at = inside.indexOf(wanted); at >= 0; at = inside.indexOf(wanted, at + wanted.length)) yield at;
}

/**
 * Returns the first 1,000 matches in document order: `{from, to}` in texts, and `{at, name, start, end}` in the data of
 * nodes.
 */
export function matchesIn(doc, query) {
  const wanted = folded(query);
  const found = [];
  if (!wanted) return found;
  doc.descendants((node, at) => {
    if (found.length >= MOST) return false;
    const name = SHOWN[node.type.name];
    const value = name && node.attrs.data[name];
    if (value) for (const start of startsOf(value, wanted)) found.push({ at, name, start, end: start + wanted.length });
    if (!node.isTextblock) return true;
    // An inline node without text has length one.
    const text = node.textBetween(0, node.content.size, null, "\uFFFC");
    for (const start of startsOf(text, wanted)) found.push({ from: at + 1 + start, to: at + 1 + start + wanted.length });
    return true;
  });
  return found.slice(0, MOST);
}

/** Replaces a match. */
function replaceMatch(tr, match, words) {
  if (match.name) {
    const { attrs } = tr.doc.nodeAt(match.at);
    const value = attrs.data[match.name];
    const changed = value.slice(0, match.start) + words + value.slice(match.end);
    return tr.setNodeMarkup(match.at, null, { ...attrs, data: { ...attrs.data, [match.name]: changed } });
  }
  return words ? tr.insertText(words, match.from, match.to) : tr.delete(match.from, match.to);
}

/** Replaces all matches from last to first, so that positions remain valid. */
export function replaceMatches(tr, matches, words) {
  return matches.reduceRight((changed, match) => replaceMatch(changed, match, words), tr);
}

const placeOf = (match) => (match.name ? [match.at, match.start] : [match.from, 0]);

/** Returns the index of the first match from a position on, or of the first match if there is none. */
function indexFrom(matches, [at, start]) {
  const index = matches.findIndex((match) => {
    const [position, inside] = placeOf(match);
    return position > at || (position === at && inside >= start);
  });
  return Math.max(0, index);
}

function decorationsOf(doc, matches, index) {
  return DecorationSet.create(
    doc,
    matches.map((match, at) => {
      const attributes = { class: at === index ? "found current" : "found" };
      if (!match.name) return Decoration.inline(match.from, match.to, attributes);
      return Decoration.node(match.at, match.at + doc.nodeAt(match.at).nodeSize, attributes);
    }),
  );
}

/** Bar with the fields. It is outside the document, so nothing shifts when it opens. */
export class Bar {
  constructor(view) {
    this.view = view;
    this.query = element("input", { type: "search", "aria-label": "Find", placeholder: "Find", maxlength: 200 });
    this.words = element("input", { type: "text", "aria-label": "Replace with", placeholder: "Replace with", maxlength: 2000 });
    this.count = element("p", { role: "status" });
    this.onMatch = [
      this.button("↑", "Previous match", () => this.step(-1)),
      this.button("↓", "Next match", () => this.step(1)),
      this.button("Replace", undefined, () => this.replace()),
      this.button("All", "Replace all", () => this.replaceAll()),
    ];
    const [previous, next, replace, all] = this.onMatch;
    this.dom = element(
      "form",
      { class: "find-bar", role: "search", "aria-label": "Find in the page", hidden: true },
      element("div", {}, this.query, this.count, previous, next, this.button("×", "Close", () => this.close())),
      element("div", {}, this.words, replace, all),
    );
    this.query.addEventListener("input", () => this.search());
    this.dom.addEventListener("submit", (event) => event.preventDefault());
    this.dom.addEventListener("keydown", (event) => this.press(event));
  }

  button(text, label, act) {
    const made = element("button", { type: "button", class: "btn", "aria-label": label, title: label }, text);
    made.addEventListener("click", act);
    return made;
  }

  get found() {
    return key.getState(this.view.state);
  }

  open() {
    const { view } = this;
    if (!this.dom.isConnected) view.dom.after(this.dom);
    const { from, to, empty } = view.state.selection;
    const selected = empty ? "" : view.state.doc.textBetween(from, to, "\n");
    if (selected && selected.length <= 200 && !selected.includes("\n")) this.query.value = selected;
    this.dom.hidden = false;
    this.query.select();
    this.search();
  }

  /** Searches for a text that was typed before the field existed. */
  lookFor(query) {
    this.query.value = query;
    this.search();
  }

  /** Searches for the text in the field, from the caret on. */
  search() {
    const { view } = this;
    const query = this.query.value;
    const index = indexFrom(matchesIn(view.state.doc, query), [view.state.selection.from, 0]);
    view.dispatch(view.state.tr.setMeta(key, { query, index }));
    this.reveal();
  }

  step(by) {
    const { matches, index } = this.found;
    if (matches.length === 0) return;
    this.view.dispatch(this.view.state.tr.setMeta(key, { index: (index + by + matches.length) % matches.length }));
    this.reveal();
  }

  replace() {
    const { view, found } = this;
    const match = found.matches[found.index];
    if (!match || !view.editable) return;
    const words = this.words.value;
    const tr = replaceMatch(closeHistory(view.state.tr), match, words);
    // The replacement may match again, so the search continues after it.
    const [at, start] = placeOf(match);
    const next = match.name ? [at, start + words.length] : [at + words.length, 0];
    view.dispatch(tr.setMeta(key, { index: indexFrom(matchesIn(tr.doc, found.query), next) }));
    this.reveal();
  }

  replaceAll() {
    const { view, found } = this;
    if (found.matches.length === 0 || !view.editable) return;
    view.dispatch(replaceMatches(closeHistory(view.state.tr), found.matches, this.words.value));
    this.count.textContent = `${found.matches.length} replaced`;
  }

  close() {
    const { view, found } = this;
    const match = found?.matches[found.index];
    const tr = view.state.tr.setMeta(key, null);
    if (match?.name) tr.setSelection(NodeSelection.create(tr.doc, match.at));
    else if (match) tr.setSelection(TextSelection.create(tr.doc, match.from, match.to));
    this.dom.hidden = true;
    view.dispatch(tr);
    view.focus();
  }

  press(event) {
    const isFind = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "f";
    if (event.key === "Escape") this.close();
    else if (isFind) this.query.select();
    else if (event.key === "Enter" && event.target === this.query) this.step(event.shiftKey ? -1 : 1);
    else if (event.key === "Enter" && event.target === this.words) this.replace();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Scrolls to the current match. */
  reveal() {
    const { matches, index } = this.found;
    const match = matches[index];
    if (!match) return;
    const { node } = match.name ? { node: this.view.nodeDOM(match.at) } : this.view.domAtPos(match.from);
    const shown = node instanceof Element ? node : node?.parentElement;
    shown?.scrollIntoView({ block: "center" });
  }

  update(view, before) {
    const now = this.found;
    if (!now || now === key.getState(before)) return;
    const { query, matches, index } = now;
    const total = matches.length < MOST ? matches.length : `${MOST} or more`;
    const words = matches.length === 0 ? "Not found" : `${index + 1} of ${total}`;
    this.count.textContent = query ? words : "";
    for (const button of this.onMatch) button.disabled = matches.length === 0;
  }

  destroy() {
    this.dom.remove();
  }
}

/** Returns the matches after a transaction. `null` without a search. */
export function found(tr, before) {
  const set = tr.getMeta(key);
  if (set === null) return null;
  if (!set && (!before || !tr.docChanged)) return before;
  const query = set?.query ?? before.query;
  const isSame = !tr.docChanged && query === before?.query;
  const matches = isSame ? before.matches : matchesIn(tr.doc, query);
  const index = Math.max(0, Math.min(set?.index ?? before.index, matches.length - 1));
  return { query, matches, index, decorations: decorationsOf(tr.doc, matches, index) };
}
