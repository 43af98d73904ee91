// Words of documents.

/** Returns the words of a document, one line per text. */
export function wordsOf(value) {
  if (Array.isArray(value)) return value.map(wordsOf).filter(Boolean).join("\n");
  if (value?.object === "text") return value.leaves.map((leaf) => leaf.text).join("");
  if (value?.nodes) return wordsOf([...value.nodes, ...(value.fragments ?? [])]);
  return "";
}
