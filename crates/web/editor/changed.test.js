import assert from "node:assert/strict";
import { test } from "node:test";
import { changedWords } from "./changed.js";
import { wordsOf } from "./words.js";

const paragraph = (text) => ({ object: "block", type: "paragraph", data: {}, nodes: [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }] });
const of = (...texts) => ({ object: "document", data: {}, nodes: texts.map(paragraph) });
const shown = (before, after) => changedWords(before, after).map((parts) => parts.map(({ kind, text }) => `${kind}:${text}`));

test("only the blocks that differ are shown, by words", () => {
  assert.deepEqual(shown(of("One.", "Two boats sail.", "Three."), of("One.", "Two ships sail.", "Three.")), [
    ["span:Two ", "del:boats", "ins:ships", "span: sail."],
  ]);
});

test("added and removed blocks are whole", () => {
  assert.deepEqual(shown(of("One.", "Two."), of("One.", "Two.", "Three.")), [["ins:Three."]]);
  assert.deepEqual(shown(of("One.", "Two."), of("Two.")), [["del:One."]]);
  assert.deepEqual(shown(of("One."), of("One.")), []);
});

test("the words of a document are its texts, a line for each", () => {
  assert.equal(wordsOf(of("One.", "Two.")), "One.\nTwo.");
});
