// Forms for blocks and inline nodes without text: labelled fields for their data. A form makes a single change.
import { closeHistory } from "prosemirror-history";
import { NodeSelection } from "prosemirror-state";
import { element } from "./element.js";
import { readCards, writeCards } from "./cards.js";
import { emojiOf, iconsOf, integrationBlocksOf, mentionsOf, pagesOf, picturesOf, ranked, reusableOf, titled } from "./choices.js";
import { toBlock } from "./convert.js";
import { put } from "./forms.js";
import { schema } from "./schema.js";

const { nodes, marks } = schema;
/** Maximum number of results shown. */
const SHOWN = 50;
const METHODS = ["get", "post", "put", "patch", "delete", "head", "options", "trace"].map((name) => [name, name.toUpperCase()]);
const picture = { name: "ref", label: "Picture of the space", kind: "choice", choices: picturesOf };
const formula = { title: "Formula", fields: [{ name: "formula", label: "Formula (TeX)", kind: "lines", required: true }] };
const spec = { name: "ref.spec", label: "Name of the specification", required: true };

/**
 * Titles and fields of the forms by node type. The name of a field is the path of a value in the data. A field without
 * a name gets its values from its choice.
 */
export const FORMS = {
  math: formula,
  inline_math: formula,
  embed: { title: "Embed", fields: [{ name: "url", label: "Address", kind: "url", required: true }] },
  content_ref: { title: "Card", fields: [{ name: "ref", label: "Page", kind: "target" }] },
  button: {
    title: "Button",
    fields: [
      { name: "label", label: "Label", required: true },
      { name: "ref", label: "Page", kind: "target" },
      { name: "kind", label: "Look", options: [["primary", "Filled"], ["secondary", "Outlined"]] },
    ],
  },
  inline_image: {
    title: "Picture in a line",
    fields: [picture, { name: "alt", label: "Description for those who can't see it" }],
  },
  drawing: { title: "Drawing", fields: [picture] },
  mention: { title: "Mention", fields: [{ name: "ref", label: "Person or page", kind: "choice", choices: mentionsOf }] },
  emoji: { title: "Emoji", fields: [{ name: "code", label: "Emoji", kind: "choice", choices: emojiOf }] },
  icon: { title: "Icon", fields: [{ name: "icon", label: "Icon", kind: "choice", choices: iconsOf }] },
  expression: { title: "Expression", fields: [{ name: "expression", label: "Expression", required: true }] },
  if: { title: "Condition", fields: [{ name: "expression", label: "Shown to visitors for whom this is true", required: true }] },
  prompt: { title: "Prompt", fields: [{ name: "description", label: "Description", required: true }] },
  reusable_content: { title: "Reusable content", fields: [{ name: "ref", label: "Content", kind: "choice", choices: reusableOf }] },
  integration: { title: "Block of an integration", fields: [{ label: "Block", kind: "choice", choices: integrationBlocksOf }] },
  openapi_operation: {
    title: "API operation",
    fields: [spec, { name: "method", label: "Method", options: METHODS }, { name: "path", label: "Path", required: true }],
  },
  openapi_webhook: {
    title: "Webhook",
    fields: [spec, { name: "name", label: "Name", required: true }, { name: "method", label: "Method", options: METHODS }],
  },
  openapi_schemas: {
    title: "API schemas",
    fields: [spec, { name: "schemas", label: "Names of the schemas, one a line", kind: "lines", isList: true, required: true }],
  },
  images: { title: "Pictures", fields: [], inside: pictures },
  table_atom: { title: "Cards", fields: [], inside: cards },
};

const valueAt = (data, path) => path?.split(".").reduce((value, name) => value?.[name], data);

function withValue(data, path, value) {
  const [name, ...rest] = path.split(".");
  if (rest.length > 0) return { ...data, [name]: withValue(data[name] ?? {}, rest.join("."), value) };
  const { [name]: _, ...others } = data;
  return value === undefined ? others : { ...others, [name]: value };
}

let made = 0;

/** Returns a labelled control. */
function labelled(label, control) {
  made += 1;
  control.id = `editor:field-${made}`;
  return element("div", { class: "field" }, element("label", { for: control.id }, label), control);
}

