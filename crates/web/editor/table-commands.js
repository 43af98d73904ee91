// Commands on the cells, rows and columns of tables, and the entries of their menu.
import { Fragment } from "prosemirror-model";
import { TextSelection } from "prosemirror-state";
import { schema } from "./schema.js";
import { tableOf } from "./tables.js";

const { nodes } = schema;

const emptyCell = () => nodes.table_cell.create(null, nodes.paragraph.create());
const emptyRow = (table) => nodes.table_row.create(null, Array.from({ length: table.firstChild.childCount }, emptyCell));

/** Returns a list with an item at another index. */
function moved(list, from, to) {
  const left = list.filter((_, at) => at !== from);
  left.splice(to, 0, list[from]);
  return left;
}

/** A command that puts other rows into the table, and the caret into a cell. Rows that are the same nodes stay. */
const change = (make) => (state, dispatch) => {
  const found = tableOf(state);
  const made = found && make(found, found.table.children);
  if (!made) return false;
  if (dispatch) {
    const { at, table } = found;
    const before = table.children;
    const least = Math.min(before.length, made.rows.length);
    let start = 0;
    while (start < least && before[start] === made.rows[start]) start += 1;
    let end = 0;
    while (end < least - start && before.at(-1 - end) === made.rows.at(-1 - end)) end += 1;
    const widthOf = (rows) => rows.reduce((sum, row) => sum + row.nodeSize, 0);
    const from = at + 1 + widthOf(before.slice(0, start));
    const to = at + table.nodeSize - 1 - widthOf(before.slice(before.length - end));
    const tr = state.tr.replaceWith(from, to, made.rows.slice(start, made.rows.length - end));
    const { row, column } = made;
    const inRow = at + 2 + widthOf(made.rows.slice(0, row));
    const inCell = inRow + widthOf(made.rows[row].children.slice(0, column)) + 1;
    dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(inCell))).scrollIntoView());
  }
  return true;
};

export const moveRow = (by) =>
  change(({ row, column }, rows) => {
    const to = row + by;
    return row > 0 && to > 0 && to < rows.length ? { rows: moved(rows, row, to), row: to, column } : undefined;
  });

/** Returns the rows with other cells in each. */
const withCells = (rows, cellsOf) => rows.map((row, at) => row.copy(Fragment.from(cellsOf(row.children, at === 0))));

export const moveColumn = (by) =>
  change(({ table, row, column }, rows) => {
    const to = column + by;
    if (to < 0 || to >= table.firstChild.childCount) return undefined;
    return { rows: withCells(rows, (cells) => moved(cells, column, to)), row, column: to };
  });

/** Selects the content of the next cell, or of the one before. */
export const toCell = (by) => (state, dispatch) => {
  const found = tableOf(state);
  if (!found || state.selection.node) return false;
  const { at, table, row, column } = found;
  const width = table.firstChild.childCount;
  const next = row * width + column + by;
  if (next < 0 || next >= width * table.childCount) return false;
  if (dispatch) {
    const widthOf = (parent, count) => parent.children.slice(0, count).reduce((sum, { nodeSize }) => sum + nodeSize, 0);
    const inRow = table.child(Math.floor(next / width));
    const from = at + 2 + widthOf(table, Math.floor(next / width)) + widthOf(inRow, next % width);
    const to = from + inRow.child(next % width).nodeSize;
    dispatch(state.tr.setSelection(TextSelection.between(state.doc.resolve(from), state.doc.resolve(to))).scrollIntoView());
  }
  return true;
};

/** Leads to the first cell of a new row from the last cell. */
export function addRowAtEnd(state, dispatch) {
  const found = tableOf(state);
  if (!found || state.selection.node) return false;
  const { table, row, column } = found;
  if (row !== table.childCount - 1 || column !== table.firstChild.childCount - 1) return false;
  return change((_, rows) => ({ rows: [...rows, emptyRow(table)], row: rows.length, column: 0 }))(state, dispatch);
}

/** Adds a row after the one with the caret, or before it. The header stays on top. */
export const addRow = (by) =>
  change(({ table, row, column }, rows) => {
    const at = Math.max(1, by < 0 ? row : row + 1);
    return { rows: rows.toSpliced(at, 0, emptyRow(table)), row: at, column };
  });

export const deleteRow = change(({ row, column }, rows) =>
  row > 0 ? { rows: rows.toSpliced(row, 1), row: Math.min(row, rows.length - 2), column } : undefined,
);

export const addColumn = (by) =>
  change(({ row, column }, rows) => {
    const at = by < 0 ? column : column + 1;
    const header = nodes.table_header.create(null, schema.text(`Column ${rows[0].childCount + 1}`));
    const made = (isHead) => (isHead ? header : emptyCell());
    return { rows: withCells(rows, (cells, isHead) => cells.toSpliced(at, 0, made(isHead))), row, column: at };
  });

export const deleteColumn = change(({ table, row, column }, rows) => {
  const count = table.firstChild.childCount;
  if (count === 1) return undefined;
  return { rows: withCells(rows, (cells) => cells.toSpliced(column, 1)), row, column: Math.min(column, count - 2) };
});

/** Aligns a column. */
export const alignColumn = (align) =>
  change(({ row, column }, [head, ...rows]) => {
    const header = head.child(column);
    const changed = header.type.create({ ...header.attrs, column: { ...header.attrs.column, textAlignment: align } }, header.content);
    const cells = head.children.with(column, changed);
    return { rows: [head.copy(Fragment.from(cells)), ...rows], row, column };
  });

const viewOf = (table) => table.attrs.extra?.view ?? { type: "grid", hideHeader: false };

/** Shows the header to readers, or hides it. */
export function toggleHeader(state, dispatch) {
  const found = tableOf(state);
  if (!found) return false;
  const { at, table } = found;
  const view = viewOf(table);
  const extra = { hidden: {}, fragments: [], ...table.attrs.extra, view: { ...view, hideHeader: !view.hideHeader } };
  dispatch?.(state.tr.setNodeAttribute(at, "extra", extra));
  return true;
}

/** Returns the entries of the menu of a table. `act` returns what an entry does with a command. */
export function tableItems(table, act) {
  const item = ([label, command, keys]) => ({ label, keys, act: act(command) });
  const aligns = [["Left", "left"], ["Center", "center"], ["Right", "right"]].map(([label, to]) => item([label, alignColumn(to)]));
  const rows = [
    ["Add row above", addRow(-1)],
    ["Add row below", addRow(1)],
    ["Move row up", moveRow(-1), "Alt ↑"],
    ["Move row down", moveRow(1), "Alt ↓"],
    ["Delete row", deleteRow],
    [viewOf(table).hideHeader ? "Show the header" : "Hide the header", toggleHeader],
  ];
  const columns = [
    ["Add column before", addColumn(-1)],
    ["Add column after", addColumn(1)],
    ["Move column left", moveColumn(-1), "Alt Shift ←"],
    ["Move column right", moveColumn(1), "Alt Shift →"],
    ["Delete column", deleteColumn],
  ];
  return [
    { label: "Rows…", items: rows.map(item) },
    { label: "Columns…", items: [...columns.map(item), { label: "Align the column…", items: aligns }] },
  ];
}
