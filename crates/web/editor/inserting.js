// Blocks and inline nodes that can be inserted: the table of the menu that opens on "/".
import { setBlockType, wrapIn } from "prosemirror-commands";
import { wrapInList } from "prosemirror-schema-list";
import { TextSelection } from "prosemirror-state";
import { ABOUT } from "./about.js";
import { editAnnotation, insertWithForm } from "./fields.js";
import { schema } from "./schema.js";
import { pickFiles, requestOf } from "./uploads.js";

const { nodes } = schema;
/** Storage key of the recently used blocks. */
const LAST = "quire-blocks";
/** Number of recently used blocks at the start of the menu. */
const MOST = 3;

const paragraph = () => nodes.paragraph.create();
const tab = (title) => nodes.tabs_item.create({ data: { title } }, paragraph());
const header = (title) => nodes.table_header.create(null, schema.text(title));
const cell = () => nodes.table_cell.create(null, paragraph());
const listing = (data = {}) => nodes.code.create({ data }, nodes.code_line.create());
const today = () => new Date().toLocaleDateString("sv");

/** Command that replaces an empty paragraph by a new block, or inserts it below the current block. */
const insert = (make) => (state, dispatch) => {
  const { $from } = state.selection;
  const node = make();
  if (dispatch) {
    const isEmpty = $from.parent.type === nodes.paragraph && $from.parent.content.size === 0;
    const at = isEmpty ? $from.before() : $from.after();
    const tr = isEmpty ? state.tr.replaceWith(at, $from.after(), node) : state.tr.insert(at, node);
    dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1))).scrollIntoView());
  }
  return true;
};

/** Command that asks for the values of a new node. */
const ask = (type, data, content) => (state, _, view) => {
  insertWithForm(view, type.create({ data }, content?.()), requestOf(state));
  return true;
};

const text = (id) => ({ id, type: "text", title: "", textAlignment: "left" });

/** Command that asks for the first card of a new table. */
const askCards = (state, _, view) => {
  const definition = { c1: text("c1"), c2: text("c2"), c3: { id: "c3", type: "content-ref", title: "" } };
  const shown = { type: "cards", cardSize: "medium", columns: ["c1", "c2"], targetDefinition: "c3" };
  insertWithForm(view, nodes.table_atom.create({ data: { definition, records: {}, view: shown } }), requestOf(state));
  return true;
};

/** Command that types the trigger of another list. */
const type = (sign) => (state, dispatch) => {
  const { $from } = state.selection;
  const before = $from.parent.textBetween(0, $from.parentOffset, null, "￼");
  dispatch?.(state.tr.insertText(before && !/\s$/.test(before) ? ` ${sign}` : sign));
  return true;
};

const openapi = (data) => ({ ...data, ref: { kind: "openapi", spec: "" } });
const hint = (style) => wrapIn(nodes.hint, { data: { style } });
const task = () => nodes.list_tasks.create(null, nodes.list_item.create({ data: { checked: false } }, paragraph()));
const expandable = () => nodes.expandable.create(null, [nodes.expandable_title.create(null, paragraph()), nodes.expandable_body.create(null, paragraph())]);
const stepper = () => nodes.stepper.create(null, [nodes.stepper_step.create(null, paragraph()), nodes.stepper_step.create(null, paragraph())]);
const columns = () => nodes.columns.create(null, [nodes.column.create(null, paragraph()), nodes.column.create(null, paragraph())]);
const table = () => nodes.table.create(null, [nodes.table_head.create(null, [header("Column 1"), header("Column 2")]), nodes.table_row.create(null, [cell(), cell()])]);
const updates = () => nodes.updates.create({ data: { format: "full" } }, nodes.update.create({ data: { date: today() } }, paragraph()));

