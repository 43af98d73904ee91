// Schema of the editor, derived from that of documents. A test of the server writes `schema.json`.
//
// Names have `_` for `-`. Each node keeps the `data`, `key` and `meta` of the document's node. Fragments are child
// nodes. Links and annotations are marks.
import { Schema } from "prosemirror-model";
import documents from "./schema.json" with { type: "json" };

export const nameOf = (kind) => kind.replaceAll("-", "_");

const identity = { data: { default: {} }, key: { default: null }, meta: { default: null } };
const cell = {
  colspan: { default: 1 },
  rowspan: { default: 1 },
  colwidth: { default: null },
};
const structural = new Set(documents.structural);

/** Elements of blocks as on published pages. Other blocks are a `div` with their kind as class. */
const ELEMENTS = {
  paragraph: "p",
  "heading-1": "h2",
  "heading-2": "h3",
  "heading-3": "h4",
  "list-ordered": "ol",
  "list-unordered": "ul",
  "list-tasks": "ul",
  "list-item": "li",
  blockquote: "blockquote",
  "code-line": "div",
  divider: "hr",
  stepper: "ol",
  "stepper-step": "li",
};
/** Blocks that keep their type when their text is replaced. */
const DEFINING = new Set(["blockquote", "code", "columns", "expandable", "hint", "images", "stepper", "tabs"]);
/** Blocks that Backspace and Enter do not leave. */
const ISOLATING = new Set(["code", "column", "expandable", "prompt", "stepper-step", "tabs-item", "update"]);

/** Returns the class of a column, as readers see it: with its width in hundredths, in steps of five. */
function columnClass(width) {
  const isShare = width?.unit === "%" && width.value > 0;
  return isShare ? `column w-${5 * Math.min(20, Math.max(1, Math.floor((width.value + 2.5) / 5)))}` : "column";
}

function attributesOf(kind, node) {
  const { data } = node.attrs;
  switch (kind) {
    case "hint":
      return { class: "hint", "data-style": data.style };
    case "list-tasks":
      return { class: "tasks" };
    case "list-item":
      return data.checked === undefined ? {} : { "data-checked": String(data.checked) };
    case "list-ordered":
      return data.start === undefined ? {} : { start: data.start };
    case "code-line":
      return { class: "line" };
    case "column":
      return { class: columnClass(data.width), "data-vertical": data.verticalAlignment };
    case "stepper":
      return { class: kind };
    case "paragraph":
    case "heading-1":
    case "heading-2":
    case "heading-3":
      return data.align === undefined ? {} : { "data-align": data.align };
    default:
      return kind in ELEMENTS ? {} : { class: kind };
  }
}

function contentOf(kind, shape) {
  switch (shape.below) {
    case "inlines":
    case "text":
      return "inline*";
    case "content":
      return "block*";
    case "only":
      return `(${shape.kinds.map(nameOf).join(" | ")})*`;
    case "one":
      return shape.kinds.map(nameOf).join(" | ");
    default:
      return undefined;
  }
}

/** Rules for pasted HTML. */
const PASTED = {
  paragraph: [{ tag: "p" }],
  "heading-1": [{ tag: "h1" }, { tag: "h2" }],
  "heading-2": [{ tag: "h3" }],
  "heading-3": [{ tag: "h4" }, { tag: "h5" }, { tag: "h6" }],
  "list-tasks": [{ tag: "ul.tasks", priority: 60 }],
  "list-unordered": [{ tag: "ul" }],
  "list-ordered": [{ tag: "ol" }],
  "list-item": [{ tag: "li", getAttrs: ({ dataset: { checked } }) => ({ data: checked ? { checked: checked === "true" } : {} }) }],
  hint: [{ tag: "div.hint", getAttrs: ({ dataset: { style } }) => ({ data: { style } }) }],
  blockquote: [{ tag: "blockquote" }],
  divider: [{ tag: "hr" }],
  code: [{ tag: "div.code", getAttrs: ({ dataset: { syntax } }) => ({ data: syntax ? { syntax } : {} }) }],
  "code-line": [{ tag: "div.line", preserveWhitespace: "full" }],
};

function blockSpec(kind, shape) {
  const element = ELEMENTS[kind] ?? "div";
  const isVoid = shape.below === "void";
  return {
    kind,
    attrs: identity,
    group: structural.has(kind) ? undefined : "block",
    content: contentOf(kind, shape),
    atom: isVoid,
    defining: DEFINING.has(kind),
    // A heading that is pasted into an empty paragraph remains a heading.
    definingForContent: DEFINING.has(kind) || kind.startsWith("heading-"),
    isolating: ISOLATING.has(kind),
    code: kind === "code-line",
    marks: kind === "code-line" ? "annotation" : undefined,
    toDOM: (node) => [node.attrs.data.highlighted ? "mark" : element, attributesOf(kind, node), ...(isVoid ? [] : [0])],
    parseDOM: PASTED[kind],
  };
}

/** Titles of mentioned targets by the JSON of the reference: those that the page shows or that were chosen. */
export const titles = new Map();

const SVG = "http://www.w3.org/2000/svg ";

/** Returns the icon with a name, for those who see it or also for those who don't. */
export const iconSpec = (name, more = { "aria-hidden": "true" }) => [`${SVG}svg`, { class: "icon", ...more }, [`${SVG}use`, { href: `#i:${name}` }]];

/** Returns the icon with a name, if the page has its shape. */
const shapeOf = (name) => document.getElementById(`i:${name}`) && iconSpec(name, { role: "img", "aria-label": name });

function inlineSpec(kind) {
  return {
    kind,
    inline: true,
    group: "inline",
    atom: true,
    attrs: identity,
    toDOM: ({ attrs: { data } }) => {
      const attributes = { class: `inline-atom ${kind}`, ...(kind === "button" ? { "data-kind": data.kind } : {}) };
      return ["span", attributes, (kind === "icon" && shapeOf(data.icon)) || shownText(data)];
    },
  };
}

