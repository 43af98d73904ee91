// Parts of the editor that are loaded on demand. See later.js.
import css from "./parts.css";

// Constructed style sheets need no exception in the content security policy.
const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);

export { dropCursor } from "prosemirror-dropcursor";
export { gapCursor } from "prosemirror-gapcursor";
export { tableEditing } from "prosemirror-tables";
export { showConflicts } from "./both-versions.js";
export { changedWords } from "./changed.js";
export { Conflicts } from "./conflicts.js";
export { openForm } from "./fields.js";
export { Bar, found } from "./find.js";
export { moveText } from "./moving.js";
export { showNew } from "./new-atoms.js";
export { RARE } from "./rare.js";
export { openActions } from "./handle-menu.js";
export { listOf } from "./lists.js";
export * as reading from "./reading.js";
export { askToSignIn } from "./sign-in.js";
export { bars } from "./format-bar.js";
export * as tables from "./table-commands.js";
export { editLink } from "./toolbar.js";
export { TURNS } from "./turns.js";