/**
 * Field for a page of the space or a URL. Another target is kept unless one of these is chosen. `none` is the label for
 * no target. Without it, a target is required.
 */
function target(ref, request, label, none) {
  const empty = ref && ref.kind !== "url" ? "As it is" : (none ?? "An address");
  const select = element("select", {}, element("option", { value: "" }, empty));
  const address = element("input", { type: "text", maxlength: 2000 });
  address.value = ref?.kind === "url" ? ref.url : "";
  pagesOf(request).then((pages) => {
    select.append(...pages.map(({ id, title, above }) => element("option", { value: id }, above + title)));
    if (ref?.kind === "page" && !ref.space) select.value = ref.page;
  });
  const read = () => {
    if (address.value.trim()) return { kind: "url", url: address.value.trim() };
    if (!select.value) return ref?.kind === "url" ? undefined : ref;
    return ref?.kind === "page" && ref.page === select.value ? ref : { kind: "page", page: select.value };
  };
  const check = () => address.setCustomValidity(none || read() ? "" : "Choose a page, or give an address.");
  select.addEventListener("change", () => {
    if (select.value) address.value = "";
    check();
  });
  address.addEventListener("input", check);
  check();
  return { elements: [labelled(label, select), labelled("Or an address", address)], read };
}

/** Field for a value from a search. Keeps the value of the node unless another one is chosen. */
function chosen(field, value, request) {
  const search = element("input", { type: "search", autocomplete: "off" });
  const select = element("select", { size: 6, required: true });
  const kept = value === undefined ? [] : [{ name: "As it is", value }];
  const words = element("p", { role: "status" });
  let entries = [];
  let hits = [];
  let isLoading = true;
  const fill = () => {
    const found = ranked(entries, search.value).slice(0, SHOWN);
    hits = search.value.trim() ? found : [...kept, ...found];
    select.replaceChildren(...hits.map(({ name, sign }) => element("option", {}, sign ? `${sign} ${name}` : name)));
    select.selectedIndex = search.value.trim() || kept.length > 0 ? Math.min(0, hits.length - 1) : -1;
  };
  search.addEventListener("input", fill);
  search.addEventListener("keydown", (event) => {
    // Enter waits until the searched entries are loaded.
    if (event.key === "Enter" && isLoading) {
      event.preventDefault();
      return loaded.then(() => select.form.requestSubmit());
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || hits.length === 0) return undefined;
    event.preventDefault();
    select.selectedIndex = (select.selectedIndex + step + hits.length) % hits.length;
    return undefined;
  });
  select.addEventListener("dblclick", () => select.form.requestSubmit());
  fill();
  const load = async () => {
    try {
      entries = await field.choices(request);
      words.textContent = entries.length === 0 ? "There is nothing to choose from yet." : "";
      fill();
    } catch (error) {
      words.textContent = error.message;
    } finally {
      isLoading = false;
    }
  };
  const loaded = load();
  const read = () => {
    const { name, value: found } = hits[select.selectedIndex];
    if (found !== value && found.kind) titled(found, name);
    return found;
  };
  return { elements: [labelled(`Search: ${field.label.toLowerCase()}`, search), labelled(field.label, select), words], read };
}

/** Returns the elements of a field, and a function that reads its value. */
function control(field, data, request) {
  const value = valueAt(data, field.name);
  if (field.kind === "target") return target(value, request, field.label);
  if (field.kind === "choice") return chosen(field, value, request);
  const required = field.required ?? false;
  const input = field.options
    ? element("select", {}, ...field.options.map(([option, label]) => element("option", { value: option }, label)))
    : element(field.kind === "lines" ? "textarea" : "input", { required, ...(field.kind === "url" ? { type: "url" } : {}) });
  const text = Array.isArray(value) ? value.join("\n") : value;
  if (text !== undefined || !field.options) input.value = text ?? "";
  const read = () => {
    if (field.isList) return input.value.split("\n").map((line) => line.trim()).filter(Boolean);
    return input.value.trim() || undefined;
  };
  return { elements: [labelled(field.label, input)], read };
}

