// The parts of the editor that are loaded on demand: see later.js.
export { tableEditing } from "prosemirror-tables";
export { ABOUT } from "./about.js";
export { changedWords } from "./changed.js";
export { Conflicts } from "./conflicts.js";
export { insertWithForm, openForm } from "./fields.js";
export { Bar, found } from "./find.js";
export * as reading from "./reading.js";
export { askToSignIn } from "./sign-in.js";
