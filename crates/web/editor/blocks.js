// Views of blocks that are more than their text. Until the caret is in a block, it looks as readers see it.
import { DOMSerializer } from "prosemirror-model";
import { Plugin } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";
import { atom, sign } from "./atoms.js";
import { element } from "./element.js";
import { loaded } from "./later.js";
import { iconSpec, schema } from "./schema.js";
import { SIGNS } from "./shown.js";

const { nodes, marks } = schema;

/** Sets a value in the data of a node; an empty text removes it. */
export function setData(view, getPos, name, value) {
  const at = getPos();
  const node = view.state.doc.nodeAt(at);
  if (!node) return;
  const data = { ...node.attrs.data };
  if (value === "" || value === undefined) delete data[name];
  else data[name] = value;
  view.dispatch(view.state.tr.setNodeMarkup(at, null, { ...node.attrs, data }));
}

/** Leads from a field to the text by Enter. */
export function leadBack(input, view) {
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    input.blur();
    view.focus();
  });
}

/**
 * Returns a text in the data of a node that is typed where readers see it. A required one keeps its last value when it
 * is emptied. `shownAs` returns what readers see of a value.
 */
export function words(view, getPos, name, label, empty, { required = false, shownAs = (value) => value, ...attributes } = {}) {
  const input = element("span", { class: "block-words", contenteditable: "plaintext-only", role: "textbox", tabindex: 0, "aria-label": label, "data-empty": empty, ...attributes });
  const valueOf = () => view.state.doc.nodeAt(getPos())?.attrs.data[name] ?? "";
  input.addEventListener("input", () => {
    const value = input.textContent.replace(/\s+/g, " ").trim();
    if (value || !required) setData(view, getPos, name, value);
  });
  // A text that stays the same keeps the caret.
  const show = (value) => input.textContent !== value && (input.textContent = value);
  input.addEventListener("focus", () => show(valueOf()));
  input.addEventListener("blur", () => show(shownAs(valueOf())));
  leadBack(input, view);
  return input;
}

/** Returns a field for one of several values in the data of a node. */
export function choice(view, getPos, name, label, options) {
  const select = element("select", { "aria-label": label, class: "block-field" });
  for (const [value, text] of options) select.append(element("option", { value }, text));
  select.addEventListener("change", () => setData(view, getPos, name, select.value));
  return select;
}

/** Shows a value in a field or text. One that somebody types into is left alone. */
export function fill(input, value = "") {
  if (document.activeElement === input) return;
  if ("value" in input) input.value = value;
  else if (input.textContent !== value) input.textContent = value;
}

/**
 * A view with the parts `dom` and `contentDOM`, and elements around the content, `controls`, which the editor leaves
 * alone. `show` shows the data of a node; `open` shows the content when the caret comes into it.
 */
class View {
  constructor(node, decorations, { controls = [], show, open, ...parts }) {
    Object.assign(this, parts, { type: node.type, controls, show, open });
    for (const control of controls) control.contentEditable = "false";
    this.update(node, decorations);
  }

  update(node, decorations) {
    if (node.type !== this.type) return false;
    this.show?.(node.attrs.data, node);
    if (decorations.some(({ spec }) => spec.isUsed)) this.open?.();
    return true;
  }

  stopEvent({ target }) {
    return this.controls.some((control) => control.contains(target));
  }

  ignoreMutation({ type, target }) {
    return type !== "selection" && ((type === "attributes" && target === this.dom) || !this.contentDOM.contains(target));
  }
}

/** Returns the fields of a block that are shown above it while the caret is in it. */
export const above = (...fields) => element("div", { class: "block-controls" }, ...fields);

function listing({ node, at, shown }) {
  const title = words(...at, "title", "Title of the listing", "Title", { class: "block-words code-title" });
  // Readers see the name of a language, or nothing of one that has none.
  const { syntax: first } = node.attrs.data;
  const nameOfFirst = shown && (shown.querySelector(".code-language")?.textContent ?? "");
  const shownAs = (value) => (value === first ? nameOfFirst ?? value : value);
  const syntax = words(...at, "syntax", "Language of the listing", "Language", { shownAs, class: "block-words code-language" });
  const caption = element("figcaption", {}, title, syntax);
  const contentDOM = element("code");
  const listing = element("pre", {}, contentDOM);
  const cut = shown?.querySelector(".clip");
  const summary = cut?.firstElementChild.cloneNode(true);
  const clip = cut?.cloneNode();
  clip?.append(summary, listing);
  const dom = element("figure", {}, caption, clip ?? listing);
  return {
    dom,
    contentDOM,
    controls: summary ? [caption, summary] : [caption],
    open: () => clip && (clip.open = true),
    show(data) {
      const isDiagram = data.syntax === "mermaid";
      dom.className = isDiagram ? "diagram" : "code";
      title.dataset.empty = isDiagram ? "Diagram" : "Title";
      fill(title, data.title);
      fill(syntax, shownAs(data.syntax));
      listing.toggleAttribute("data-numbers", data.lineNumbers === true);
      listing.toggleAttribute("data-wrap", data.overflow === "wrap");
    },
  };
}

const HINTS = { info: "Note", success: "Tip", warning: "Warning", danger: "Danger" };

/** Returns whether blocks begin with a title: a heading, or a line in bold. */
const isTitled = (first) => /^heading/.test(first?.type.name) || (first?.type === nodes.paragraph && first.firstChild?.marks.some(({ type }) => type === marks.bold));

