import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { EditorState, NodeSelection, TextSelection } from "prosemirror-state";
import { fromDocument, toDocument } from "./convert.js";
import { schema } from "./schema.js";
import {
  addColumn, addRow, addRowAtEnd, alignColumn, deleteColumn, deleteRow, moveColumn, moveRow, toggleHeader,
} from "./table-commands.js";
import { tableOf } from "./tables.js";

const { table, table_head, table_header, table_row, table_cell, paragraph } = schema.nodes;
const header = (text) => table_header.create(null, schema.text(text));
const cell = (text) => table_cell.create(null, paragraph.create(null, schema.text(text)));
const row = (...texts) => table_row.create(null, texts.map(cell));

/** Returns the state of a stored table with the caret in the cell with a text. */
function at(text) {
  const grid = table.create(null, [table_head.create(null, [header("A"), header("B")]), row("1", "2"), row("3", "4")]);
  const doc = fromDocument(toDocument(schema.nodes.doc.create(null, grid)));
  let found;
  doc.descendants((node, position) => {
    if (node.text === text) found = position;
  });
  return EditorState.create({ doc, selection: TextSelection.create(doc, found) });
}

function run(state, command) {
  let after = state;
  const applies = command(state, (tr) => (after = state.apply(tr)));
  after.doc.check();
  return applies ? after : undefined;
}

const texts = ({ doc }) => doc.firstChild.children.map((row) => row.children.map((cell) => cell.textContent).join(" "));
const caret = (state) => {
  const { row, column } = tableOf(state);
  return [row, column];
};

describe("tables", () => {
  test("rows are added around the caret, below the header", () => {
    const above = run(at("3"), addRow(-1));
    assert.deepEqual(texts(above), ["A B", "1 2", " ", "3 4"]);
    assert.deepEqual(caret(above), [2, 0]);
    assert.deepEqual(texts(run(at("A"), addRow(-1))), ["A B", " ", "1 2", "3 4"]);
    assert.deepEqual(texts(run(at("4"), addRow(1))), ["A B", "1 2", "3 4", " "]);
  });

  test("rows are moved and deleted, the header is not", () => {
    const down = run(at("2"), moveRow(1));
    assert.deepEqual(texts(down), ["A B", "3 4", "1 2"]);
    assert.deepEqual(caret(down), [2, 1]);
    for (const refused of [moveRow(1), moveRow(-1), deleteRow]) assert.equal(run(at("B"), refused), undefined);
    assert.equal(run(at("1"), moveRow(-1)), undefined);
    assert.deepEqual(texts(run(at("3"), deleteRow)), ["A B", "1 2"]);
  });

  test("a table may lose all rows but its header", () => {
    const last = run(run(at("3"), deleteRow), deleteRow);
    assert.deepEqual(texts(last), ["A B"]);
    assert.deepEqual(caret(last), [0, 0]);
    const selected = last.apply(last.tr.setSelection(NodeSelection.create(last.doc, 0)));
    assert.deepEqual(texts(run(selected, addRow(1))), ["A B", " "]);
    assert.ok(run(selected, alignColumn("right")));
  });

  test("columns are added, moved and deleted with their header", () => {
    assert.deepEqual(texts(run(at("1"), addColumn(1))), ["A Column 3 B", "1  2", "3  4"]);
    const moved = run(at("4"), moveColumn(-1));
    assert.deepEqual(texts(moved), ["B A", "2 1", "4 3"]);
    assert.deepEqual(caret(moved), [2, 0]);
    assert.equal(run(at("4"), moveColumn(1)), undefined);
    const one = run(at("A"), deleteColumn);
    assert.deepEqual(texts(one), ["B", "2", "4"]);
    assert.equal(run(one, deleteColumn), undefined);
  });

  test("alignment and header are stored", () => {
    const [block] = toDocument(run(run(at("2"), alignColumn("center")), toggleHeader).doc).nodes;
    const [, second] = block.data.view.columns;
    assert.equal(block.data.definition[second].textAlignment, "center");
    assert.equal(block.data.view.hideHeader, true);
  });

  test("only the last cell begins a row", () => {
    assert.equal(run(at("3"), addRowAtEnd), undefined);
    const more = run(at("4"), addRowAtEnd);
    assert.deepEqual(texts(more), ["A B", "1 2", "3 4", " "]);
    assert.deepEqual(caret(more), [3, 0]);
  });

  test("rows that were not touched keep their node", () => {
    const before = at("3");
    const after = run(before, addRow(1));
    assert.equal(after.doc.firstChild.child(1), before.doc.firstChild.child(1));
  });
});
