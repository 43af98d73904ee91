// Commands that turn blocks into others: the menu of a block has them.
import { setBlockType, wrapIn } from "prosemirror-commands";
import { liftListItem, wrapInList } from "prosemirror-schema-list";
import { Selection, TextSelection } from "prosemirror-state";
import { currentBlock } from "./moves.js";
import { schema } from "./schema.js";

const { nodes } = schema;

/** Runs commands one after the other as a single change. Those that do not apply are left out. */
export const inOrder = (...commands) => (state, dispatch) => {
  const tr = state.tr;
  let now = state;
  for (const command of commands) {
    command(now, (made) => {
      for (const step of made.steps) tr.step(step);
      tr.setSelection(Selection.fromJSON(tr.doc, made.selection.toJSON()));
      now = state.apply(tr);
    });
  }
  if (tr.docChanged) dispatch?.(tr.scrollIntoView());
  return tr.docChanged;
};

/** Puts the content of a selected quote or hint in place of it. */
function unwrap(state, dispatch) {
  const { node, from, to } = state.selection;
  if (node?.type !== nodes.blockquote && node?.type !== nodes.hint) return false;
  const content = node.childCount > 0 ? node.content : nodes.paragraph.create();
  const tr = state.tr.replaceWith(from, to, content);
  dispatch?.(tr.setSelection(TextSelection.between(tr.doc.resolve(from + 1), tr.doc.resolve(tr.mapping.map(to) - 1))));
  return true;
}

/** Turns a listing into a paragraph for each of its lines. */
function listingToText(state, dispatch) {
  const at = currentBlock(state);
  const node = at === undefined ? undefined : state.doc.nodeAt(at);
  if (node?.type !== nodes.code) return false;
  const made = node.children.map((line) => nodes.paragraph.create(null, line.textContent ? schema.text(line.textContent) : null));
  const tr = state.tr.replaceWith(at, at + node.nodeSize, made.length > 0 ? made : nodes.paragraph.create());
  dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1))));
  return true;
}

/** Turns a block with text into a listing. Marks and signs are dropped. */
function textToListing(state, dispatch) {
  const at = currentBlock(state);
  const node = at === undefined ? undefined : state.doc.nodeAt(at);
  if (!node?.isTextblock) return false;
  const line = nodes.code_line.create(null, node.textContent ? schema.text(node.textContent) : null);
  const tr = state.tr.replaceWith(at, at + node.nodeSize, nodes.code.create(null, line));
  dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(at + 2))));
  return true;
}

/** Lists around an item that it is taken out of. */
const DEEPEST = 8;
const plain = [listingToText, ...Array(DEEPEST).fill(liftListItem(nodes.list_item)), unwrap, setBlockType(nodes.paragraph)];

/** Adds a box to the item of a task list. */
function untick(state, dispatch) {
  const { $from } = state.selection;
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    const node = $from.node(depth);
    if (node.type !== nodes.list_item) continue;
    dispatch?.(state.tr.setNodeMarkup($from.before(depth), null, { ...node.attrs, data: { ...node.attrs.data, checked: false } }));
    return true;
  }
  return false;
}

/** What a block can be turned into: name and command. */
export const TURNS = [
  ["Paragraph", inOrder(...plain)],
  ["Heading 1", inOrder(...plain, setBlockType(nodes.heading_1))],
  ["Heading 2", inOrder(...plain, setBlockType(nodes.heading_2))],
  ["Heading 3", inOrder(...plain, setBlockType(nodes.heading_3))],
  ["Bulleted list", inOrder(...plain, wrapInList(nodes.list_unordered))],
  ["Numbered list", inOrder(...plain, wrapInList(nodes.list_ordered))],
  ["Task list", inOrder(...plain, wrapInList(nodes.list_tasks), untick)],
  ["Quote", inOrder(...plain, wrapIn(nodes.blockquote))],
  ["Hint", inOrder(...plain, wrapIn(nodes.hint, { data: { style: "info" } }))],
  ["Code", inOrder(...plain, textToListing)],
];
