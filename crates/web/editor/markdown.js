// Blocks of pasted Markdown. The server supports all of Markdown, this only what people paste from other editors.
import { schema } from "./schema.js";

const { nodes, marks } = schema;
/** Maximum length of a text with marks. Longer ones remain plain. */
const LONGEST = 10_000;
/** Maximum length of a line that starts a block. Longer ones are paragraphs. */
const LONGEST_SIGN = 2_000;
/** Maximum nesting of lists and quotes. */
const DEEPEST = 12;
/** Heading levels as on the server, where the first level is the title of a page. */
const HEADINGS = [nodes.heading_1, nodes.heading_1, nodes.heading_2, nodes.heading_3, nodes.heading_3, nodes.heading_3];

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/;
const HEADING = /^(#{1,6})\s+(.+?)(?:\s+#+)?$/;
const RULE = /^ {0,3}([-*_])(?: *\1){2,} *$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( *)([-*+]|\d{1,9}[.)])( +)(?:\[([ xX])\] )?(.*)$/;
const SEPARATOR = /^ *\|? *:?-+:? *(?:\| *:?-+:? *)*\|? *$/;
const INLINE = new RegExp(
  [
    String.raw`(?<tick>\`+)(?<code>.+?)\k<tick>(?!\`)`,
    String.raw`!?\[(?<label>[^\]]*)\]\(<?(?<url>[^)\s>]+)>?(?:\s+"[^"]*")?\)`,
    String.raw`\*\*(?=\S)(?<bold>.+?)(?<=\S)\*\*(?!\*)`,
    String.raw`(?<!\w)__(?=\S)(?<bold2>.+?)(?<=\S)__(?!\w)`,
    String.raw`\*(?=[^\s*])(?<italic>.+?)(?<=[^\s*])\*`,
    String.raw`(?<!\w)_(?=[^\s_])(?<italic2>.+?)(?<=[^\s_])_(?!\w)`,
    String.raw`~~(?=\S)(?<strike>.+?)(?<=\S)~~`,
    String.raw`<(?<address>https?:[^>\s]+)>`,
    String.raw`\\(?<sign>[!-/:-@[-\`{-~])`,
  ].join("|"),
  "g",
);
/** Markdown syntax that rarely occurs in plain text. */
const SIGNS = [
  /^#{1,6} \S/m, /^(?:```|~~~)/m, /^ *(?:[-*+]|\d{1,9}[.)]) +\S/m, /^> /m, /^ *\|? *:?-{3,}:? *\|/m,
  /\[[^[\]\n]{1,200}\]\([^)\s]/, /\*\*[^\s*][^*\n]*\*\*/, /`[^`\n]+`/,
];

/** Returns whether the beginning of a text looks like Markdown. */
export const isMarkdown = (text) => SIGNS.some((sign) => sign.test(text.slice(0, LONGEST)));

/** Returns a link mark for a URL. */
export const linkTo = (url) => marks.link.create({ data: { ref: { kind: "url", url } } });

/** Returns the texts of a line with their marks. */
function inlines(text, own = []) {
  const plain = (words) => (words ? [schema.text(words, own)] : []);
  if (text.length > LONGEST) return plain(text);
  const out = [];
  const within = (words, mark) => inlines(words, mark.addToSet(own));
  let at = 0;
  for (const { 0: whole, index, groups: found } of text.matchAll(INLINE)) {
    out.push(...plain(text.slice(at, index)));
    at = index + whole.length;
    const bold = found.bold ?? found.bold2;
    const italic = found.italic ?? found.italic2;
    if (found.code !== undefined) out.push(schema.text(found.code, marks.code_text.create().addToSet(own)));
    else if (found.url) out.push(...within(found.label || found.url, linkTo(found.url)));
    else if (bold) out.push(...within(bold, marks.bold.create()));
    else if (italic) out.push(...within(italic, marks.italic.create()));
    else if (found.strike) out.push(...within(found.strike, marks.strikethrough.create()));
    else if (found.address) out.push(schema.text(found.address, linkTo(found.address).addToSet(own)));
    else out.push(...plain(found.sign));
  }
  return [...out, ...plain(text.slice(at))];
}

const paragraph = (text) => nodes.paragraph.create(null, inlines(text));

/** Returns a table of texts with the first row as header. Short rows are filled. `aligns` has the alignments of columns. */
export function tableFrom([head, ...rows], aligns = [], read = inlines) {
  const width = Math.max(head.length, ...rows.map((row) => row.length));
  const all = (row) => Array.from({ length: width }, (_, at) => (row[at] ?? "").trim());
  const header = (text, at) => {
    const column = aligns[at] ? { textAlignment: aligns[at] } : null;
    return nodes.table_header.create({ column }, text ? schema.text(text) : null);
  };
  const cell = (text) => nodes.table_cell.create(null, nodes.paragraph.create(null, text ? read(text) : null));
  return nodes.table.create(null, [
    nodes.table_head.create(null, all(head).map(header)),
    ...rows.map((row) => nodes.table_row.create(null, all(row).map(cell))),
  ]);
}

const cellsOf = (line) => line.trim().replace(/^\||(?<!\\)\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.replaceAll("\\|", "|"));
const alignOf = (cell) => ({ "::": "center", "-:": "right" })[cell.trim().replace(/^(.).*(.)$/, "$1$2")];

const isLong = (line) => line.length > LONGEST_SIGN;
const isTable = (lines, at) => {
  const next = lines[at + 1] ?? "";
  return lines[at].includes("|") && !isLong(next) && SEPARATOR.test(next);
};
const begins = (lines, at) => !isLong(lines[at]) && ([FENCE, HEADING, RULE, QUOTE, ITEM].some((sign) => sign.test(lines[at])) || isTable(lines, at));

/** Returns the index of the first line from `from` on that does not satisfy `holds`. */
function endOf(lines, from, holds) {
  let at = from;
  while (at < lines.length && holds(lines[at], at)) at += 1;
  return at;
}

function readList(lines, from, depth) {
  const { length: indent } = ITEM.exec(lines[from])[1];
  const isOrdered = /\d/.test(ITEM.exec(lines[from])[2]);
  const items = [];
  let at = from;
  while (at < lines.length) {
    const [, before, sign, gap, box, rest] = ITEM.exec(lines[at]) ?? [];
    if (before === undefined || before.length !== indent || /\d/.test(sign) !== isOrdered) break;
    const inside = indent + sign.length + Math.min(gap.length, 4);
    // Lines with deeper indentation belong to the item, also after an empty line.
    const isInside = (line, index) => (line.trim() ? line.search(/\S/) > indent : (lines[index + 1] ?? "").search(/\S/) > indent);
    const end = endOf(lines, at + 1, isInside);
    const own = lines.slice(at + 1, end).map((line) => line.slice(Math.min(inside, Math.max(0, line.search(/\S/)))));
    const content = readBlocks([rest, ...own], depth + 1);
    items.push({ checked: box === undefined ? undefined : box !== " ", content: content.length > 0 ? content : [nodes.paragraph.create()] });
    at = endOf(lines, end, (line, index) => !line.trim() && ITEM.test(lines[index + 1] ?? ""));
  }
  const isTasks = items.every((item) => item.checked !== undefined);
  const start = Number.parseInt(ITEM.exec(lines[from])[2], 10);
  const type = isTasks ? nodes.list_tasks : isOrdered ? nodes.list_ordered : nodes.list_unordered;
  const data = isOrdered && !isTasks && start !== 1 ? { start } : {};
  const made = items.map(({ checked, content }) => nodes.list_item.create({ data: isTasks ? { checked } : {} }, content));
  return { node: type.create({ data }, made), end: at };
}

function readBlocks(lines, depth) {
  const out = [];
  let at = 0;
  while (at < lines.length) {
    const whole = lines[at];
    const line = isLong(whole) ? "" : whole;
    const fence = FENCE.exec(line);
    const heading = HEADING.exec(line);
    if (!whole.trim()) {
      at += 1;
    } else if (fence) {
      const end = endOf(lines, at + 1, (inner) => !inner.trim().startsWith(fence[1]));
      const content = lines.slice(at + 1, end).map((inner) => nodes.code_line.create(null, inner ? schema.text(inner) : null));
      const data = fence[2] ? { syntax: fence[2] } : {};
      out.push(nodes.code.create({ data }, content.length > 0 ? content : nodes.code_line.create()));
      at = end + 1;
    } else if (heading) {
      out.push(HEADINGS[heading[1].length - 1].create(null, inlines(heading[2])));
      at += 1;
    } else if (RULE.test(line)) {
      out.push(nodes.divider.create());
      at += 1;
    } else if (QUOTE.test(line) && depth < DEEPEST) {
      const end = endOf(lines, at + 1, (inner) => QUOTE.test(inner));
      const content = readBlocks(lines.slice(at, end).map((inner) => inner.replace(QUOTE, "")), depth + 1);
      out.push(nodes.blockquote.create(null, content.length > 0 ? content : [nodes.paragraph.create()]));
      at = end;
    } else if (ITEM.test(line) && depth < DEEPEST) {
      const { node, end } = readList(lines, at, depth);
      out.push(node);
      at = end;
    } else if (line && isTable(lines, at)) {
      const end = endOf(lines, at + 2, (inner) => inner.includes("|"));
      const rows = [line, ...lines.slice(at + 2, end)].map(cellsOf);
      out.push(tableFrom(rows, cellsOf(lines[at + 1]).map(alignOf)));
      at = end;
    } else {
      const end = endOf(lines, at + 1, (inner, index) => inner.trim() && !begins(lines, index));
      out.push(paragraph(lines.slice(at, end).map((inner) => inner.trim()).join(" ")));
      at = end;
    }
  }
  return out;
}

/** Returns the blocks of a Markdown text. */
export const blocksOf = (markdown) => readBlocks(markdown.replaceAll("\t", "    ").split(/\r\n?|\n/), 0);
