import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { EditorState, NodeSelection, TextSelection } from "prosemirror-state";
import { addPart, deletePart, movePart, partItems } from "./part-menu.js";
import { schema } from "./schema.js";

const { nodes } = schema;
const paragraph = (text) => nodes.paragraph.create(null, schema.text(text));
const tab = (title) => nodes.tabs_item.create({ data: { title } }, paragraph(`In ${title}`));
const tabs = (...titles) => nodes.doc.create(null, [paragraph("Before"), nodes.tabs.create(null, titles.map(tab))]);

/** State of a document with the caret in a text. */
function at(doc, text) {
  let found;
  doc.descendants((node, position) => {
    if (node.text === text) found = position;
  });
  return EditorState.create({ doc, selection: TextSelection.create(doc, found + 1) });
}

function run(state, command) {
  let after = state;
  assert.ok(command(state, (tr) => (after = state.apply(tr))));
  after.doc.check();
  return after;
}

const titlesOf = ({ doc }) => (doc.childCount > 1 ? doc.child(1).children.map(({ attrs }) => attrs.data.title) : undefined);

describe("the parts of a block", () => {
  test("a tab is added after that of the caret, which moves there", () => {
    const after = run(at(tabs("A", "B"), "In A"), addPart);
    assert.deepEqual(titlesOf(after), ["A", "New", "B"]);
    assert.equal(after.selection.$from.node(-1).attrs.data.title, "New");
  });

  test("a selected block gets a tab at its end", () => {
    const doc = tabs("A", "B");
    const state = EditorState.create({ doc, selection: NodeSelection.create(doc, doc.firstChild.nodeSize) });
    assert.deepEqual(titlesOf(run(state, addPart)), ["A", "B", "New"]);
  });

  test("a tab is moved with the caret in it, but not out of its block", () => {
    const after = run(at(tabs("A", "B", "C"), "In B"), movePart(1));
    assert.deepEqual(titlesOf(after), ["A", "C", "B"]);
    assert.equal(after.selection.$from.parent.textContent, "In B");
    assert.equal(after.selection.$from.parentOffset, 1);
    assert.equal(movePart(1)(after), false);
    assert.deepEqual(titlesOf(run(after, movePart(-1))), ["A", "B", "C"]);
  });

  test("a tab is deleted, and the last one with its block", () => {
    const after = run(at(tabs("A", "B"), "In A"), deletePart);
    assert.deepEqual(titlesOf(after), ["B"]);
    assert.equal(titlesOf(run(after, deletePart)), undefined);
  });

  test("only parts have entries in the menu", () => {
    const doc = tabs("A");
    const labels = (position) => partItems(doc.resolve(position), () => {}).map(({ label }) => label);
    assert.deepEqual(labels(1), []);
    assert.deepEqual(labels(doc.firstChild.nodeSize), ["Tab…"]);
    assert.deepEqual(labels(doc.firstChild.nodeSize + 3), ["Tab…"]);
  });
});
