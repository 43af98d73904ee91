// Commands on whole blocks: selecting, moving, copying, deleting, and turning them into others.
import { setBlockType, wrapIn } from "prosemirror-commands";
import { liftListItem, wrapInList } from "prosemirror-schema-list";
import { NodeSelection, Selection, TextSelection } from "prosemirror-state";
import { between, hasBlocks } from "./range.js";
import { schema } from "./schema.js";

const { nodes } = schema;
/** Nodes whose blocks are not moved on their own. */
const HOLDERS = new Set([nodes.table_cell, nodes.expandable_title, nodes.caption]);
const LISTS = new Set([nodes.list_unordered, nodes.list_ordered, nodes.list_tasks]);

/** Returns the position of the innermost block around a place that can be moved: an item with its first block, a whole table. */
export function blockAround($pos) {
  for (let depth = $pos.depth; depth > 0; depth -= 1) {
    const node = $pos.node(depth);
    const above = $pos.node(depth - 1);
    if (node.type === nodes.list_item) return $pos.before(depth);
    const isFirstOfItem = above.type === nodes.list_item && $pos.index(depth - 1) === 0;
    if (node.type.isInGroup("block") && !isFirstOfItem && !HOLDERS.has(above.type)) return $pos.before(depth);
  }
  return undefined;
}

/** Returns the position of the block that is selected, or that the caret is in; of several, of the first. */
export function currentBlock(state) {
  return hasBlocks(state) ? state.selection.from : blockAround(state.selection.$from);
}

/** Returns where the selected blocks begin and end, or the block that the caret is in. */
function currentBlocks(state) {
  if (hasBlocks(state)) return state.selection;
  const from = blockAround(state.selection.$from);
  return from === undefined ? undefined : { from, to: from + state.doc.nodeAt(from).nodeSize };
}

/** Returns a selection in blocks that are elsewhere now. */
function movedBy(state, doc, by) {
  const { selection } = state;
  if (!hasBlocks(state)) return TextSelection.near(doc.resolve(selection.from + by));
  return selection.node ? between(doc, selection.from + by, selection.from + by) : between(doc, selection.anchor + by, selection.head + by);
}

/** Selects the block of the caret; of a selected block, the one around it. */
export function selectBlock(state, dispatch) {
  const { node, $from } = state.selection;
  const at = blockAround($from) ?? (node ? undefined : currentBlock(state));
  if (at === undefined) return false;
  dispatch?.(state.tr.setSelection(NodeSelection.create(state.doc, at)).scrollIntoView());
  return true;
}

/** Moves blocks past their sibling. A caret in them moves along. */
export const moveBlock = (by) => (state, dispatch) => {
  const { doc } = state;
  const moved = currentBlocks(state);
  if (!moved) return false;
  const { from, to } = moved;
  const sibling = by < 0 ? doc.resolve(from).nodeBefore : doc.resolve(to).nodeAfter;
  if (!sibling) return false;
  if (dispatch) {
    const distance = by * sibling.nodeSize;
    const tr = state.tr.delete(from, to).insert(from + distance, doc.slice(from, to).content);
    dispatch(tr.setSelection(movedBy(state, tr.doc, distance)).scrollIntoView());
  }
  return true;
};

/** Copies blocks below themselves, and leads to the copies. */
export function duplicateBlock(state, dispatch) {
  const copied = currentBlocks(state);
  if (!copied) return false;
  if (dispatch) {
    const { from, to } = copied;
    const copies = [];
    state.doc.slice(from, to).content.forEach((node) => copies.push(node.type.create(node.attrs, node.content, node.marks)));
    const tr = state.tr.insert(to, copies);
    dispatch(tr.setSelection(movedBy(state, tr.doc, to - from)).scrollIntoView());
  }
  return true;
}

/** Deletes blocks, with the list around them if that has no other item. */
export function deleteBlock(state, dispatch) {
  const deleted = currentBlocks(state);
  if (!deleted) return false;
  let { from, to } = deleted;
  let { parent } = state.doc.resolve(from);
  while (LISTS.has(parent.type) && parent.content.size === to - from) {
    from = state.doc.resolve(from).before();
    to = from + parent.nodeSize;
    ({ parent } = state.doc.resolve(from));
  }
  if (dispatch) {
    const tr = state.tr.delete(from, to);
    if (tr.doc.childCount === 0) tr.insert(0, nodes.paragraph.create());
    dispatch(tr.setSelection(Selection.near(tr.doc.resolve(from), -1)).scrollIntoView());
  }
  return true;
}

/** Returns the empty block that follows a block: after an item, an item. */
function emptyAfter(node) {
  const paragraph = nodes.paragraph.create();
  if (node.type !== nodes.list_item) return paragraph;
  const data = node.attrs.data.checked === undefined ? {} : { checked: false };
  return nodes.list_item.create({ data }, paragraph);
}

/** Adds a paragraph below a block, with text to begin with. An empty one is taken as it is. */
export const addBelow = (text) => (state, dispatch) => {
  const at = currentBlock(state);
  if (at === undefined) return false;
  const node = state.doc.nodeAt(at);
  const isEmpty = node.type === nodes.paragraph && node.content.size === 0;
  if (dispatch) {
    const to = isEmpty ? at : at + node.nodeSize;
    const tr = isEmpty ? state.tr : state.tr.insert(to, emptyAfter(node));
    tr.setSelection(TextSelection.near(tr.doc.resolve(to + 1)));
    dispatch(tr.insertText(text).scrollIntoView());
  }
  return true;
};

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

/** What a block can be turned into: name and command. */
export const TURNS = [
  ["Paragraph", inOrder(...plain)],
  ["Heading 1", inOrder(...plain, setBlockType(nodes.heading_1))],
  ["Heading 2", inOrder(...plain, setBlockType(nodes.heading_2))],
  ["Heading 3", inOrder(...plain, setBlockType(nodes.heading_3))],
  ["Bulleted list", inOrder(...plain, wrapInList(nodes.list_unordered))],
  ["Numbered list", inOrder(...plain, wrapInList(nodes.list_ordered))],
  ["Quote", inOrder(...plain, wrapIn(nodes.blockquote))],
  ["Hint", inOrder(...plain, wrapIn(nodes.hint, { data: { style: "info" } }))],
  ["Code", inOrder(...plain, textToListing)],
];