/** Entries by section: name, keywords, icon, command, and the text that does the same when typed. */
const SECTIONS = {
  Text: [
    ["Paragraph", "text", "pilcrow", setBlockType(nodes.paragraph)],
    ["Heading 1", "h1 title", "heading-1", setBlockType(nodes.heading_1), "#"],
    ["Heading 2", "h2", "heading-2", setBlockType(nodes.heading_2), "###"],
    ["Heading 3", "h3", "heading-3", setBlockType(nodes.heading_3), "####"],
    ["Bulleted list", "ul", "list", wrapInList(nodes.list_unordered), "-"],
    ["Numbered list", "ol", "list-ordered", wrapInList(nodes.list_ordered), "1."],
    ["Task list", "todo check", "list-checks", insert(task)],
    ["Quote", "blockquote", "quote", wrapIn(nodes.blockquote), ">"],
    ["Divider", "hr rule line", "minus", insert(() => nodes.divider.create())],
  ],
  Notes: [
    ["Hint: info", "note callout", "info", hint("info")],
    ["Hint: success", "done callout", "circle-check", hint("success")],
    ["Hint: warning", "caution callout", "triangle-alert", hint("warning")],
    ["Hint: danger", "error callout", "octagon-alert", hint("danger")],
    ["Expandable", "details toggle", "list-collapse", insert(expandable)],
  ],
  Code: [
    ["Code", "pre listing snippet", "code", insert(() => listing())],
    ["Diagram", "mermaid chart flow", "workflow", insert(() => listing({ syntax: "mermaid" }))],
    ["API operation", "openapi swagger endpoint", "braces", ask(nodes.openapi_operation, openapi({ method: "get", path: "" }))],
    ["API schemas", "openapi models", "boxes", ask(nodes.openapi_schemas, openapi({ schemas: [] }))],
    ["API webhook", "openapi", "webhook", ask(nodes.openapi_webhook, openapi({ name: "", method: "post" }))],
  ],
  Layout: [
    ["Tabs", "", "panel-top", insert(() => nodes.tabs.create(null, [tab("First"), tab("Second")]))],
    ["Stepper", "steps", "milestone", insert(stepper)],
    ["Columns", "side", "columns-2", insert(columns)],
    ["Table", "grid", "table", insert(table)],
    ["Cards", "tiles grid links", "layout-grid", askCards],
  ],
  Media: [
    ["Image or file", "picture photo upload attachment", "image", (_, __, view) => pickFiles(view)],
    ["Picture in the line", "image inline", "image-plus", ask(nodes.inline_image, {})],
    ["Embed", "video youtube frame", "square-play", ask(nodes.embed, { url: "" })],
    ["Drawing", "sketch diagram", "pencil", ask(nodes.drawing, {})],
  ],
  Reference: [
    ["Page link", "page", "link", type("[["), "[["],
    ["Card", "page link reference", "square-arrow-out-up-right", ask(nodes.content_ref, {})],
    ["Reusable content", "snippet include", "layers", ask(nodes.reusable_content, {})],
    ["Button", "link action", "mouse-pointer-click", ask(nodes.button, { label: "", kind: "primary" })],
    ["Mention", "person user page", "at-sign", type("@"), "@"],
    ["Emoji", "smiley", "smile", ask(nodes.emoji, {}), ":"],
    ["Icon", "symbol", "star", ask(nodes.icon, {})],
    ["Formula", "math tex latex", "sigma", ask(nodes.math, { formula: "" })],
    ["Formula in the line", "math tex latex inline", "sigma", ask(nodes.inline_math, { formula: "" })],
    ["Expression", "variable computed value", "variable", ask(nodes.expression, { expression: "" })],
    ["Condition", "if visitor adaptive", "split", ask(nodes.if, { expression: "" }, paragraph)],
    ["Annotation", "note footnote", "message-square-text", (_, __, view) => editAnnotation(view)],
    ["Updates", "changelog news dated", "megaphone", insert(updates)],
    ["Prompt", "assistant", "sparkles", ask(nodes.prompt, { description: "" }, listing)],
    ["Block of an integration", "plugin app", "puzzle", ask(nodes.integration, { props: {} })],
  ],
};

/** All entries of the menu. */
export const BLOCKS = Object.entries(SECTIONS).flatMap(([section, entries]) =>
  entries.map(([name, words, icon, command, keys]) => ({ section, name, words, icon, command, keys, about: ABOUT[name] })),
);

/** Returns the names of recently used blocks, latest first. */
function lastNames() {
  try {
    return JSON.parse(localStorage.getItem(LAST)) ?? [];
  } catch {
    return [];
  }
}

/** Returns the recently used blocks. */
export function lastUsed() {
  const found = lastNames().map((name) => BLOCKS.find((block) => block.name === name));
  return found.filter(Boolean).map((block) => ({ ...block, section: "Used last" }));
}

/** Records the use of a block. */
export function use({ name }) {
  try {
    const names = [name, ...lastNames().filter((other) => other !== name)];
    localStorage.setItem(LAST, JSON.stringify(names.slice(0, MOST)));
  } catch {
    // Without storage, the menu has no recently used blocks.
  }
}
