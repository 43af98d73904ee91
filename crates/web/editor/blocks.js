// Views of blocks that are more than their text.
import { parts } from "./later.js";
import { schema } from "./schema.js";

const { nodes } = schema;

/** Returns an element with attributes and children. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** Sets a value in the data of a node; an empty text removes it. */
function setData(view, getPos, name, value) {
  const at = getPos();
  const node = view.state.doc.nodeAt(at);
  if (!node) return;
  const data = { ...node.attrs.data };
  if (value === "" || value === undefined) delete data[name];
  else data[name] = value;
  view.dispatch(view.state.tr.setNodeMarkup(at, null, { ...node.attrs, data }));
}

/** Returns a field for a text in the data of a node. A required one keeps its last value when it is emptied. */
function field(view, getPos, name, label, placeholder, { type = "text", required = false } = {}) {
  const input = element("input", { type, "aria-label": label, placeholder, class: "block-field" });
  input.addEventListener("change", () => {
    const value = input.value.trim();
    if (value || !required) setData(view, getPos, name, value);
    else input.value = view.state.doc.nodeAt(getPos())?.attrs.data[name] ?? "";
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      input.blur();
      view.focus();
    }
  });
  return input;
}

/** Returns a field for one of several values in the data of a node. */
function choice(view, getPos, name, label, options) {
  const select = element("select", { "aria-label": label, class: "block-field" });
  for (const [value, words] of options) select.append(element("option", { value }, words));
  select.addEventListener("change", () => setData(view, getPos, name, select.value));
  return select;
}

/** A view with controls above the content, which the editor leaves alone. */
class WithControls {
  constructor(dom, controls, contentDOM) {
    Object.assign(this, { dom, controls, contentDOM });
    controls.contentEditable = "false";
    dom.append(controls, contentDOM);
  }

  stopEvent(event) {
    return this.controls.contains(event.target);
  }

  ignoreMutation(mutation) {
    return mutation.type !== "selection" && !this.contentDOM.contains(mutation.target);
  }

  /** Shows the values of a node. An input that somebody types into is left alone. */
  show(input, value) {
    if (document.activeElement !== input) input.value = value ?? "";
  }
}

class Listing extends WithControls {
  constructor(node, view, getPos) {
    const title = field(view, getPos, "title", "Title of the listing", "Title");
    const syntax = field(view, getPos, "syntax", "Language of the listing", "Language");
    super(element("figure", { class: "code" }), element("figcaption", {}, title, syntax), element("pre"));
    Object.assign(this, { title, syntax });
    this.update(node);
  }

  update(node) {
    if (node.type !== nodes.code) return false;
    this.show(this.title, node.attrs.data.title);
    this.show(this.syntax, node.attrs.data.syntax);
    return true;
  }
}

class Hint extends WithControls {
  constructor(node, view, getPos) {
    const style = choice(view, getPos, "style", "Style of the hint", ["Info", "Success", "Warning", "Danger"].map((name) => [name.toLowerCase(), name]));
    super(element("div"), element("div", { class: "block-controls" }, style), element("div"));
    this.style = style;
    this.update(node);
  }

  update(node) {
    if (node.type !== nodes.hint) return false;
    this.dom.className = "hint";
    this.dom.dataset.style = node.attrs.data.style;
    this.style.value = node.attrs.data.style;
    return true;
  }
}

/** A block with fields for values in its data, by their names. */
class WithFields extends WithControls {
  constructor(node, dom, fields) {
    super(dom, element("div", { class: "block-controls" }, ...Object.values(fields)), element("div"));
    Object.assign(this, { type: node.type, fields });
    this.update(node);
  }

  update(node) {
    if (node.type !== this.type) return false;
    for (const [name, input] of Object.entries(this.fields)) this.show(input, node.attrs.data[name]);
    return true;
  }
}

const FORMATS = [["full", "January 2, 2030"], ["short", "Jan 2, 2030"], ["numeric", "1/2/2030"]];

/** Makers of the element and the fields of blocks that are shown with fields. */
const FIELDED = {
  tabs_item: (...at) => [element("section", { class: "tab" }), { title: field(...at, "title", "Title of the tab", "Tab") }],
  if: (...at) => [element("section", { class: "condition" }), { expression: field(...at, "expression", "Condition", "Condition", { required: true }) }],
  prompt: (...at) => [element("section", { class: "tab" }), { description: field(...at, "description", "Description of the prompt", "Description", { required: true }) }],
  updates: (...at) => [element("section", { class: "updates" }), { format: choice(...at, "format", "Dates of the updates", FORMATS) }],
  update: (...at) => [element("section", { class: "tab" }), { date: field(...at, "date", "Date of the update", "", { type: "date", required: true }) }],
};

