import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { changesOfOthers, differences, textsOf } from "./merging.js";

/** Returns the local text with the changes of others. Undefined on a conflict. */
function merge(sent, merged, here) {
  const changes = changesOfOthers([...sent], [...merged], [...here]);
  if (!changes) return undefined;
  const blocks = [...here];
  for (const { from, to, start, end } of changes.toReversed()) blocks.splice(from, to - from, ...[...merged].slice(start, end));
  return blocks.join("");
}

describe("merging", () => {
  test("differences are the least ones", () => {
    assert.deepEqual(differences([..."abc"], [..."abc"]), []);
    assert.deepEqual(differences([..."abcde"], [..."aBcDEe"]), [
      { from: 1, to: 2, start: 1, end: 2 },
      { from: 3, to: 4, start: 3, end: 5 },
    ]);
    assert.deepEqual(differences([], [..."a"]), [{ from: 0, to: 0, start: 0, end: 1 }]);
  });

  test("the order of members makes no difference", () => {
    const here = { type: "paragraph", data: { align: "end", x: 1 }, nodes: [{ a: 1, b: [2, 3] }] };
    const stored = { nodes: [{ b: [2, 3], a: 1 }], data: { x: 1, align: "end" }, type: "paragraph" };
    assert.deepEqual(textsOf([here]), textsOf([stored]));
    assert.notDeepEqual(textsOf([here]), textsOf([{ ...stored, nodes: [] }]));
  });

  test("blocks between those of others may have been typed in", () => {
    assert.equal(merge("abcde", "AbCdE", "aBcDe"), "ABCDE");
    assert.equal(merge("abcde", "Abcde", "abcde"), "Abcde");
    assert.equal(merge("abcde", "abcde", "aBcde"), "aBcde");
  });

  test("blocks are added and removed around what was typed", () => {
    assert.equal(merge("abc", "abxc", "aBc"), "aBxc");
    assert.equal(merge("abc", "axbc", "aBc"), "axBc");
    assert.equal(merge("abc", "bc", "abCD"), "bCD");
    assert.equal(merge("abc", "abcx", "yabc"), "yabcx");
    assert.equal(merge("ab", "axb", "ayb"), "ayxb");
  });

  test("the same block is not merged", () => {
    assert.equal(merge("abc", "aXc", "aYc"), undefined);
    assert.equal(merge("abc", "ac", "aBc"), undefined);
    assert.equal(merge("abcd", "abxcd", "ad"), undefined);
  });

  test("long texts without a common block are compared as a whole", () => {
    const numbers = (from) => Array.from({ length: 3_000 }, (_, at) => String(from + at));
    assert.equal(differences(numbers(0), numbers(3_000)).length, 1);
  });
});