/** Returns the plain text of a caption. `undefined` for any other caption, which is kept. */
function plainCaption(image) {
  const caption = image.firstChild;
  if (!caption) return "";
  const [only] = caption.children;
  const isPlain = caption.childCount === 1 && only.type === nodes.paragraph && only.children.every((child) => child.isText && child.marks.length === 0);
  return isPlain ? only.textContent : undefined;
}

/** Returns the elements for the pictures of a block, and a function that returns the changed block. */
function pictures(node) {
  const readers = [];
  const parts = node.children.flatMap((image, at) => {
    const { data } = image.attrs;
    const name = node.childCount > 1 ? ` ${at + 1}` : "";
    const alt = element("input", { type: "text" });
    alt.value = data.alt ?? "";
    const caption = element("input", { type: "text" });
    const written = plainCaption(image);
    caption.value = written ?? "";
    const width = element("input", { type: "number", min: 1, max: 10000 });
    width.value = typeof data.width === "number" ? data.width : "";
    readers.push(() => {
      let changed = withValue(data, "alt", alt.value.trim() || undefined);
      if (width.value) changed = withValue(changed, "width", Number(width.value));
      else if (typeof data.width === "number") changed = withValue(changed, "width", undefined);
      const words = caption.value.trim();
      let inner = image.content;
      if (written !== undefined && words !== written) {
        inner = words ? nodes.caption.create(null, nodes.paragraph.create(null, schema.text(words))) : undefined;
      }
      return image.type.create({ ...image.attrs, data: changed }, inner);
    });
    return [
      labelled(`Description of picture${name} for those who can't see it`, alt),
      ...(written === undefined ? [] : [labelled(`Caption${name}`, caption)]),
      labelled(`Width${name} in pixels`, width),
    ];
  });
  return { elements: parts, read: () => node.type.create(node.attrs, readers.map((read) => read())) };
}

/** Returns the elements for the cards of a table, and a function that returns the changed table. */
function cards(node, request) {
  const { columns, target: leads, cards: written } = readCards(node.attrs);
  const { definition } = node.attrs.data;
  const labels = columns.map((id, at) => definition[id].title || (at === 0 ? "Title" : at === 1 ? "Text" : `Text ${at}`));
  const list = element("div", { class: "cards-form" });
  const readers = new Map();
  const number = () => [...list.children].forEach((card, at) => (card.firstChild.textContent = `Card ${at + 1}`));
  const add = (card) => {
    const inputs = card.texts.map((text, at) => {
      const input = element(at === 0 ? "input" : "textarea", { required: at === 0 && !card.id });
      input.value = text ?? "";
      return text === undefined ? undefined : input;
    });
    const fields = inputs.map((input, at) => (input ? labelled(labels[at], input) : element("p", {}, `${labels[at]}: the Markdown view shows it.`)));
    const place = leads && target(card.ref, request, "Page", "Nowhere");
    const remove = element("button", { type: "button", class: "btn" }, "Remove this card");
    const group = element("fieldset", {}, element("legend", {}), ...fields, ...(place?.elements ?? []), remove);
    remove.addEventListener("click", () => {
      const next = group.nextElementSibling ?? group.previousElementSibling ?? list.nextElementSibling;
      readers.delete(group);
      group.remove();
      number();
      (next.querySelector("input, textarea") ?? next).focus();
    });
    readers.set(group, () => ({ id: card.id, texts: inputs.map((input) => input?.value.trim()), ref: place?.read() }));
    list.append(group);
    number();
    return group;
  };
  const fresh = () => add({ texts: columns.map(() => "") });
  written.forEach(add);
  if (written.length === 0) fresh();
  const more = element("button", { type: "button", class: "btn" }, "Add a card");
  more.addEventListener("click", () => fresh().querySelector("input, textarea")?.focus());
  const read = () => {
    const made = [...list.children].map((group) => readers.get(group)());
    return node.type.create({ ...node.attrs, ...writeCards(node.attrs, made) });
  };
  return { elements: [list, more], read };
}

/** Shows a form. Resolves with the result of `read` on submit, and with undefined on cancel. */
function asked(title, elements, read) {
  const cancel = element("button", { type: "button", class: "btn" }, "Cancel");
  const save = element("button", { type: "submit", class: "btn primary" }, "Save");
  const buttons = element("div", { class: "buttons" }, cancel, save);
  const form = element("form", { method: "dialog" }, element("h2", { id: "editor:form" }, title), ...elements, buttons);
  const dialog = element("dialog", { class: "dialog", "aria-labelledby": "editor:form" }, form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    let answer;
    form.addEventListener("submit", () => (answer = read()));
    cancel.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(answer);
    });
  });
}

