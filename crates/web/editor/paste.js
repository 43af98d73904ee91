// Copy and paste. The clipboard has the editor's own nodes, or from other programs HTML, Markdown, tables as text, or
// plain text. reading.js, which is loaded with the first paste, converts these.
import { Fragment, Slice } from "prosemirror-model";
import { Plugin } from "prosemirror-state";
import { parts } from "./later.js";
import { schema } from "./schema.js";

const { nodes } = schema;
const OWN = "application/x-quire+json";
const ADDRESS = /^https?:\/\/\S{1,2000}$/;
/** Copies the selection, with the nodes that HTML cannot represent. */
function copy(view, event) {
  if (view.state.selection.empty || !event.clipboardData) return false;
  const slice = view.state.selection.content();
  const { dom, text } = view.serializeForClipboard(slice);
  event.preventDefault();
  event.clipboardData.clearData();
  event.clipboardData.setData("text/html", dom.innerHTML);
  event.clipboardData.setData("text/plain", text);
  event.clipboardData.setData(OWN, JSON.stringify(slice.toJSON()));
  return true;
}

/** Returns the nodes on the clipboard. Undefined if they do not fit the schema. */
function ownSlice(data) {
  const json = data.getData(OWN);
  if (!json) return undefined;
  try {
    return Slice.fromJSON(schema, JSON.parse(json));
  } catch {
    return undefined;
  }
}

/** Pastes text into a listing, line by line. */
function pasteLines(view, text) {
  const lines = text.split(/\r\n?|\n/).map((line) => nodes.code_line.create(null, line ? schema.text(line) : null));
  view.dispatch(view.state.tr.replaceSelection(new Slice(Fragment.from(lines), 1, 1)).scrollIntoView());
  return true;
}

const isPlain = new WeakMap();

/** Module that reads texts and HTML, once loaded. */
let reading;

/** Pastes again when the module is loaded, and as plain text if that fails. */
async function pasteLater(view, data) {
  // The clipboard is readable only during its event.
  const clipboardData = new DataTransfer();
  for (const type of data.types) if (type !== "Files") clipboardData.setData(type, data.getData(type));
  for (const file of data.files) clipboardData.items.add(file);
  const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
  try {
    ({ reading } = await parts());
  } catch {
    // Plain text needs no module.
  }
  if (view.isDestroyed || !view.editable) return;
  isPlain.set(view, !reading);
  if (reading) view.dom.dispatchEvent(event);
  else view.pasteText(clipboardData.getData("text/plain"), event);
  isPlain.set(view, false);
}

export const paste = new Plugin({
  props: {
    handleDOMEvents: {
      copy,
      cut(view, event) {
        if (!view.editable || !copy(view, event)) return false;
        view.dispatch(view.state.tr.deleteSelection().scrollIntoView().setMeta("uiEvent", "cut"));
        return true;
      },
      paste(view, event) {
        const data = event.clipboardData;
        if (reading || !data || isPlain.get(view) || !view.editable || !data.types.some((type) => type.startsWith("text/"))) return false;
        event.preventDefault();
        pasteLater(view, data);
        return true;
      },
      keydown(view, event) {
        isPlain.set(view, event.shiftKey && event.key.toLowerCase() === "v");
        return false;
      },
    },
    transformPastedHTML: (html) => reading.cleaned(html),
    handlePaste(view, event) {
      const data = event.clipboardData;
      if (!data) return false;
      const { selection, tr } = view.state;
      const text = data.getData("text/plain");
      if (selection.$from.parent.type === nodes.code_line && selection.$to.parent.type === nodes.code_line) return pasteLines(view, text);
      if (isPlain.get(view)) return false;
      const insert = (slice) => {
        view.dispatch(tr.replaceSelection(slice).scrollIntoView().setMeta("paste", true).setMeta("uiEvent", "paste"));
        return true;
      };
      const own = ownSlice(data);
      if (own) return insert(own);
      const { from, to, empty, $from } = selection;
      if (!empty && ADDRESS.test(text.trim()) && $from.parent.inlineContent && $from.sameParent(selection.$to)) {
        view.dispatch(tr.addMark(from, to, reading.linkTo(text.trim())));
        return true;
      }
      if (data.types.includes("text/html")) return false;
      if (ADDRESS.test(text.trim()) && $from.parent.inlineContent) return insert(new Slice(Fragment.from(schema.text(text.trim(), [reading.linkTo(text.trim())])), 0, 0));
      const slice = reading.sliceOf(text);
      return slice !== undefined && insert(slice);
    },
  },
});
