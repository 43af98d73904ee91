// Bar above the on-screen keyboard: blocks, marks, links, lists, comments and undo.
import { undo } from "prosemirror-history";
import { wrapInList } from "prosemirror-schema-list";
import { element } from "./element.js";
import { NARROW } from "./late.js";
import { shape } from "./lists.js";
import { MARKS } from "./menus.js";
import { addBelow } from "./moves.js";
import { schema } from "./schema.js";
import { editLink, isOn, toolbar } from "./toolbar.js";

const { nodes } = schema;

/** Opens a comment on the outermost block with the caret. */
function comment({ selection: { $from }, doc }, _, { dom }) {
  const index = $from.index(0);
  const detail = { key: doc.maybeChild(index)?.attrs.key ?? String(index) };
  dom.dispatchEvent(new CustomEvent("quire:comment", { bubbles: true, detail }));
}

/** Links the selected text, or opens the list of pages for a link. */
function link(state, dispatch, view) {
  if (!editLink(view)) dispatch(state.tr.insertText("[[").scrollIntoView());
}

/** Name, icon, command, and the mark that it toggles. */
const BUTTONS = [
  ["Add a block", "plus", addBelow("/")],
  ...MARKS.filter(({ name }) => name !== "Strikethrough").map(({ name, command, mark }) => [name, name.toLowerCase(), command, mark]),
  ["Link", "link", link],
  ["Bulleted list", "list", wrapInList(nodes.list_unordered)],
  ["Comment", "message-square-text", comment],
  ["Undo", "undo", undo],
];

/** Returns the view of the bar. */
function formatBar(view) {
  const bar = element("div", { class: "format-bar", role: "toolbar", "aria-label": "Format", hidden: true });
  const canComment = document.getElementById("workspace:comment");
  const buttons = BUTTONS.filter(([name]) => name !== "Comment" || canComment).map(([name, icon, command, mark]) => {
    const button = element("button", { type: "button", class: "btn ghost", "aria-label": name }, shape(icon));
    button.addEventListener("click", () => {
      command(view.state, view.dispatch, view);
      if (name !== "Link" && name !== "Comment") view.focus();
    });
    return { button, mark };
  });
  bar.append(...buttons.map(({ button }) => button));
  // Keeps the selection and the keyboard.
  bar.addEventListener("mousedown", (event) => event.preventDefault());
  const { visualViewport: shown } = window;
  /** Positions the bar above the keyboard. */
  const lay = () => {
    const covered = Math.max(0, window.innerHeight - shown.height - shown.offsetTop);
    bar.style.setProperty("bottom", `${covered}px`);
  };
  const update = () => {
    if (!bar.isConnected) view.dom.after(bar);
    const hasFocus = view.hasFocus() || bar.contains(document.activeElement);
    bar.hidden = !NARROW.matches || !view.editable || !hasFocus;
    if (bar.hidden) return;
    lay();
    for (const { button, mark } of buttons) if (mark) button.setAttribute("aria-pressed", String(isOn(view.state, mark)));
  };
  // When an element loses the focus, the next one does not have it yet.
  const later = () => setTimeout(update);
  const watched = [[shown, "resize", lay], [shown, "scroll", lay], [NARROW, "change", update], [view.dom, "focusin", later], [view.dom, "focusout", later], [bar, "focusout", later]];
  for (const [target, name, act] of watched) target.addEventListener(name, act);
  return {
    update,
    destroy() {
      for (const [target, name, act] of watched) target.removeEventListener(name, act);
      bar.remove();
    },
  };
}

/** Returns the views of the toolbar and of this bar. A screen shows one of them. */
export function bars(view) {
  const both = [toolbar(view), formatBar(view)];
  return { update: () => both.forEach((bar) => bar.update()), destroy: () => both.forEach((bar) => bar.destroy()) };
}
