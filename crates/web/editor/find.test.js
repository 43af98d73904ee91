import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { EditorState } from "prosemirror-state";
import { fromDocument } from "./convert.js";
import { matchesIn, replaceMatches } from "./find.js";
import { schema } from "./schema.js";

const { nodes, marks } = schema;
const bold = [marks.bold.create()];
const paragraph = (...content) => nodes.paragraph.create(null, content);
const text = (words, own) => schema.text(words, own);
const code = (title, line) => nodes.code.create({ data: { title } }, nodes.code_line.create(null, text(line)));
const docOf = (...blocks) => nodes.doc.create(null, blocks);
const wordsOf = (doc, matches) => matches.map(({ from, to }) => doc.textBetween(from, to));

describe("find", () => {
  test("ignores case, and the borders of marks", () => {
    const doc = docOf(paragraph(text("Fer"), text("ry", bold), text(" and ferry")));
    assert.deepEqual(wordsOf(doc, matchesIn(doc, "FERRY")), ["Ferry", "ferry"]);
    assert.deepEqual(matchesIn(doc, ""), []);
    assert.deepEqual(matchesIn(doc, "boat"), []);
  });

  test("does not match over the border of blocks", () => {
    const doc = docOf(paragraph(text("one")), paragraph(text("two")));
    assert.deepEqual(matchesIn(doc, "onetwo"), []);
  });

  test("counts a sign without text as one position", () => {
    const formula = nodes.inline_math.create({ data: { formula: "x" } });
    const doc = docOf(paragraph(text("a "), formula, text(" boat")));
    assert.deepEqual(wordsOf(doc, matchesIn(doc, "boat")), ["boat"]);
  });

  test("finds titles of listings and labels of buttons", () => {
    const button = nodes.button.create({ data: { label: "Take the boat" } });
    const doc = docOf(code("boat.sh", "boat"), paragraph(button));
    const found = matchesIn(doc, "boat");
    assert.deepEqual(found.map(({ name }) => name), ["title", undefined, "label"]);
    assert.equal(doc.nodeAt(found[2].at).type, nodes.button);
  });

  test("keeps positions where a letter has another length in lower case", () => {
    const doc = docOf(paragraph(text("İ boat")));
    assert.deepEqual(wordsOf(doc, matchesIn(doc, "boat")), ["boat"]);
  });

  test("replaces all matches, with the marks of each, and in titles", () => {
    const doc = docOf(code("a.a", "a"), paragraph(text("a "), text("a", bold)), paragraph(text("b")));
    const state = EditorState.create({ doc });
    const after = replaceMatches(state.tr, matchesIn(doc, "a"), "aa").doc;
    after.check();
    assert.equal(after.child(0).attrs.data.title, "aa.aa");
    assert.equal(after.child(0).textContent, "aa");
    assert.equal(after.child(1).textContent, "aa aa");
    assert.ok(marks.bold.isInSet(after.child(1).lastChild.marks));
    assert.equal(after.child(2), doc.child(2));
  });

  test("removes matches", () => {
    const doc = docOf(paragraph(text("a boat a")));
    assert.equal(replaceMatches(EditorState.create({ doc }).tr, matchesIn(doc, "a"), "").doc.textContent, " bot ");
  });

  test("has a bound", () => {
    const doc = fromDocument({ object: "document", data: {}, nodes: [] });
    const long = doc.copy(doc.content.addToEnd(paragraph(text("a".repeat(5_000)))));
    assert.equal(matchesIn(long, "a").length, 1_000);
  });
});
