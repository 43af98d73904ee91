import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { readCards, writeCards } from "./cards.js";

function tablesOf(node) {
  if (Array.isArray(node)) return node.flatMap(tablesOf);
  if (node === null || typeof node !== "object") return [];
  const inner = Object.values(node).flatMap(tablesOf);
  return node.type === "table" && node.data.view.type === "cards" ? [node, ...inner] : inner;
}

const gallery = JSON.parse(readFileSync(new URL("gallery.json", import.meta.url), "utf8"));
const [table] = tablesOf(gallery);

test("cards that nobody changed are written as they were", () => {
  const { columns, target, cards } = readCards(table);
  assert.deepEqual([columns, target], [["c1", "c2"], "c3"]);
  assert.deepEqual(cards[1], { id: "r2", texts: ["Configuration", "All options, with examples."], ref: { kind: "page", page: "p2" } });
  const written = writeCards(table, cards);
  assert.deepEqual(written, { data: table.data, fragments: table.fragments });
});

test("cards are added, changed and removed, and keep their other columns and looks", () => {
  const [first, , third] = readCards(table).cards;
  const changed = { ...first, texts: ["Start", ""], ref: undefined };
  const written = writeCards(table, [changed, { texts: ["New", "Words"], ref: { kind: "url", url: "https://a.example" } }, third]);
  assert.deepEqual(Object.keys(written.data.records).sort(), ["r1", "r3", "r4"]);
  const { r1, r4 } = written.data.records;
  assert.deepEqual(r1.values, { c1: "r1c1", c4: ["f1"], c5: ["f4"] });
  assert.deepEqual(r4.values, { c1: "r4c1", c2: "r4c2", c3: { kind: "url", url: "https://a.example" } });
  assert.deepEqual(written.fragments.map(({ fragment }) => fragment), ["r1c1", "r3c1", "r3c2", "r4c1", "r4c2"]);
  const looks = written.fragments.map(({ nodes }) => nodes[0].nodes[0].leaves[0]);
  assert.deepEqual([looks[0].text, looks[0].marks.length, looks[3].marks.length, looks[4].marks.length], ["Start", 1, 1, 0]);
  const texts = readCards(written).cards.map((card) => card.texts);
  assert.deepEqual(texts, [["Start", ""], ["New", "Words"], third.texts]);
});

test("texts of several looks are kept", () => {
  const mixed = structuredClone(table);
  mixed.fragments[0].nodes[0].nodes[0].leaves.push({ object: "leaf", text: " now", marks: [] });
  const { cards } = readCards(mixed);
  assert.equal(cards[0].texts[0], undefined);
  assert.deepEqual(writeCards(mixed, cards).fragments, mixed.fragments);
});
