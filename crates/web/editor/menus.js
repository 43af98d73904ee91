// Blocks that can be inserted and commands on text: one table for the slash menu, the toolbar and the keys.
import { setBlockType, toggleMark, wrapIn } from "prosemirror-commands";
import { wrapInList } from "prosemirror-schema-list";
import { TextSelection } from "prosemirror-state";
import { insertWithForm } from "./forms.js";
import { schema } from "./schema.js";
import { pickFiles, requestOf } from "./uploads.js";

const { nodes, marks } = schema;

const paragraph = () => nodes.paragraph.create();
const tab = (title) => nodes.tabs_item.create({ data: { title } }, paragraph());
const header = (title) => nodes.table_header.create(null, schema.text(title));
const cell = () => nodes.table_cell.create(null, paragraph());

/** A command that puts a new block in place of an empty paragraph, or else below the current block. */
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

/** A command that asks for the values of a new block or sign. */
const ask = (type, data) => (state, _, view) => {
  insertWithForm(view, type.create({ data }), requestOf(state));
  return true;
};

const openapi = (data) => ({ ...data, ref: { kind: "openapi", spec: "" } });

const hint = (style) => wrapIn(nodes.hint, { data: { style } });

/** Name, other words that find it, and the command. */
export const BLOCKS = [
  ["Paragraph", "text", setBlockType(nodes.paragraph)],
  ["Heading 1", "h1 title", setBlockType(nodes.heading_1)],
  ["Heading 2", "h2", setBlockType(nodes.heading_2)],
  ["Heading 3", "h3", setBlockType(nodes.heading_3)],
  ["Bulleted list", "ul", wrapInList(nodes.list_unordered)],
  ["Numbered list", "ol", wrapInList(nodes.list_ordered)],
  ["Task list", "todo check", insert(() => nodes.list_tasks.create(null, nodes.list_item.create({ data: { checked: false } }, paragraph())))],
  ["Quote", "blockquote", wrapIn(nodes.blockquote)],
  ["Divider", "hr rule line", insert(() => nodes.divider.create())],
  ["Hint: info", "note callout", hint("info")],
  ["Hint: success", "done callout", hint("success")],
  ["Hint: warning", "caution callout", hint("warning")],
  ["Hint: danger", "error callout", hint("danger")],
  ["Expandable", "details toggle", insert(() => nodes.expandable.create(null, [nodes.expandable_title.create(null, paragraph()), nodes.expandable_body.create(null, paragraph())]))],
  ["Code", "pre listing snippet", insert(() => nodes.code.create(null, nodes.code_line.create()))],
  ["Tabs", "", insert(() => nodes.tabs.create(null, [tab("First"), tab("Second")]))],
  ["Stepper", "steps", insert(() => nodes.stepper.create(null, [nodes.stepper_step.create(null, paragraph()), nodes.stepper_step.create(null, paragraph())]))],
  ["Columns", "side", insert(() => nodes.columns.create(null, [nodes.column.create(null, paragraph()), nodes.column.create(null, paragraph())]))],
  ["Table", "grid", insert(() => nodes.table.create(null, [nodes.table_head.create(null, [header("Column 1"), header("Column 2")]), nodes.table_row.create(null, [cell(), cell()])]))],
  ["Image or file", "picture photo upload attachment", (_, __, view) => pickFiles(view)],
  ["Embed", "video youtube frame", ask(nodes.embed, { url: "" })],
  ["Card", "page link reference", ask(nodes.content_ref, {})],
  ["Button", "link action", ask(nodes.button, { label: "", kind: "primary" })],
  ["Formula", "math tex latex", ask(nodes.math, { formula: "" })],
  ["Formula in the line", "math tex latex inline", ask(nodes.inline_math, { formula: "" })],
  ["API operation", "openapi swagger endpoint", ask(nodes.openapi_operation, openapi({ method: "get", path: "" }))],
  ["API schemas", "openapi models", ask(nodes.openapi_schemas, openapi({ schemas: [] }))],
].map(([name, words, command]) => ({ name, words, command }));

/** Name, key, and the mark. */
export const MARKS = [
  ["Bold", "Mod-b", marks.bold],
  ["Italic", "Mod-i", marks.italic],
  ["Code", "Mod-e", marks.code_text],
  ["Strikethrough", "Mod-Shift-s", marks.strikethrough],
].map(([name, key, mark]) => ({ name, key, mark, command: toggleMark(mark) }));

/** Returns the blocks that a query finds: by the start of a word before any other part. */
export function found(query) {
  const wanted = query.trim().toLowerCase();
  const rank = ({ name, words }) => {
    const text = `${name} ${words}`.toLowerCase();
    if (text.split(/[\s:]+/).some((word) => word.startsWith(wanted))) return 0;
    return text.includes(wanted) ? 1 : 2;
  };
  return BLOCKS.map((block) => [rank(block), block])
    .filter(([at]) => at < 2)
    .sort(([a], [b]) => a - b)
    .map(([, block]) => block);
}
