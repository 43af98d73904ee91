// Tables shown as cards, for their form: the texts and target of each card. Other columns are kept.
import { after, unused } from "./convert.js";

/** Returns the text of a cell and its marks. `undefined` if the cell contains more than text with one set of marks. */
function plain(fragment) {
  if (!fragment || fragment.nodes.length === 0) return { text: "" };
  const [block, ...others] = fragment.nodes;
  if (others.length > 0 || block.type !== "paragraph" || block.nodes.some(({ object }) => object !== "text")) return undefined;
  const leaves = block.nodes.flatMap((text) => text.leaves);
  if (new Set(leaves.map((leaf) => JSON.stringify(leaf.marks))).size > 1) return undefined;
  return { text: leaves.map((leaf) => leaf.text).join(""), marks: leaves[0]?.marks };
}

const BOLD = [{ object: "mark", type: "bold" }];

function cell(name, text, marks) {
  const leaf = { object: "leaf", text, marks };
  const nodes = [{ object: "text", leaves: [leaf] }];
  return { object: "fragment", fragment: name, nodes: [{ object: "block", type: "paragraph", isVoid: false, data: {}, nodes }] };
}

const cellsOf = (fragments) => new Map(fragments.map((fragment) => [fragment.fragment, fragment]));

/**
 * Returns the columns with texts, the column of targets, and the cards in order. A text with several sets of marks is
 * `undefined`.
 */
export function readCards({ data: { definition, records, view }, fragments }) {
  const special = [view.targetDefinition, view.coverDefinition, view.coverDefinitionDark];
  const columns = view.columns.filter((id) => definition[id].type === "text" && !special.includes(id));
  const target = definition[view.targetDefinition]?.type === "content-ref" ? view.targetDefinition : undefined;
  const cells = cellsOf(fragments);
  const byOrder = Object.entries(records).sort(([, a], [, b]) => (a.orderIndex < b.orderIndex ? -1 : 1));
  const cards = byOrder.map(([id, { values }]) => ({
    id,
    texts: columns.map((column) => plain(cells.get(values[column]))?.text),
    ref: target && values[target],
  }));
  return { columns, target, cards };
}

/** Returns the data and fragments of a table with other cards. Cards without an id are new. */
export function writeCards({ data, fragments }, cards) {
  const { columns, target } = readCards({ data, fragments });
  const cells = cellsOf(fragments);
  const kept = new Set(cards.map(({ id }) => id));
  const namesOf = (id) => Object.values(data.records[id].values).filter((value) => cells.has(value));
  // Cells of removed cards.
  for (const id of Object.keys(data.records)) if (!kept.has(id)) namesOf(id).forEach((name) => cells.delete(name));
  const ids = new Set(Object.keys(data.records));
  const names = new Set(cells.keys());
  const records = {};
  let last = "";
  for (const { id: own, texts, ref } of cards) {
    const id = own ?? unused("r", ids);
    const record = data.records[own];
    const values = { ...record?.values };
    texts.forEach((text, at) => {
      const column = columns[at];
      const name = values[column];
      const before = plain(cells.get(name));
      if (text === undefined || text === before?.text) return;
      if (text === "") {
        cells.delete(name);
        delete values[column];
        return;
      }
      values[column] = name ?? (names.has(`${id}${column}`) ? unused(`${id}${column}x`, names) : `${id}${column}`);
      names.add(values[column]);
      cells.set(values[column], cell(values[column], text, before?.marks ?? (at === 0 ? BOLD : [])));
    });
    if (target && ref) values[target] = ref;
    else if (target) delete values[target];
    last = after(last, record?.orderIndex);
    records[id] = { ...record, orderIndex: last, values };
  }
  return { data: { ...data, records }, fragments: [...cells.values()] };
}
