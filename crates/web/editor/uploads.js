// Pasted, dropped or chosen pictures and files. The text has a placeholder with progress until the server has the file.
// A failed one remains for a retry. Placeholders are not part of the document.
import { Plugin, PluginKey } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";
import { fileUrls } from "./atoms.js";
import { element } from "./element.js";
import { hasForm, openForm, put } from "./forms.js";
import { schema } from "./schema.js";
import { upload } from "./upload.js";

const { nodes } = schema;
const key = new PluginKey("uploads");

/** Returns the API URL of the change request. */
export const requestOf = (state) => key.get(state).spec.request;

const isPicture = (file) => file.type.startsWith("image/");

/** Returns the position of a placeholder, which follows changes. `undefined` if its text was deleted. */
const placeOf = (state, id) => key.getState(state).find(undefined, undefined, (spec) => spec.id === id)[0]?.from;

class Placeholder {
  constructor(view, file, prompts) {
    this.id = {};
    Object.assign(this, { view, file, prompts });
    this.words = element("p", { role: "status" });
    this.bar = element("progress", { max: 1, "aria-label": `Upload of ${file.name}` });
    this.buttons = element("div", { class: "buttons" });
    this.dom = element("div", { class: "upload", contenteditable: "false" }, this.words, this.bar, this.buttons);
  }

  button(label, act) {
    const made = element("button", { type: "button", class: "btn" }, label);
    made.addEventListener("click", act);
    return made;
  }

  async start() {
    const { view, file } = this;
    const stop = new AbortController();
    const form = new FormData();
    form.append("file", file);
    this.words.textContent = `Uploading ${file.name}…`;
    this.bar.hidden = false;
    this.buttons.replaceChildren(this.button("Cancel", () => this.remove(stop)));
    try {
      const onProgress = (part) => (this.bar.value = part);
      const { items } = await upload(`${requestOf(view.state)}/content/files`, form, { onProgress, signal: stop.signal });
      if (!stop.signal.aborted) this.finish(items[0]);
    } catch (error) {
      if (!stop.signal.aborted) this.fail(error);
    }
  }

  fail(error) {
    this.words.textContent = `${this.file.name} was not uploaded. ${error.message}`;
    this.bar.hidden = true;
    this.buttons.replaceChildren(this.button("Try again", () => this.start()), this.button("Remove", () => this.remove()));
  }

  remove(stop) {
    stop?.abort();
    this.view.dispatch(this.view.state.tr.setMeta(key, { remove: this.id }));
    this.view.focus();
  }

  finish({ id, downloadURL }) {
    const { view, file } = this;
    const at = placeOf(view.state, this.id);
    const tr = view.state.tr.setMeta(key, { remove: this.id });
    if (at === undefined) return view.dispatch(tr);
    fileUrls.set(id, downloadURL);
    const ref = { kind: "file", file: id };
    const node = isPicture(file) ? nodes.images.create(null, nodes.image.create({ data: { ref } })) : nodes.file.create({ data: { ref } });
    view.dispatch(put(tr, at, node));
    if (!this.prompts || !hasForm(node)) return undefined;
    let found;
    view.state.doc.descendants((other, position) => {
      if (other === node) found = position;
      return found === undefined;
    });
    return found !== undefined && openForm(view, found, requestOf(view.state));
  }
}

function begin(view, files, at) {
  for (const file of files) {
    // A single picture asks for its description after the upload.
    const placeholder = new Placeholder(view, file, files.length === 1 && isPicture(file));
    view.dispatch(view.state.tr.setMeta(key, { add: placeholder, at }));
    placeholder.start();
  }
}

/** Returns the nearer edge of the text at a position, so that a dropped file does not divide it. */
function edgeOf(doc, at) {
  const $at = doc.resolve(at);
  const { size } = $at.parent.content;
  if (!$at.parent.isTextblock || size === 0) return at;
  return $at.parentOffset * 2 < size ? $at.before() : $at.after();
}

/** Lets the user choose files, and uploads them to the caret. */
export function pickFiles(view) {
  const input = element("input", { type: "file", multiple: true });
  input.addEventListener("change", () => begin(view, [...input.files], view.state.selection.from));
  input.click();
}

/** Returns the plugin. `request` is the API URL of the change request. */
export const uploads = (request) =>
  new Plugin({
    key,
    request,
    state: {
      init: () => DecorationSet.empty,
      apply(tr, set) {
        const moved = set.map(tr.mapping, tr.doc);
        const { add, at, remove } = tr.getMeta(key) ?? {};
        if (add) return moved.add(tr.doc, [Decoration.widget(at, add.dom, { id: add.id, side: 1, stopEvent: () => true, ignoreSelection: true })]);
        if (remove) return moved.remove(moved.find(undefined, undefined, (spec) => spec.id === remove));
        return moved;
      },
    },
    props: {
      decorations(state) {
        return key.getState(state);
      },
      handlePaste(view, event) {
        const files = [...(event.clipboardData?.files ?? [])];
        // Word processors add a picture of copied text.
        if (files.length === 0 || event.clipboardData.types.includes("text/html")) return false;
        begin(view, files, view.state.selection.from);
        return true;
      },
      handleDrop(view, event) {
        const files = [...(event.dataTransfer?.files ?? [])];
        const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos;
        if (files.length === 0 || at === undefined) return false;
        event.preventDefault();
        begin(view, files, edgeOf(view.state.doc, at));
        return true;
      },
      handleDoubleClickOn(view, _, node, at) {
        if (!hasForm(node)) return false;
        openForm(view, at, request);
        return true;
      },
      handleKeyDown(view, event) {
        const { node, from } = view.state.selection;
        if (event.key !== "Enter" || !node || !hasForm(node)) return false;
        openForm(view, from, request);
        return true;
      },
    },
  });
