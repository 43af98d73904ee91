// Mapping between blocks of a document and blocks of its Markdown, so that blocks without edits are preserved.
import { differences, textsOf } from "./merging.js";

/** Returns whether a node is an empty paragraph, which Markdown cannot express. */
const isBlank = ({ type, content }) => type === "paragraph" && !content;

/** Removes attributes that identify the parts of a table and change with each reading. */
function ownOf(type, { key: _, meta: __, ...attrs }) {
  switch (type) {
    case "table": {
      const { columns: ___, ...view } = attrs.extra?.view ?? {};
      return { data: attrs.data, view };
    }
    case "table_header": {
      const { id: ___, ...column } = attrs.column ?? {};
      return column;
    }
    case "table_row":
    case "table_cell":
      return {};
    default:
      return attrs;
  }
}

/** Returns the visible content of an editor node as JSON: without keys, and without blank text at its ends. */
function shapeOf({ type, attrs = {}, marks = [], text, content = [] }) {
  const seen = marks.filter((mark) => mark.type !== "text_key").map((mark) => ({ type: mark.type, attrs: ownOf(mark.type, mark.attrs ?? {}) }));
  const parts = [];
  for (const part of content.filter((child) => !isBlank(child)).map(shapeOf)) {
    const last = parts.at(-1);
    const continues = part.text && last?.text && JSON.stringify(part.marks) === JSON.stringify(last.marks);
    if (continues) last.text += part.text;
    else parts.push(part);
  }
  if (parts[0]?.text) parts[0].text = parts[0].text.trimStart();
  const last = parts.at(-1);
  if (last?.text) last.text = last.text.trimEnd();
  return { type, attrs: ownOf(type, attrs), marks: seen, text, content: parts.filter((part) => part.text !== "") };
}

/**
 * Pairs the blocks of a document with those read from its Markdown. `nodeOf` returns the editor's node of a block.
 * `lost` contains the kinds of blocks that change when they are read.
 */
export function paired(blocks, read, nodeOf) {
  const shapes = (list) => textsOf(list.map((block) => shapeOf(nodeOf(block).toJSON())));
  const texts = textsOf(read);
  const [pairs, before, lost] = [[], [], []];
  const take = (text, block) => pairs.push({ text, blocks: [block] });
  let [at, from] = [0, 0];
  const same = (end) => {
    while (at < end) take(texts[from++], blocks[at++]);
  };
  for (const change of differences(shapes(blocks), shapes(read))) {
    same(change.from);
    for (; at < change.to; at += 1) {
      (pairs.at(-1)?.blocks ?? before).push(blocks[at]);
      if (!isBlank(nodeOf(blocks[at]).toJSON())) lost.push(blocks[at].type);
    }
    for (; from < change.end; from += 1) pairs.push({ text: texts[from], blocks: [] });
  }
  same(blocks.length);
  return { before, pairs, lost };
}

/** Returns the pairs after an edit of the Markdown, given the blocks that it is now read as. */
export function edited({ before, pairs }, read) {
  const texts = textsOf(read);
  const out = [];
  let at = 0;
  for (const { from, to, start, end } of differences(pairs.map(({ text }) => text), texts)) {
    out.push(...pairs.slice(at, from));
    for (let index = start; index < end; index += 1) {
      // A block that replaces a single other one is an edit of it.
      const former = to - from === end - start ? pairs[from + index - start].blocks : [];
      const [first, ...blank] = former;
      const key = first?.type === read[index].type && first.key;
      out.push({ text: texts[index], blocks: [key ? { ...read[index], key } : read[index], ...blank] });
    }
    at = to;
  }
  out.push(...pairs.slice(at));
  return { before, pairs: out, lost: [] };
}

/** Returns the blocks of a document. */
export const blocksOf = ({ before, pairs }) => [...before, ...pairs.flatMap(({ blocks }) => blocks)];

/** Returns the index of the first block of a pair. */
export const indexOf = ({ before, pairs }, pair) => pairs.slice(0, pair).reduce((sum, { blocks }) => sum + blocks.length, before.length);
