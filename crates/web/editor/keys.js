// Keys, and text that turns into blocks while typing.
import {
  baseKeymap, chainCommands, joinBackward, lift, selectNodeBackward, setBlockType,
} from "prosemirror-commands";
import { redo, undo } from "prosemirror-history";
import { inputRules, textblockTypeInputRule, wrappingInputRule } from "prosemirror-inputrules";
import { keymap } from "prosemirror-keymap";
import { liftListItem, sinkListItem, splitListItem } from "prosemirror-schema-list";
import { TextSelection } from "prosemirror-state";
import { MARKS } from "./menus.js";
import { deleteBlock, duplicateBlock, moveBlock, selectBlock } from "./moves.js";
import { BlockSelection, extend } from "./range.js";
import { schema } from "./schema.js";
import { inTable, ofTable } from "./tables.js";

const { nodes } = schema;

/** Enter in a listing starts a new line. */
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
  const at = $from.depth > 0 ? $from.after(1) : state.selection.to;
  if (dispatch) {
    const tr = state.tr.insert(at, nodes.paragraph.create());
    dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1))).scrollIntoView());
  }
  return true;
}

/** European layouts use AltGr for characters. Browsers report it as Ctrl-Alt. */
const withoutAltGraph = (command) => (state, dispatch, view) =>
  view?.lastKey?.getModifierState?.("AltGraph") ? false : command(state, dispatch, view);

const item = nodes.list_item;

const isRange = ({ selection }) => selection instanceof BlockSelection;

/** Tab leaves the text while a block is selected, so that Esc and Tab lead out of lists and tables. */
const inText = (command) => (state, dispatch, view) => !state.selection.node && !isRange(state) && command(state, dispatch, view);

/** Deleting several blocks also deletes a list that becomes empty. */
const inRange = (command) => (state, dispatch) => isRange(state) && command(state, dispatch);

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
    Tab: inText(chainCommands(indent, ofTable("toCell", 1), ofTable("addRowAtEnd"), sinkListItem(item))),
    "Shift-Tab": inText(chainCommands(ofTable("toCell", -1), liftListItem(item))),
    Backspace: chainCommands(inRange(deleteBlock), baseKeymap.Backspace, joinBackward, selectNodeBackward, lift),
    Delete: inRange(deleteBlock),
    "Shift-ArrowUp": extend(-1),
    "Shift-ArrowDown": extend(1),
    "Alt-ArrowUp": chainCommands(inTable(ofTable("moveRow", -1)), moveBlock(-1)),
    "Alt-ArrowDown": chainCommands(inTable(ofTable("moveRow", 1)), moveBlock(1)),
    "Alt-Shift-ArrowLeft": inTable(ofTable("moveColumn", -1)),
    "Alt-Shift-ArrowRight": inTable(ofTable("moveColumn", 1)),
    "Mod-d": duplicateBlock,
    Escape: selectBlock,
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
