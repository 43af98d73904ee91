// The bar above selected text: marks, links and notes.
import { element } from "./element.js";
import { editAnnotation } from "./fields.js";
import { NARROW } from "./late.js";
import { MARKS } from "./menus.js";
import { schema } from "./schema.js";

const { annotation, link } = schema.marks;

/** Returns whether the selected text has a mark. */
export function isOn({ doc, selection, storedMarks }, mark) {
  const { from, to, empty, $from } = selection;
  return empty ? Boolean(mark.isInSet(storedMarks ?? $from.marks())) : doc.rangeHasMark(from, to, mark);
}

/** Asks for a URL and links the selected text, or removes the link. */
export function editLink(view) {
  const { from, to, empty } = view.state.selection;
  if (empty) return false;
  const [existing] = linksIn(view.state);
  const input = element("input", { type: "url", "aria-label": "Address", placeholder: "https://…", value: existing?.attrs.data.ref?.url ?? "" });
  const remove = element("button", { type: "button", class: "btn" }, "Remove link");
  const form = element("form", { method: "dialog" }, input, element("button", { class: "btn primary" }, "Link"), existing ? remove : "");
  const dialog = element("dialog", { class: "dialog", "aria-label": "Link" }, form);
  const close = () => {
    dialog.remove();
    view.focus();
  };
  form.addEventListener("submit", () => {
    const url = input.value.trim();
    const tr = view.state.tr.removeMark(from, to, link);
    if (url) tr.addMark(from, to, link.create({ data: { ref: { kind: "url", url } } }));
    view.dispatch(tr);
  });
  remove.addEventListener("click", () => {
    view.dispatch(view.state.tr.removeMark(from, to, link));
    dialog.close();
  });
  dialog.addEventListener("close", close);
  document.body.append(dialog);
  dialog.showModal();
  input.select();
  return true;
}

function linksIn({ doc, selection: { from, to } }) {
  const found = [];
  doc.nodesBetween(from, to, (node) => {
    const mark = link.isInSet(node.marks);
    if (mark) found.push(mark);
  });
  return found;
}

/** Returns the view of the toolbar. */
export function toolbar(view) {
  const bar = element("div", { class: "selection-bar", role: "toolbar", "aria-label": "Text", hidden: true });
  const buttons = MARKS.map(({ name, key, mark, command }) => {
    const button = element("button", { type: "button", class: "btn ghost", title: `${name} (${key.replace("Mod", "Ctrl")})` }, name);
    button.addEventListener("click", () => {
      command(view.state, view.dispatch);
      view.focus();
    });
    return { button, mark };
  });
  const linking = element("button", { type: "button", class: "btn ghost", title: "Link (Ctrl-K)" }, "Link");
  linking.addEventListener("click", () => editLink(view));
  const noting = element("button", { type: "button", class: "btn ghost", title: "A note on the text" }, "Note");
  noting.addEventListener("click", () => editAnnotation(view));
  bar.append(...buttons.map(({ button }) => button), linking, noting);
  // Keeps the selection.
  bar.addEventListener("mousedown", (event) => event.preventDefault());
  view.dom.after(bar);
  return {
    update() {
      if (!bar.isConnected) view.dom.after(bar);
      const { selection } = view.state;
      const isText = !selection.empty && selection.$from.parent.inlineContent && !selection.node;
      // Narrow screens have the bar above the keyboard instead.
      bar.hidden = !isText || !view.editable || NARROW.matches;
      if (bar.hidden) return;
      for (const { button, mark } of buttons) button.setAttribute("aria-pressed", String(isOn(view.state, mark)));
      linking.setAttribute("aria-pressed", String(isOn(view.state, link)));
      noting.setAttribute("aria-pressed", String(isOn(view.state, annotation)));
      const start = view.coordsAtPos(selection.from);
      bar.style.setProperty("left", `${Math.max(8, Math.min(start.left, window.innerWidth - bar.offsetWidth - 8))}px`);
      bar.style.setProperty("top", `${Math.max(8, start.top - bar.offsetHeight - 6)}px`);
    },
    destroy: () => bar.remove(),
  };
}
