// Conversion between documents and nodes of the editor.
//
// Nodes are immutable and shared between the states of an editor. A node that no transaction changed is therefore the
// one that was made from the document, and is written exactly as in the document, whatever it contains.
import { nameOf, schema, shapes } from "./schema.js";

const { nodes, marks } = schema;

/** Document node that an editor node was made from. */
const sources = new WeakMap();

const identityOf = (json) => ({ data: json.data ?? {}, key: json.key ?? null, meta: json.meta ?? null });

// ---- Document → nodes

/** Returns the editor's document for a document. */
export function fromDocument(json) {
  return nodes.doc.create({ data: json.data ?? {} }, json.nodes.map(fromBlock));
}

/** Returns the editor's node for a block. */
export function fromBlock(json) {
  const node = readBlock(json);
  sources.set(node, json);
  return node;
}

function readBlock(json) {
  const attributes = identityOf(json);
  if (json.type === "table") {
    return isGrid(json) ? readTable(json) : nodes.table_atom.create({ ...attributes, fragments: json.fragments });
  }
  if (json.type === "expandable") {
    const [title, body] = ["expandable-title", "expandable-body"].map((role) => fragmentOf(json, role));
    return nodes.expandable.create(attributes, [
      nodes.expandable_title.create({ key: title.key ?? null }, title.nodes.map(fromBlock)),
      nodes.expandable_body.create({ key: body.key ?? null }, body.nodes.map(fromBlock)),
    ]);
  }
  if (json.type === "image") {
    const caption = fragmentOf(json, "caption");
    const inner = caption && nodes.caption.create({ key: caption.key ?? null }, caption.nodes.map(fromBlock));
    return nodes.image.create(attributes, inner);
  }
  const type = nodes[nameOf(json.type)];
  switch (shapes[json.type].below) {
    case "void":
      return type.create(attributes);
    case "inlines":
    case "text":
      return type.create(attributes, readInlines(json.nodes, [], []));
    default:
      return type.create(attributes, json.nodes.map(fromBlock));
  }
}

function fragmentOf(json, role) {
  return (json.fragments ?? []).find((fragment) => fragment.type === role);
}

function readInlines(list, outer, out) {
  for (const json of list) {
    if (json.object === "text") {
      const around = json.key ? marks.text_key.create({ key: json.key }).addToSet(outer) : outer;
      for (const leaf of json.leaves) {
        if (leaf.text) out.push(schema.text(leaf.text, readMarks(leaf, around)));
      }
    } else if (json.type === "link") {
      const before = out.length;
      readInlines(json.nodes, marks.link.create(identityOf(json)).addToSet(outer), out);
      if (out.length === before) out.push(nodes.link_empty.create(identityOf(json)));
    } else if (json.type === "annotation") {
      const annotation = marks.annotation.create({ ...identityOf(json), fragments: json.fragments });
      readInlines(json.nodes, annotation.addToSet(outer), out);
    } else {
      out.push(nodes[nameOf(json.type)].create(identityOf(json), null, outer));
    }
  }
  return out;
}

function readMarks(leaf, outer) {
  let set = outer;
  for (const mark of leaf.marks) {
    const type = marks[mark.type === "code" ? "code_text" : mark.type];
    set = type.create(mark.type === "color" ? mark.data : null).addToSet(set);
  }
  return set;
}

// ---- Nodes → document

/** Returns the document for an editor's document. */
export function toDocument(doc) {
  return { object: "document", data: doc.attrs.data, nodes: toBlocks(doc) };
}

const toBlocks = (node) => node.children.map(toBlock);

/** Returns the block for an editor's node. */
export function toBlock(node) {
  return sources.get(node) ?? writeBlock(node);
}

/** Adds the key and metadata of a node, if present. */
function identified(json, { key, meta }) {
  if (key != null) json.key = key;
  if (meta != null) json.meta = meta;
  return json;
}

function writeBlock(node) {
  const { kind } = node.type.spec;
  const block = { object: "block", type: kind, data: node.attrs.data };
  switch (node.type.name) {
    case "table":
      return identified({ ...block, isVoid: true, ...writeTable(node) }, node.attrs);
    case "table_atom":
      return identified({ ...block, isVoid: true, fragments: node.attrs.fragments }, node.attrs);
    case "expandable": {
      const roles = ["expandable-title", "expandable-body"];
      const fragments = roles.map((role, at) => writeFragment(node.child(at), { type: role }));
      return identified({ ...block, isVoid: true, fragments }, node.attrs);
    }
    case "image": {
      const fragments = node.children.map((caption) => writeFragment(caption, { type: "caption" }));
      return identified({ ...block, isVoid: true, fragments }, node.attrs);
    }
    default:
  }
  switch (shapes[kind].below) {
    case "void":
      return identified({ ...block, isVoid: true }, node.attrs);
    case "inlines":
    case "text":
      return identified({ ...block, isVoid: false, nodes: writeInlines(node) }, node.attrs);
    default:
      return identified({ ...block, isVoid: false, nodes: toBlocks(node) }, node.attrs);
  }
}

function writeFragment(node, name) {
  const fragment = { object: "fragment", ...name, nodes: toBlocks(node) };
  if (node.attrs.key != null) fragment.key = node.attrs.key;
  return fragment;
}

/** Marks of the editor that are not marks of a document. */
const AROUND = new Set(["link", "annotation", "text_key"]);

function writeInlines(parent) {
  const out = [];
  let around = null;
  let list = out;
  for (const node of parent.children) {
    const outer = node.type === nodes.link_empty ? undefined : node.marks.find(isAround);
    if (!outer) {
      around = null;
      list = out;
    } else if (!around?.eq(outer)) {
      around = outer;
      const inline = writeAround(outer);
      out.push(inline);
      list = inline.nodes;
    }
    writeInline(node, list);
  }
  return out;
}

