import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { EditorState, NodeSelection, TextSelection } from "prosemirror-state";
import { addBelow, blockAround, currentBlock, deleteBlock, duplicateBlock, moveBlock, selectBlock } from "./moves.js";
import { TURNS } from "./turns.js";
import { BlockSelection, extend } from "./range.js";
import { schema } from "./schema.js";

const { nodes } = schema;
const paragraph = (text) => nodes.paragraph.create(null, text ? schema.text(text) : null);
const item = (...blocks) => nodes.list_item.create(null, blocks);
const list = (...items) => nodes.list_unordered.create(null, items);

/** Returns a state of blocks with the caret at a text. */
function at(text, ...blocks) {
  const doc = nodes.doc.create(null, blocks);
  doc.check();
  let found;
  doc.descendants((node, position) => {
    if (node.isText && node.text.includes(text)) found = position + node.text.indexOf(text);
  });
  return EditorState.create({ doc, selection: TextSelection.create(doc, found) });
}

function run(state, command) {
  let after;
  command(state, (tr) => (after = state.apply(tr)));
  after?.doc.check();
  return after;
}

/** Returns a short form of the kinds and texts of nodes. */
const shape = (node) => (node.isTextblock ? `${node.type.name}:${node.textContent}` : `${node.type.name}(${node.children.map(shape).join(" ")})`);
const shapes = ({ doc }) => doc.children.map(shape).join(" ");
const turn = (name) => TURNS.find(([label]) => label === name)[1];

describe("blocks", () => {
  test("an item moves with its first block, a later block of it alone", () => {
    const blocks = [list(item(paragraph("one"), paragraph("more")), item(paragraph("two")))];
    const parentOf = (text) => {
      const { doc, selection } = at(text, ...blocks);
      return doc.nodeAt(blockAround(selection.$from)).type.name;
    };
    assert.equal(parentOf("one"), "list_item");
    assert.equal(parentOf("more"), "paragraph");
  });

  test("move past their sibling with the caret, and not past the end", () => {
    const state = at("wo", paragraph("one"), paragraph("two"));
    const moved = run(state, moveBlock(-1));
    assert.equal(shapes(moved), "paragraph:two paragraph:one");
    assert.equal(moved.selection.$from.parentOffset, 1);
    assert.equal(run(state, moveBlock(1)), undefined);
    const items = run(at("two", list(item(paragraph("one")), item(paragraph("two")))), moveBlock(-1));
    assert.equal(shapes(items), "list_unordered(list_item(paragraph:two) list_item(paragraph:one))");
  });

  test("are copied and deleted", () => {
    const state = at("one", paragraph("one"), paragraph("two"));
    assert.equal(shapes(run(state, duplicateBlock)), "paragraph:one paragraph:one paragraph:two");
    assert.equal(shapes(run(state, deleteBlock)), "paragraph:two");
    assert.equal(shapes(run(at("one", paragraph("one")), deleteBlock)), "paragraph:");
    assert.equal(shapes(run(at("one", list(item(paragraph("one"))), paragraph("two")), deleteBlock)), "paragraph:two");
  });

  test("are selected from the inside to the outside", () => {
    const hint = nodes.hint.create({ data: { style: "info" } }, paragraph("mind"));
    const inner = run(at("mind", hint), selectBlock);
    assert.equal(inner.selection.node.type, nodes.paragraph);
    const outer = run(inner, selectBlock);
    assert.equal(outer.selection.node.type, nodes.hint);
    assert.equal(currentBlock(outer), 0);
  });

  test("are added below, as an item in a list", () => {
    assert.equal(shapes(run(at("one", paragraph("one")), addBelow("/"))), "paragraph:one paragraph:/");
    const added = run(at("one", list(item(paragraph("one")))), addBelow("/"));
    assert.equal(shapes(added), "list_unordered(list_item(paragraph:one) list_item(paragraph:/))");
  });

  test("turn into each other", () => {
    const start = at("one", paragraph("one"), paragraph("two"));
    let state = start;
    const steps = [
      ["Heading 2", "heading_2:one"],
      ["Bulleted list", "list_unordered(list_item(paragraph:one))"],
      ["Numbered list", "list_ordered(list_item(paragraph:one))"],
      ["Code", "code(code_line:one)"],
      ["Heading 1", "heading_1:one"],
      ["Paragraph", "paragraph:one"],
    ];
    for (const [name, shaped] of steps) {
      state = run(state, turn(name));
      assert.equal(shapes(state), `${shaped} paragraph:two`, name);
    }
    const hint = run(start, turn("Hint"));
    assert.equal(shapes(hint), "hint(paragraph:one) paragraph:two");
    const selected = hint.apply(hint.tr.setSelection(NodeSelection.create(hint.doc, 0)));
    assert.equal(shapes(run(selected, turn("Paragraph"))), "paragraph:one paragraph:two");
  });

  test("several blocks are selected, moved, copied and deleted as one", () => {
    const selected = (state, ...commands) => commands.reduce((now, command) => run(now, command) ?? now, state);
    const blocks = ["one", "two", "three", "four"].map(paragraph);
    const two = selected(at("two", ...blocks), selectBlock, extend(1));
    assert.ok(two.selection instanceof BlockSelection);
    assert.equal(two.doc.textBetween(two.selection.from, two.selection.to, " "), "two three");
    assert.equal(shapes(run(two, moveBlock(1))), "paragraph:one paragraph:four paragraph:two paragraph:three");
    const up = run(two, moveBlock(-1));
    assert.equal(shapes(up), "paragraph:two paragraph:three paragraph:one paragraph:four");
    assert.equal(up.doc.textBetween(up.selection.from, up.selection.to, " "), "two three");
    const copied = run(two, duplicateBlock);
    assert.equal(shapes(copied), "paragraph:one paragraph:two paragraph:three paragraph:two paragraph:three paragraph:four");
    assert.equal(shapes(run(two, deleteBlock)), "paragraph:one paragraph:four");
    // Back, and past the first selected block.
    assert.equal(selected(two, extend(-1)).selection.node.textContent, "two");
    const above = selected(two, extend(-1), extend(-1), extend(-1));
    assert.equal(above.doc.textBetween(above.selection.from, above.selection.to, " "), "one two");
    const all = selected(above, extend(1), extend(1), extend(1), extend(1));
    assert.equal(all.doc.textBetween(all.selection.from, all.selection.to, " "), "two three four");
  });

  test("a selection of blocks follows a change above it", () => {
    const two = run(run(at("one", ...["one", "two", "three"].map(paragraph)), selectBlock), extend(1));
    const later = two.apply(two.tr.insert(0, paragraph("zero")));
    assert.ok(later.selection instanceof BlockSelection);
    assert.equal(later.doc.textBetween(later.selection.from, later.selection.to, " "), "one two");
    const gone = two.apply(two.tr.delete(two.selection.from, two.selection.to));
    assert.ok(!(gone.selection instanceof BlockSelection));
  });

  test("all items that are deleted take their list with them", () => {
    const blocks = [paragraph("before"), list(item(paragraph("one")), item(paragraph("two")))];
    assert.equal(shapes(run(run(run(at("one", ...blocks), selectBlock), extend(1)), deleteBlock)), "paragraph:before");
  });
});
