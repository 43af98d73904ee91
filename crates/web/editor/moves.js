// Commands on whole blocks: selecting, moving, copying and deleting.
import { NodeSelection, Selection, TextSelection } from "prosemirror-state";
import { between, hasBlocks } from "./range.js";
import { schema } from "./schema.js";

const { nodes } = schema;
/** Nodes whose blocks cannot be moved alone. */
const HOLDERS = new Set([nodes.table_cell, nodes.expandable_title, nodes.caption]);
const LISTS = new Set([nodes.list_unordered, nodes.list_ordered, nodes.list_tasks]);

/** Returns the position of the innermost movable block: an item for its first block, a table for its cells. */
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

/** Returns the position of the selected block or the block with the caret. For several blocks, the first one. */
export function currentBlock(state) {
  return hasBlocks(state) ? state.selection.from : blockAround(state.selection.$from);
}

/** Returns the range of the selected blocks, or of the block with the caret. */
function currentBlocks(state) {
  if (hasBlocks(state)) return state.selection;
  const from = blockAround(state.selection.$from);
  return from === undefined ? undefined : { from, to: from + state.doc.nodeAt(from).nodeSize };
}

/** Returns a selection within blocks that moved. */
function movedBy(state, doc, by) {
  const { selection } = state;
  if (!hasBlocks(state)) return TextSelection.near(doc.resolve(selection.from + by));
  return selection.node ? between(doc, selection.from + by, selection.from + by) : between(doc, selection.anchor + by, selection.head + by);
}

/** Selects the block with the caret, or the parent of a selected block. */
export function selectBlock(state, dispatch) {
  const { node, $from } = state.selection;
  const at = blockAround($from) ?? (node ? undefined : currentBlock(state));
  if (at === undefined) return false;
  dispatch?.(state.tr.setSelection(NodeSelection.create(state.doc, at)).scrollIntoView());
  return true;
}

/** Moves blocks past their sibling, with the caret. */
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

/** Copies blocks below themselves and selects the copies. */
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

/** Deletes blocks, and a list that becomes empty. */
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

/** Returns an empty block to follow a block: after an item, an item. */
function emptyAfter(node) {
  const paragraph = nodes.paragraph.create();
  if (node.type !== nodes.list_item) return paragraph;
  const data = node.attrs.data.checked === undefined ? {} : { checked: false };
  return nodes.list_item.create({ data }, paragraph);
}

/** Adds a paragraph with text below a block, or uses an empty one. */
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
