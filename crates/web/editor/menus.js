// Text commands, in one table for the toolbar and the keys.
import { toggleMark } from "prosemirror-commands";
import { schema } from "./schema.js";

const { marks } = schema;

/** Name, key and mark. */
export const MARKS = [
  ["Bold", "Mod-b", marks.bold],
  ["Italic", "Mod-i", marks.italic],
  ["Code", "Mod-e", marks.code_text],
  ["Strikethrough", "Mod-Shift-s", marks.strikethrough],
].map(([name, key, mark]) => ({ name, key, mark, command: toggleMark(mark) }));
