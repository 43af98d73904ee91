import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { fromBlock } from "./convert.js";
import { blocksOf, edited, indexOf, paired } from "./correspondence.js";

const gallery = JSON.parse(readFileSync(new URL("gallery.json", import.meta.url), "utf8"));
const leaf = (text) => ({ object: "leaf", text, marks: [] });
const paragraph = (text, more = {}) => ({
  object: "block", type: "paragraph", isVoid: false, data: {}, nodes: text ? [{ object: "text", leaves: [leaf(text)] }] : [], ...more,
});
/** Returns what the server reads from a printed document: the same blocks without keys and empty ones. */
const reread = (nodes) => nodes.filter((node) => node.nodes?.length !== 0).map(({ key: _, ...node }) => structuredClone(node));
const pairs = (nodes) => paired(nodes, reread(nodes), fromBlock);

test("a page without edits keeps its blocks", () => {
  const found = pairs(gallery.nodes);
  assert.deepEqual(found.lost, []);
  assert.deepEqual(blocksOf(edited(found, reread(gallery.nodes))), gallery.nodes);
});

test("an edited block is replaced, with its key, and no other one", () => {
  const nodes = ["One.", "Two.", "Three."].map((text, at) => paragraph(text, { key: `k${at}`, meta: { id: `m${at}` } }));
  const read = reread(nodes);
  read[1] = paragraph("Two, edited.");
  const result = blocksOf(edited(pairs(nodes), read));
  assert.equal(result[0], nodes[0]);
  assert.equal(result[2], nodes[2]);
  assert.deepEqual(result[1], paragraph("Two, edited.", { key: "k1" }));
  // The next edit starts from the result of the last one.
  const again = edited(edited(pairs(nodes), read), [...read, paragraph("Four.")]);
  assert.deepEqual(blocksOf(again).map((node) => node.key), ["k0", "k1", "k2", undefined]);
  assert.equal(blocksOf(again)[0], nodes[0]);
});

test("paragraphs without text stay where they are", () => {
  const nodes = [paragraph(""), paragraph("One."), paragraph(""), paragraph("Two."), paragraph("")];
  const found = pairs(nodes);
  assert.deepEqual(found.lost, []);
  assert.deepEqual(blocksOf(found), nodes);
  assert.equal(indexOf(found, 1), 3);
  const read = [paragraph("One."), paragraph("Two, edited.")];
  assert.deepEqual(blocksOf(edited(found, read)), [...nodes.slice(0, 3), paragraph("Two, edited."), nodes[4]]);
});

test("blank text at the edges of a paragraph is no loss, another word is", () => {
  const read = [paragraph("One. Two.")];
  assert.deepEqual(paired([paragraph(" One. Two. ")], read, fromBlock).lost, []);
  assert.deepEqual(paired([paragraph("One. Three.")], read, fromBlock).lost, ["paragraph"]);
  const other = { ...paragraph("One. Two."), data: { align: "center" } };
  assert.deepEqual(paired([other], read, fromBlock).lost, ["paragraph"]);
});

test("a deleted block goes, and its neighbors stay", () => {
  const nodes = ["One.", "Two.", "Three."].map((text) => paragraph(text));
  const read = reread(nodes).toSpliced(1, 1);
  assert.deepEqual(blocksOf(edited(pairs(nodes), read)), [nodes[0], nodes[2]]);
});