/** Returns the displayed text of an inline node without text. */
function shownText(data) {
  const code = data.code?.split("-").map((point) => String.fromCodePoint(Number.parseInt(point, 16)));
  return code?.join("") ?? data.label ?? data.expression ?? data.formula ?? data.icon ?? data.alt ?? titles.get(JSON.stringify(data.ref)) ?? data.ref?.kind ?? "•";
}

const nodes = {
  doc: { content: "block*", attrs: { data: { default: {} } } },
  text: { group: "inline" },
};
for (const [kind, shape] of Object.entries(documents.blocks)) {
  nodes[nameOf(kind)] = blockSpec(kind, shape);
}
for (const kind of Object.keys(documents.inlines)) {
  if (kind !== "link" && kind !== "annotation") {
    nodes[nameOf(kind)] = inlineSpec(kind);
  }
}

// Paragraphs come first, because the first type fills empty places.
const { paragraph, ...others } = nodes;
const ordered = { doc: nodes.doc, paragraph, ...others };

Object.assign(ordered.expandable, { content: "expandable_title expandable_body", atom: false, parseDOM: [{ tag: "div.expandable" }] });
ordered.expandable.toDOM = () => ["div", { class: "expandable" }, 0];
ordered.expandable_title = {
  content: "paragraph",
  attrs: { key: { default: null } },
  isolating: true,
  toDOM: () => ["summary", 0],
  parseDOM: [{ tag: "summary" }],
};
ordered.expandable_body = {
  content: "block*",
  attrs: { key: { default: null } },
  isolating: true,
  toDOM: () => ["div", { class: "expandable-body" }, 0],
  parseDOM: [{ tag: "div.expandable-body" }],
};
Object.assign(ordered.image, { content: "caption?", atom: false });
Object.assign(ordered.images, { atom: true });
ordered.caption = {
  content: "block*",
  attrs: { key: { default: null } },
  isolating: true,
  toDOM: () => ["figcaption", 0],
};

// Grid with only text columns. Any other table is a `table_atom`.
ordered.table = {
  kind: "table",
  content: "table_head table_row*",
  tableRole: "table",
  isolating: true,
  group: "block",
  attrs: { ...identity, extra: { default: null } },
  toDOM: ({ attrs }) => ["div", { class: attrs.extra?.view.hideHeader ? "table headless" : "table" }, ["table", ["tbody", 0]]],
  parseDOM: [{ tag: "table" }],
};
ordered.table_head = {
  content: "table_header+",
  tableRole: "row",
  toDOM: () => ["tr", { "data-head": "" }, 0],
  parseDOM: [{ tag: "tr[data-head]", priority: 60 }],
};
ordered.table_header = {
  content: "text*",
  marks: "",
  tableRole: "header_cell",
  isolating: true,
  attrs: { ...cell, column: { default: null } },
  toDOM: () => ["th", 0],
  parseDOM: [{ tag: "th" }],
};
ordered.table_row = {
  content: "table_cell+",
  tableRole: "row",
  attrs: { id: { default: null }, record: { default: null } },
  toDOM: () => ["tr", 0],
  parseDOM: [{ tag: "tr" }],
};
ordered.table_cell = {
  content: "block*",
  tableRole: "cell",
  isolating: true,
  attrs: { ...cell, name: { default: null }, key: { default: null }, isAbsent: { default: false } },
  toDOM: () => ["td", 0],
  parseDOM: [{ tag: "td" }],
};
ordered.table_atom = {
  kind: "table",
  group: "block",
  atom: true,
  attrs: { ...identity, fragments: { default: [] } },
  toDOM: () => ["div", { class: "table" }],
};
/** Link without text. */
ordered.link_empty = { inline: true, group: "inline", atom: true, attrs: identity, toDOM: () => ["a", "•"] };

const plain = (tag, pasted = [{ tag }]) => ({ toDOM: () => [tag, 0], parseDOM: pasted });
const marks = {
  link: {
    attrs: identity,
    inclusive: false,
    toDOM: (mark) => ["a", { href: mark.attrs.data.ref?.url ?? "#" }, 0],
    parseDOM: [
      {
        tag: "a[href]",
        getAttrs: (link) => ({ data: { ref: { kind: "url", url: link.getAttribute("href") } } }),
      },
    ],
  },
  annotation: {
    attrs: { ...identity, fragments: { default: [] } },
    inclusive: false,
    toDOM: () => ["span", { class: "annotation" }, 0],
  },
  bold: plain("strong", [{ tag: "strong" }, { tag: "b" }]),
  italic: plain("em", [{ tag: "em" }, { tag: "i" }]),
  strikethrough: plain("s", [{ tag: "s" }, { tag: "del" }]),
  superscript: { ...plain("sup"), excludes: "subscript superscript" },
  subscript: { ...plain("sub"), excludes: "subscript superscript" },
  keyboard: plain("kbd"),
  code_text: { ...plain("code"), kind: "code", code: true },
  color: {
    attrs: { text: { default: "default" }, background: { default: "default" } },
    toDOM: (mark) => ["span", colors(mark.attrs), 0],
  },
  /** Key of a text. It is not inherited by text typed after it. */
  text_key: { attrs: { key: {} }, inclusive: false, toDOM: () => ["span", 0] },
};

function colors({ text, background }) {
  const attributes = {};
  if (text !== "default") attributes["data-color"] = text;
  if (background !== "default") attributes["data-background"] = background;
  return attributes;
}

export const schema = new Schema({ nodes: ordered, marks, topNode: "doc" });
export const shapes = documents.blocks;
