import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { EditorState } from "prosemirror-state";
import { fromDocument, toDocument } from "./convert.js";
import gallery from "./gallery.json" with { type: "json" };
import { schema, shapes } from "./schema.js";

/** Returns a value with sorted object keys. */
function canonical(value) {
  if (Array.isArray(value)) return value.map(canonical);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, canonical(value[key])]));
}

const same = (one, other) => assert.deepEqual(canonical(one), canonical(other));

/** Returns the document of nodes without their sources. */
const written = (doc) => toDocument(schema.nodeFromJSON(doc.toJSON()));

/** Returns the kinds of blocks and inlines in a document. */
function kindsIn(value, found = new Set()) {
  if (value?.object === "block" || value?.object === "inline") found.add(value.type);
  if (value !== null && typeof value === "object") Object.values(value).forEach((inner) => kindsIn(inner, found));
  return found;
}

/** Returns the position of the first letter of a text. */
function find(doc, text) {
  let found = null;
  doc.descendants((node, at) => {
    if (found === null && node.isText && node.text.includes(text)) found = at + node.text.indexOf(text);
  });
  return found;
}

describe("the page with every block", () => {
  const doc = fromDocument(gallery);

  test("has every kind of block but a few atoms", () => {
    const missing = Object.keys(shapes).filter((kind) => !kindsIn(gallery).has(kind));
    assert.deepEqual(missing, ["swagger"]);
  });

  test("is valid, and is written as it was read, with and without its sources", () => {
    doc.check();
    same(toDocument(doc), gallery);
    same(written(doc), gallery);
  });

  test("keeps the JSON of all blocks but the one that was typed in", () => {
    const state = EditorState.create({ doc });
    const at = find(doc, "Ferry moves files");
    const { nodes } = toDocument(state.apply(state.tr.insertText("x", at)).doc);
    assert.equal(nodes.length, gallery.nodes.length);
    const changed = nodes.filter((node, index) => node !== gallery.nodes[index]);
    assert.equal(changed.length, 1);
    assert.equal(changed[0].nodes[0].leaves[0].text.slice(0, 6), "xFerry");
  });

  test("a letter in a cell, a tab and a listing is a letter there", () => {
    for (const words of ["How data is compressed", "Install it with Homebrew", "Where to send"]) {
      const state = EditorState.create({ doc });
      const edited = written(state.apply(state.tr.insertText("x", find(doc, words))).doc);
      const expected = JSON.parse(JSON.stringify(gallery).replace(words, `x${words}`));
      same(edited, expected);
    }
  });

  test("undoing all changes gives the same JSON", () => {
    let state = EditorState.create({ doc });
    const inverses = [];
    for (const words of ["Ferry moves", "Copy a folder", "Needs glibc"]) {
      const tr = state.tr.insertText("typed ", find(state.doc, words));
      inverses.unshift(...tr.steps.map((step, index) => step.invert(tr.docs[index])).reverse());
      state = state.apply(tr);
    }
    state = state.apply(inverses.reduce((tr, step) => tr.step(step), state.tr));
    same(written(state.doc), gallery);
  });
});

describe("tables", () => {
  const table = gallery.nodes.find((node) => node.type === "table" && node.data.view.type === "grid");
  const doc = fromDocument({ object: "document", data: {}, nodes: [table] });

  test("rows and columns that are pasted get ids of their own", () => {
    const node = doc.firstChild;
    const copied = node.copy(node.content.append(node.content.cut(node.firstChild.nodeSize)));
    const { data, fragments } = toDocument(schema.nodes.doc.create(null, copied)).nodes[0];
    const rows = Object.values(data.records);
    assert.equal(rows.length, 2 * Object.keys(table.data.records).length);
    assert.equal(new Set(rows.map((row) => row.orderIndex)).size, rows.length);
    const names = fragments.map((fragment) => fragment.fragment);
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(new Set(rows.flatMap((row) => Object.values(row.values))), new Set(names));
  });

  test("a new table is a grid of texts", () => {
    const { table: grid, table_head, table_header, table_row, table_cell, paragraph } = schema.nodes;
    const cell = () => table_cell.create(null, paragraph.create(null, schema.text("x")));
    const made = grid.create(null, [
      table_head.create(null, [table_header.create(null, schema.text("A")), table_header.create(null, schema.text("B"))]),
      table_row.create(null, [cell(), cell()]),
    ]);
    const [block] = toDocument(schema.nodes.doc.create(null, made)).nodes;
    assert.deepEqual(block.data.view.columns, ["c1", "c2"]);
    assert.deepEqual(Object.values(block.data.definition).map((column) => [column.title, column.type]), [["A", "text"], ["B", "text"]]);
    assert.equal(block.fragments.length, 2);
    same(toDocument(fromDocument({ object: "document", data: {}, nodes: [block] })).nodes[0], block);
  });
});
