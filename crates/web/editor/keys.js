// Keys, and text that turns into blocks while typing.
import {
  baseKeymap, chainCommands, joinBackward, lift, selectNodeBackward, setBlockType,
} from "prosemirror-commands";
import { redo, undo } from "prosemirror-history";
import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from "prosemirror-inputrules";
import { keymap } from "prosemirror-keymap";
import { liftListItem, sinkListItem, splitListItem } from "prosemirror-schema-list";
import { TextSelection } from "prosemirror-state";
import { findWrapping } from "prosemirror-transform";
import { parts } from "./later.js";
import { MARKS } from "./menus.js";
import { deleteBlock, duplicateBlock, moveBlock, selectBlock } from "./moves.js";
import { BlockSelection, extend } from "./range.js";
import { schema } from "./schema.js";
import { inTable, ofTable } from "./tables.js";

const { nodes, marks } = schema;

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

/** Returns a change that puts blocks in place of the paragraph at the caret, with the caret in the last of them. */
function replaced({ selection: { $from }, tr }, ...blocks) {
  tr.replaceWith($from.before(), $from.after(), blocks);
  return tr.setSelection(TextSelection.near(tr.doc.resolve(tr.mapping.map($from.after())), -1)).scrollIntoView();
}

/** Enter after the fence of a listing starts it. */
function fence(state, dispatch) {
  const { $from, empty } = state.selection;
  const match = empty && $from.parent.type === nodes.paragraph && /^```([\w+#-]*)$/.exec($from.parent.textContent);
  if (match) dispatch?.(replaced(state, nodes.code.create({ data: match[1] ? { syntax: match[1] } : {} }, nodes.code_line.create())));
  return Boolean(match);
}

/** Turns the block into another kind, by the name in the menu of a block. */
const turn = (name) => (state, dispatch, view) => {
  const run = ({ TURNS }) => TURNS.find(([label]) => label === name)[1](view.state, view.dispatch, view);
  parts().then(run, () => {});
  return true;
};

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
    "Mod-Shift-7": turn("Numbered list"),
    "Mod-Shift-8": turn("Bulleted list"),
    "Mod-Shift-9": turn("Task list"),
    Enter: chainCommands(fence, splitLine, splitListItem(item)),
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

/** Returns the rule that marks the text between two equal signs. */
function between(sign, mark) {
  const [quoted, one] = [sign.replaceAll("*", "\\*"), `[^${sign[0]}\\s]`];
  const pattern = new RegExp(`(^|[\\s(])${quoted}(${one}(?:[^${sign[0]}]*${one})?)${quoted}$`);
  const act = ({ tr }, [, before, text], start, end) => {
    const from = start + before.length;
    // The last character of the sign is not in the document yet.
    tr.delete(from + sign.length + text.length, end).delete(from, from + sign.length);
    return tr.addMark(from, from + text.length, mark.create()).removeStoredMark(mark);
  };
  return new InputRule(pattern, act, { inCodeMark: false });
}

/** Starts a task list with the item at the caret. */
function task({ tr }, [, tick], start, end) {
  const range = tr.delete(start, end).doc.resolve(start).blockRange();
  const wrapping = range?.parent.type !== item && range && findWrapping(range, nodes.list_tasks);
  if (!wrapping) return null;
  wrapping.at(-1).attrs = { data: { checked: tick === "x" } };
  return tr.wrap(range, wrapping);
}

export const signs = inputRules({
  rules: [
    between("**", marks.bold),
    between("*", marks.italic),
    between("`", marks.code_text),
    between("~~", marks.strikethrough),
    new InputRule(/^\[( |x)?\]\s$/, task),
    new InputRule(/^---$/, (state) => replaced(state, nodes.divider.create(), nodes.paragraph.create())),
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
