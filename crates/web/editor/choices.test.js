import assert from "node:assert/strict";
import test from "node:test";
import { ranked } from "./choices.js";

const names = (list) => list.map(({ name }) => name);

test("names come before words, and words before their parts", () => {
  const entries = [{ name: "Annotation" }, { name: "Data table" }, { name: "Table" }, { name: "Image", words: "tableau" }, { name: "Stable" }];
  assert.deepEqual(names(ranked(entries, "table")), ["Table", "Data table", "Image", "Stable"]);
  assert.deepEqual(names(ranked(entries, " TA")), ["Table", "Data table", "Image"]);
  assert.deepEqual(names(ranked(entries, "")), names(entries));
});

test("a whole name comes before longer ones", () => {
  assert.deepEqual(names(ranked([{ name: "Cards" }, { name: "Card" }], "card")), ["Card", "Cards"]);
});

test("short texts of other scripts are found within words", () => {
  assert.deepEqual(names(ranked([{ name: "港湾" }, { name: "船" }], "湾")), ["港湾"]);
});

test("a short name is as good as the name", () => {
  const emoji = [{ name: "smiling cat" }, { name: "grinning face with smiling eyes", words: "smile" }];
  assert.deepEqual(names(ranked(emoji, "smile")), ["grinning face with smiling eyes"]);
});
