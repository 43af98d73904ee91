import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { EditorState, NodeSelection, TextSelection } from "prosemirror-state";
import { addBelow, blockAround, currentBlock, deleteBlock, duplicateBlock, moveBlock, selectBlock, TURNS } from "./moves.js";
import { schema } from "./schema.js";

const { nodes } = schema;
const paragraph = (text) => nodes.paragraph.create(null, text ? schema.text(text) : null);
const item = (...blocks) => nodes.list_item.create(null, blocks);
const list = (...items) => nodes.list_unordered.create(null, items);

/** State of blocks with the caret at a text. */
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

/** Returns the kinds and texts of nodes, in short. */
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
});
