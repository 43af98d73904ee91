// Keys and the signs that become blocks while typing.
import {
  baseKeymap, chainCommands, joinBackward, lift, selectNodeBackward, setBlockType,
} from "prosemirror-commands";
import { redo, undo } from "prosemirror-history";
import { inputRules, textblockTypeInputRule, wrappingInputRule } from "prosemirror-inputrules";
import { keymap } from "prosemirror-keymap";
import { liftListItem, sinkListItem, splitListItem } from "prosemirror-schema-list";
import { TextSelection } from "prosemirror-state";
import { goToNextCell } from "prosemirror-tables";
import { MARKS } from "./menus.js";
import { schema } from "./schema.js";

const { nodes } = schema;

/** Enter in a listing begins a line. */
function splitLine(state, dispatch) {
  if (state.selection.$from.parent.type !== nodes.code_line) return false;
  dispatch?.(state.tr.deleteSelection().split(state.tr.selection.from, 1).scrollIntoView());
  return true;
}

/** Tab in a listing indents. */
function indent(state, dispatch) {
  if (state.selection.$from.parent.type !== nodes.code_line) return false;
  dispatch?.(state.tr.insertText("    "));
  return true;
}

/** Leaves the outermost block for a paragraph below it. */
function leave(state, dispatch) {
  const { $from } = state.selection;
  const at = $from.depth > 0 ? $from.after(1) : $from.pos;
  if (dispatch) {
    const tr = state.tr.insert(at, nodes.paragraph.create());
    dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1))).scrollIntoView());
  }
  return true;
}

/** Moves the block of the caret, at its level, past its sibling. */
const move = (by) => (state, dispatch) => {
  const { $from } = state.selection;
  const depth = $from.depth > 0 ? 1 : 0;
  if (depth === 0) return false;
  const index = $from.index(0);
  const sibling = state.doc.maybeChild(index + by);
  if (!sibling) return false;
  if (dispatch) {
    const from = $from.before(1);
    const node = state.doc.child(index);
    const to = by < 0 ? from - sibling.nodeSize : from + sibling.nodeSize;
    const tr = state.tr.delete(from, from + node.nodeSize).insert(to, node);
    const caret = to + ($from.pos - from);
    dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(caret))).scrollIntoView());
  }
  return true;
};

/** AltGr types characters on European layouts, and is reported as Ctrl-Alt. */
const withoutAltGraph = (command) => (state, dispatch, view) =>
  view?.lastKey?.getModifierState?.("AltGraph") ? false : command(state, dispatch, view);

const item = nodes.list_item;

export const keys = [
  keymap({
    "Mod-z": undo,
    "Mod-y": redo,
    "Mod-Shift-z": redo,
    ...Object.fromEntries(MARKS.map(({ key, command }) => [key, command])),
    "Mod-Alt-0": withoutAltGraph(setBlockType(nodes.paragraph)),
    "Mod-Alt-1": withoutAltGraph(setBlockType(nodes.heading_1)),
    "Mod-Alt-2": withoutAltGraph(setBlockType(nodes.heading_2)),
    "Mod-Alt-3": withoutAltGraph(setBlockType(nodes.heading_3)),
    Enter: chainCommands(splitLine, splitListItem(item)),
    "Mod-Enter": leave,
    Tab: chainCommands(indent, goToNextCell(1), sinkListItem(item)),
    "Shift-Tab": chainCommands(goToNextCell(-1), liftListItem(item)),
    Backspace: chainCommands(baseKeymap.Backspace, joinBackward, selectNodeBackward, lift),
    "Alt-ArrowUp": move(-1),
    "Alt-ArrowDown": move(1),
  }),
  keymap(baseKeymap),
];

export const signs = inputRules({
  rules: [
    textblockTypeInputRule(/^#\s$/, nodes.heading_1),
    textblockTypeInputRule(/^##\s$/, nodes.heading_1),
    textblockTypeInputRule(/^###\s$/, nodes.heading_2),
    textblockTypeInputRule(/^####\s$/, nodes.heading_3),
    wrappingInputRule(/^\s*[-*]\s$/, nodes.list_unordered),
    wrappingInputRule(/^\s*(\d+)\.\s$/, nodes.list_ordered, (match) => {
      const start = Number(match[1]);
      return start === 1 ? null : { data: { start } };
    }),
    wrappingInputRule(/^\s*>\s$/, nodes.blockquote),
  ],
});