function hint({ node, at, shown }) {
  const style = choice(...at, "style", "Style of the hint", Object.keys(HINTS).map((name) => [name, name[0].toUpperCase() + name.slice(1)]));
  const { dom: icon } = DOMSerializer.renderSpec(document, iconSpec(""));
  const ownIcon = node.attrs.data.icon && shown?.querySelector(".icon > use").getAttribute("href");
  const contentDOM = element("div");
  const dom = element("div", { class: "hint" }, icon, contentDOM, above(style));
  return {
    dom,
    contentDOM,
    controls: [icon, dom.lastChild],
    show(data, { firstChild }) {
      icon.firstChild.setAttribute("href", ownIcon ?? `#i:q-${data.style}`);
      dom.dataset.style = data.style;
      contentDOM.dataset.label = isTitled(firstChild) ? "" : (HINTS[data.style] ?? HINTS.info);
      style.value = data.style;
    },
  };
}

/**
 * Returns the element of a block that opens. It is no disclosure of the browser: the summary of one takes the focus,
 * and the keys of its text.
 */
const folding = (isOpen, attributes, ...children) => element("div", { open: isOpen, ...attributes }, ...children);

function tab({ at: [view, getPos], shown }) {
  const title = words(view, getPos, "title", "Title of the tab", "Tab");
  const icon = shown?.querySelector(":scope > summary > .icon");
  const strip = element("div", {}, ...(icon ? [icon.cloneNode(true)] : []), title);
  const contentDOM = element("div", { class: "tab" });
  const isFirst = view.state.doc.resolve(getPos()).index() === 0;
  const dom = folding(shown?.open ?? isFirst, {}, strip, contentDOM);
  // A tab that is moved later does not open again.
  if (shown) shown.open = false;
  const open = () => {
    for (const other of dom.parentElement?.children ?? []) other.toggleAttribute("open", other === dom);
  };
  strip.addEventListener("focusin", open);
  strip.addEventListener("click", () => title.focus());
  return { dom, contentDOM, controls: [strip], open, show: (data) => fill(title, data.title) };
}

function expandable({ node, shown }) {
  const dom = folding(shown?.open ?? node.attrs.data.defaultExpanded === true, { class: "expandable" });
  dom.addEventListener("mousedown", (event) => {
    if (event.target !== dom.firstChild) return;
    event.preventDefault();
    dom.toggleAttribute("open");
  });
  return { dom, contentDOM: dom, open: () => dom.setAttribute("open", "") };
}

function item({ at }) {
  const box = element("input", { type: "checkbox", "aria-label": "Done" });
  box.addEventListener("change", () => setData(...at, "checked", box.checked));
  const contentDOM = element("div");
  const dom = element("li", {}, box, contentDOM);
  return {
    dom,
    contentDOM,
    controls: [box],
    show({ checked }) {
      box.hidden = checked === undefined;
      box.checked = checked === true;
      dom.classList.toggle("task", checked !== undefined);
    },
  };
}

const VIEWS = { code: listing, hint, tabs_item: tab, expandable, list_item: item };

/** Blocks with views that are loaded for pages that have them: see rare.js. */
const RARE = ["if", "prompt", "updates", "update"];
/** Blocks of which the editor shows what the server made of them. */
const ATOMS = [
  "math", "file", "drawing", "embed", "content_ref", "reusable_content", "integration", "swagger",
  "openapi_operation", "openapi_schemas", "openapi_webhook", "table_atom", "images",
];
/** Returns whether the editor of a document needs the parts from its start. */
export const needsParts = (json) => /"type":"(if|prompt|updates?)"/.test(JSON.stringify(json));

/**
 * Returns the views of blocks. `shown` has the elements that the server made of blocks, by their nodes; `request` is
 * the address of the change request in the API.
 */
export function blockViews(shown, request) {
  const viewed = (name) => (node, view, getPos, decorations) => {
    const make = VIEWS[name] ?? loaded()?.RARE[name];
    return make && new View(node, decorations, make({ node, at: [view, getPos], shown: shown.get(node)?.[0] }));
  };
  const all = (names, make) => Object.fromEntries(names.map((name) => [name, make(name)]));
  return {
    ...all([...Object.keys(VIEWS), ...RARE], viewed),
    ...all(ATOMS, () => (node) => atom(node, shown.get(node), request)),
    ...all(Object.keys(SIGNS), () => (node) => sign(shown.get(node))),
  };
}

/** Blocks that show more while the caret is in them. */
const USED = new Set(["code", "hint", "tabs_item", "expandable", "table", ...RARE]);

/** Marks the blocks around the caret, once a person has moved it: they are open, and show their fields. */
export const used = new Plugin({
  state: {
    init: () => false,
    apply: (tr, isMoved) => isMoved || tr.selectionSet || tr.docChanged,
  },
  props: {
    decorations(state) {
      if (!this.getState(state)) return null;
      const { doc, selection: { $from, from, to, node } } = state;
      const mark = (start, end) => Decoration.node(start, end, { class: "used" }, { isUsed: true });
      const found = node?.isBlock ? [mark(from, to)] : [];
      for (let depth = $from.depth; depth > 0; depth -= 1) {
        if (USED.has($from.node(depth).type.name)) found.push(mark($from.before(depth), $from.after(depth)));
      }
      return DecorationSet.create(doc, found);
    },
  },
});