class Item {
  constructor(node, view, getPos) {
    this.box = element("input", { type: "checkbox", contenteditable: "false", "aria-label": "Done" });
    this.box.addEventListener("change", () => setData(view, getPos, "checked", this.box.checked));
    this.contentDOM = element("div");
    this.dom = element("li", {}, this.box, this.contentDOM);
    this.update(node);
  }

  update(node) {
    if (node.type !== nodes.list_item) return false;
    const { checked } = node.attrs.data;
    this.box.hidden = checked === undefined;
    this.box.checked = checked === true;
    this.dom.classList.toggle("task", checked !== undefined);
    return true;
  }

  stopEvent(event) {
    return event.target === this.box;
  }

  ignoreMutation(mutation) {
    return mutation.type !== "selection" && !this.contentDOM.contains(mutation.target);
  }
}

/** Addresses of files, by their ids, as far as the page shows them or they were uploaded. */
export const fileUrls = new Map();

const addressOf = (ref) => (ref?.kind === "url" ? ref.url : fileUrls.get(ref?.file));

/** Returns pictures as the editor shows them after a change. */
function picturesOf(node) {
  return node.children.map((image) => {
    const { ref, alt, width } = image.attrs.data;
    const address = addressOf(ref);
    const shown = address ? element("img", { src: address, alt: alt ?? "", width: typeof width === "number" && width }) : element("p", {}, alt ?? "Picture");
    const caption = image.textContent && element("figcaption", {}, image.textContent);
    return element("figure", { class: "image" }, shown, ...(caption ? [caption] : []));
  });
}

/** Notes the addresses of the pictures that the server has written. */
function note(node, rendered) {
  const shown = [...rendered.querySelectorAll("img")];
  if (shown.length === node.childCount) node.forEach((image, _, at) => fileUrls.set(image.attrs.data.ref?.file, shown[at].src));
}

/** A block that is not typed into: what the server shows of it, and until then its kind and what it refers to. */
class Atom {
  constructor(node, rendered, request) {
    this.dom = element("div", { class: "block-atom", contenteditable: "false" });
    const isPictures = node.type === nodes.images;
    if (rendered && isPictures) note(node, rendered);
    if (rendered) this.dom.append(rendered.cloneNode(true));
    else this.dom.append(...(isPictures ? picturesOf(node) : [element("p", {}, summaryOf(node))]));
    this.calm();
    if (!rendered && !isPictures) this.render(node, request);
    this.dom.addEventListener("click", (event) => event.preventDefault());
  }

  /** Takes links and buttons of the page out of the order of the keyboard: they would lead away from what is typed. */
  calm() {
    for (const link of this.dom.querySelectorAll("a, button, summary, input")) link.tabIndex = -1;
  }

  /** Shows what the server makes of a new block. Without an answer the summary remains. */
  async render(node, request) {
    try {
      const shown = await (await parts()).rendered(request, node);
      if (shown) this.dom.replaceChildren(shown);
      this.calm();
    } catch {
      // The summary says what the block is.
    }
  }

  stopEvent() {
    return false;
  }

  ignoreMutation() {
    return true;
  }
}

function summaryOf(node) {
  const { data } = node.attrs;
  const what = data.url ?? data.formula ?? data.ref?.url ?? data.path ?? data.ref?.kind;
  const kind = node.type.spec.kind.replaceAll("-", " ");
  return what ? `${kind}: ${what}` : kind;
}

/** Blocks of which the editor shows what the server made of them. */
const ATOMS = [
  "math", "file", "drawing", "embed", "content_ref", "reusable_content", "integration", "swagger",
  "openapi_operation", "openapi_schemas", "openapi_webhook", "table_atom", "images",
];

/**
 * Returns the views of blocks. `renderedOf` returns the element that the server made of a block, if there is one; `request` is
 * the address of the change request in the API.
 */
export function blockViews(renderedOf, request) {
  const atom = (node) => new Atom(node, renderedOf(node), request);
  return {
    code: (...all) => new Listing(...all),
    hint: (...all) => new Hint(...all),
    list_item: (...all) => new Item(...all),
    ...Object.fromEntries(Object.entries(FIELDED).map(([name, make]) => [name, (node, ...at) => new WithFields(node, ...make(...at))])),
    ...Object.fromEntries(ATOMS.map((name) => [name, atom])),
  };
}
