// Commands on the parts of blocks, and the entries of their menu: tabs, steps, columns and updates.
import { Selection } from "prosemirror-state";
import { schema } from "./schema.js";

const { nodes } = schema;

const TURNED = ["left", "right"];
const STACKED = ["up", "down"];
/** Names of the parts, the data of a new one, and the names of the directions in which they are moved. */
const PARTS = {
  tabs_item: ["tab", () => ({ title: "New" }), TURNED],
  column: ["column", () => ({}), TURNED],
  stepper_step: ["step", () => ({}), STACKED],
  update: ["update", () => ({ date: new Date().toLocaleDateString("sv") }), STACKED],
};

/** Returns the part around a position. If the position is before a block with parts, it is the last of these. */
function partAt($at) {
  const whole = $at.nodeAfter;
  const last = whole?.lastChild;
  if (last && last.type.name in PARTS) return { part: last, at: $at.pos + whole.nodeSize - 1 - last.nodeSize, whole, index: whole.childCount - 1 };
  for (let depth = $at.depth; depth > 0; depth -= 1) {
    if ($at.node(depth).type.name in PARTS) return { part: $at.node(depth), at: $at.before(depth), whole: $at.node(depth - 1), index: $at.index(depth - 1) };
  }
  return undefined;
}

/** A command on the part of the caret. `act` adds steps to a transaction, and returns where the caret is then. */
const ofPart = (act) => (state, dispatch) => {
  const { $from } = state.selection;
  const found = partAt($from);
  if (!found) return false;
  const { tr } = state;
  const caret = act(tr, found, $from.pos - found.at);
  if (caret === undefined) return false;
  dispatch?.(tr.setSelection(Selection.near(tr.doc.resolve(caret))).scrollIntoView());
  return true;
};

export const addPart = ofPart((tr, { part, at }) => {
  const [, data] = PARTS[part.type.name];
  tr.insert(at + part.nodeSize, part.type.create({ data: data() }, nodes.paragraph.create()));
  return at + part.nodeSize + 1;
});

export const movePart = (by) =>
  ofPart((tr, { part, at, whole, index }, inside) => {
    const sibling = whole.maybeChild(index + by);
    if (!sibling) return undefined;
    const to = at + by * sibling.nodeSize;
    tr.delete(at, at + part.nodeSize).insert(to, part);
    return to + Math.max(1, inside);
  });

/** Deletes a part, with the block that it leaves empty. */
export const deletePart = ofPart((tr, { part, at, whole }) => {
  const around = whole.childCount === 1 ? 1 : 0;
  tr.delete(at - around, at + part.nodeSize + around);
  if (tr.doc.childCount === 0) tr.insert(0, nodes.paragraph.create());
  return Math.min(at, tr.doc.content.size);
});

/** Returns the entries of the menu of a part, if there is one. `act` returns what an entry does with a command. */
export function partItems($at, act) {
  const found = partAt($at);
  if (!found) return [];
  const [name, , [back, on]] = PARTS[found.part.type.name];
  const items = [
    [`Add ${name} after`, addPart],
    [`Move ${name} ${back}`, movePart(-1)],
    [`Move ${name} ${on}`, movePart(1)],
    [`Delete ${name}`, deletePart],
  ];
  const label = `${name[0].toUpperCase()}${name.slice(1)}…`;
  return [{ label, items: items.map(([label, command]) => ({ label, act: act(command) })) }];
}
