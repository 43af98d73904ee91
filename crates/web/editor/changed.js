// Word differences between two documents.
import { differences, textsOf } from "./merging.js";
import { wordsOf } from "./words.js";

/** Returns the parts of a text that another one keeps, lacks or adds: `{kind, text}`. `kind` is an element name. */
function partsOf(before, after) {
  const [one, other] = [before, after].map((text) => text.split(/(\s+)/).filter(Boolean));
  const parts = [];
  let at = 0;
  const add = (kind, words) => words.length > 0 && parts.push({ kind, text: words.join("") });
  for (const { from, to, start, end } of differences(one, other)) {
    add("span", one.slice(at, from));
    add("del", one.slice(from, to));
    add("ins", other.slice(start, end));
    at = to;
  }
  add("span", one.slice(at));
  return parts;
}

/** Returns the differing blocks of two documents, each difference as the parts of its words. */
export function changedWords(before, after) {
  const changes = differences(textsOf(before.nodes), textsOf(after.nodes));
  return changes.map(({ from, to, start, end }) => partsOf(wordsOf(before.nodes.slice(from, to)), wordsOf(after.nodes.slice(start, end))));
}
