// The parts of the editor that are loaded on demand: see later.js.
export { tableEditing } from "prosemirror-tables";
export { insertWithForm, openForm } from "./fields.js";
export { Bar, found } from "./find.js";
export * as reading from "./reading.js";
