// The tables of a document, and how they are shown. Cells never span: tables are grids.
import { Plugin } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";
import { loaded, parts } from "./later.js";
import { schema } from "./schema.js";

const { nodes } = schema;

/**
 * Returns the table with the caret: its position and node, and row and column of the cell. Row 0 is the header. For a
 * selected table, the cell is the first one below the header.
 */
export function tableOf({ selection: { $from, node, from } }) {
  if (node?.type === nodes.table) return { at: from, table: node, row: Math.min(1, node.childCount - 1), column: 0 };
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    if ($from.node(depth).type !== nodes.table) continue;
    return { at: $from.before(depth), table: $from.node(depth), row: $from.index(depth), column: $from.depth > depth ? $from.index(depth + 1) : 0 };
  }
  return undefined;
}

/** Returns a command on tables by its name. They are loaded with the first table: see `cells`. */
export const ofTable = (name, by) => (...all) => {
  const command = tableOf(all[0]) && loaded()?.tables[name];
  return Boolean(command) && (by === undefined ? command : command(by))(...all);
};

/** A command that takes its key in tables, whether it applies or not. */
export const inTable = (command) => (state, dispatch) => {
  if (state.selection.node || !tableOf(state)) return false;
  command(state, dispatch);
  return true;
};

/** Alignments of the columns of a table; nothing if all are at the start. */
const alignmentsOf = (table) => {
  const found = table.firstChild.children.map((header) => header.attrs.column?.textAlignment ?? "left");
  return found.some((align) => align !== "left") ? found : undefined;
};

const shownAlignments = new WeakMap();

/** Returns the alignments of the cells of a document. */
function alignmentsIn(doc) {
  const found = [];
  doc.descendants((node, at) => {
    if (node.type !== nodes.table) return !node.isTextblock;
    const head = node.firstChild;
    // Readers see no header without words.
    if (!head.textContent) found.push(Decoration.node(at + 1, at + 1 + head.nodeSize, { class: "blank" }));
    const aligns = alignmentsOf(node) ?? [];
    node.forEach((row, inTable) => {
      row.forEach((cell, inRow, column) => {
        const from = at + inTable + inRow + 2;
        if (aligns[column] && aligns[column] !== "left") found.push(Decoration.node(from, from + cell.nodeSize, { "data-align": aligns[column] }));
      });
    });
    return false;
  });
  return found.length > 0 ? DecorationSet.create(doc, found) : DecorationSet.empty;
}

/** Shows the alignment of columns on their cells. */
export const alignment = new Plugin({
  props: {
    decorations({ doc }) {
      if (!shownAlignments.has(doc)) shownAlignments.set(doc, alignmentsIn(doc));
      return shownAlignments.get(doc);
    },
  },
});

/** Returns whether a document has a table. */
function hasTable(doc) {
  let isFound = false;
  doc.descendants((node) => {
    isFound ||= node.type === nodes.table;
    return !isFound && !node.isTextblock;
  });
  return isFound;
}

/** Adds cell selection, and rules that keep tables grids, when the document has its first table. */
export const cells = () => {
  let isAsked = false;
  const update = async (view, before) => {
    if (isAsked || before?.doc === view.state.doc || !hasTable(view.state.doc)) return;
    isAsked = true;
    try {
      const { tableEditing } = await parts();
      if (view.isDestroyed) return;
      const plugins = [...view.state.plugins, tableEditing({ allowTableNodeSelection: true })];
      view.updateState(view.state.reconfigure({ plugins }));
    } catch {
      // The next change tries again.
      isAsked = false;
    }
  };
  return new Plugin({
    view(view) {
      update(view);
      return { update };
    },
  });
};