const isAround = (mark) => mark.type === marks.link || mark.type === marks.annotation;

function writeAround({ type, attrs }) {
  const inline = { object: "inline", type: type.name, isVoid: false, data: attrs.data, nodes: [] };
  if (type === marks.annotation) inline.fragments = attrs.fragments;
  return identified(inline, attrs);
}

function writeInline(node, list) {
  if (node.type === nodes.link_empty) {
    list.push(writeAround({ type: marks.link, attrs: node.attrs }));
  } else if (!node.isText) {
    const inline = { object: "inline", type: node.type.spec.kind, isVoid: true, data: node.attrs.data };
    list.push(identified(inline, node.attrs));
  } else {
    const key = node.marks.find((mark) => mark.type === marks.text_key)?.attrs.key;
    const own = node.marks.filter((mark) => !AROUND.has(mark.type.name)).map(writeMark);
    const leaf = { object: "leaf", text: node.text, marks: own };
    const last = list.at(-1);
    if (last?.object === "text" && last.key === key) {
      last.leaves.push(leaf);
    } else {
      list.push({ object: "text", leaves: [leaf], ...(key === undefined ? {} : { key }) });
    }
  }
}

function writeMark({ type, attrs }) {
  const mark = { object: "mark", type: type.spec.kind ?? type.name };
  return type === marks.color ? { ...mark, data: { text: attrs.text, background: attrs.background } } : mark;
}

// ---- Tables

/** Returns whether a table is a grid of texts, which the editor shows as a table. */
function isGrid({ data, fragments }) {
  const names = new Set(fragments.map((fragment) => fragment.fragment));
  const { definition, records, view } = data;
  const isText = (value) => typeof value === "string" && names.has(value);
  return (
    view.type === "grid" &&
    view.columns.length > 0 &&
    Object.values(definition).every((column) => column.type === "text") &&
    Object.values(records).every((record) => Object.values(record.values).every(isText))
  );
}

function readTable(json) {
  const { definition, records, view, ...rest } = json.data;
  const cells = new Map(json.fragments.map((fragment) => [fragment.fragment, fragment]));
  const shown = new Set();
  const without = (object) =>
    Object.fromEntries(Object.entries(object).filter(([column]) => !view.columns.includes(column)));

  const headers = view.columns.map((column) => {
    const { title, ...others } = definition[column];
    return nodes.table_header.create({ column: others }, title ? schema.text(title) : null);
  });
  const byOrder = Object.entries(records).sort(([, a], [, b]) => (a.orderIndex < b.orderIndex ? -1 : 1));
  const rows = byOrder.map(([id, { values, ...own }]) => {
    const row = view.columns.map((column) => {
      const name = values[column];
      if (name === undefined) return nodes.table_cell.create({ isAbsent: true });
      shown.add(name);
      const fragment = cells.get(name);
      return nodes.table_cell.create({ name, key: fragment.key ?? null }, fragment.nodes.map(fromBlock));
    });
    return nodes.table_row.create({ id, record: { own, hidden: without(values) } }, row);
  });
  // Columns that the view hides, and their cells.
  const others = json.fragments.filter((fragment) => !shown.has(fragment.fragment));
  const extra = { view, hidden: without(definition), fragments: others };
  return nodes.table.create({ ...identityOf(json), data: rest, extra }, [nodes.table_head.create(null, headers), ...rows]);
}

/** Returns an unused id and marks it as used. */
export function unused(prefix, taken) {
  let number = 1;
  while (taken.has(`${prefix}${number}`)) number += 1;
  taken.add(`${prefix}${number}`);
  return `${prefix}${number}`;
}

function writeTable(node) {
  const none = { view: { type: "grid", hideHeader: false }, hidden: {}, fragments: [] };
  const { view, hidden, fragments: others } = node.attrs.extra ?? none;
  const [head, ...rows] = node.children;

  const definition = { ...hidden };
  const known = new Set([...Object.keys(hidden), ...head.children.map((header) => header.attrs.column?.id)]);
  const columns = head.children.map((header) => {
    const own = header.attrs.column?.id;
    // A pasted or split column has the id of another one.
    const id = own && !(own in definition) ? own : unused("c", known);
    const made = { type: "text", textAlignment: "left", ...header.attrs.column };
    definition[id] = { ...made, id, title: header.textContent };
    return id;
  });

  const records = {};
  const fragments = [];
  const ids = new Set(rows.map((row) => row.attrs.id));
  const names = new Set(others.map((fragment) => fragment.fragment));
  let last = "";
  for (const row of rows) {
    const id = row.attrs.id && !(row.attrs.id in records) ? row.attrs.id : unused("r", ids);
    const orderIndex = after(last, row.attrs.record?.own.orderIndex);
    last = orderIndex;
    const values = { ...row.attrs.record?.hidden };
    row.children.forEach((cell, at) => {
      if (cell.attrs.isAbsent && cell.childCount === 0) return;
      let name = cell.attrs.name ?? `${id}${columns[at]}`;
      if (names.has(name)) name = unused(`${id}${columns[at]}x`, names);
      names.add(name);
      values[columns[at]] = name;
      fragments.push(writeFragment(cell, { fragment: name }));
    });
    records[id] = { ...row.attrs.record?.own, orderIndex, values };
  }
  return {
    data: { ...node.attrs.data, definition, records, view: { ...view, columns } },
    fragments: [...fragments, ...others],
  };
}

/** Returns the position of a row after another one: its own position if that is greater. */
export function after(last, own) {
  return own && own > last ? own : `${last}5`;
}