/** Shows the form of a node. Resolves with the changed node or undefined. */
function ask(node, request) {
  const { title, fields, inside: make } = FORMS[node.type.name];
  const inside = make?.(node, request);
  const controls = fields.map((field) => [field, control(field, node.attrs.data, request)]);
  const elements = [...(inside?.elements ?? []), ...controls.flatMap(([, made]) => made.elements)];
  const withField = (data, [{ name }, { read }]) => (name ? withValue(data, name, read()) : { ...data, ...read() });
  return asked(title, elements, () => {
    if (inside) return inside.read();
    return node.type.create({ ...node.attrs, data: controls.reduce(withField, node.attrs.data) }, node.content);
  });
}

/** Opens the form of the node at a position. The position follows changes made meanwhile. */
export async function openForm(view, at, request) {
  const node = view.state.doc.nodeAt(at);
  const changed = await ask(node, request);
  const { doc } = view.state;
  if (changed) {
    let found;
    doc.descendants((other, position) => {
      if (other === node) found = position;
      return found === undefined;
    });
    if (found !== undefined) {
      const tr = closeHistory(view.state.tr).replaceWith(found, found + node.nodeSize, changed);
      view.dispatch(tr.setSelection(NodeSelection.create(tr.doc, found)));
    }
  }
  view.focus();
}

/** Asks for the values of a new node, and inserts it at the caret. */
export async function insertWithForm(view, node, request) {
  const made = await ask(node, request);
  if (made) view.dispatch(put(closeHistory(view.state.tr), view.state.selection.from, made).scrollIntoView());
  view.focus();
}

/** Returns the text of a note. `undefined` if it is not plain text. */
function plainNote(fragments) {
  const blocks = fragments.flatMap((fragment) => fragment.nodes);
  const leaves = blocks[0]?.nodes?.flatMap((text) => text.leaves ?? [undefined]) ?? [];
  const isPlain = blocks.length === 1 && blocks[0].type === "paragraph" && leaves.every((leaf) => leaf && leaf.marks.length === 0);
  return isPlain ? leaves.map((leaf) => leaf.text).join("") : undefined;
}

const noteOf = (text) => [{ object: "fragment", type: "annotation-body", nodes: [toBlock(nodes.paragraph.create(null, schema.text(text)))] }];

/** Asks for the note on the selected text. An empty note is removed. Without a selection, asks for the text too. */
export async function editAnnotation(view) {
  const { doc, selection: { from, to, empty, $from } } = view.state;
  const marked = [];
  let isText = $from.parent.inlineContent;
  doc.nodesBetween(from, to, (node) => {
    if (node.isInline && !node.isText) isText = false;
    const mark = marks.annotation.isInSet(node.marks);
    if (mark) marked.push(mark);
  });
  const note = element("textarea", { required: marked.length === 0 });
  const words = element("input", { type: "text", required: true });
  const written = marked.length > 0 ? plainNote(marked[0].attrs.fragments) : "";
  note.value = written ?? "";
  const hint = element("p", {}, written === undefined ? "This note has formatting. A new note replaces it; the Markdown view shows it." : "");
  if (!isText) hint.textContent = "Only text can have a note. Select text without pictures and signs.";
  const elements = isText ? [...(empty ? [labelled("Text", words)] : []), labelled("Note", note), hint] : [hint];
  const answer = await asked("Annotation", elements, () => ({ text: words.value.trim(), body: note.value.trim() }));
  if (answer && isText && (answer.body || written !== undefined)) {
    const tr = closeHistory(view.state.tr);
    const mark = answer.body && marks.annotation.create({ fragments: noteOf(answer.body) });
    if (empty && answer.text && mark) tr.replaceSelectionWith(schema.text(answer.text, [mark]), false);
    else if (!empty) tr.removeMark(from, to, marks.annotation);
    if (!empty && mark) tr.addMark(from, to, mark);
    view.dispatch(tr.scrollIntoView());
  }
  view.focus();
}
