// Functions for forms that do not need fields.js, which is loaded with the first form.
import { insertPoint } from "prosemirror-transform";
import { parts } from "./later.js";
import { schema } from "./schema.js";

const { nodes } = schema;

/** Node types with a form. */
export const FORMED = new Set([
  "math", "inline_math", "embed", "content_ref", "button", "inline_image", "openapi_operation", "openapi_webhook",
  "openapi_schemas", "images", "mention", "emoji", "icon", "expression", "reusable_content", "drawing", "integration", "if",
  "prompt", "table_atom",
]);

/** Returns whether a node opens a form. Blocks with text get fields above it after insertion. */
export const hasForm = (node) =>
  node.isAtom && FORMED.has(node.type.name) && (node.type !== nodes.table_atom || node.attrs.data.view.type === "cards");

/** Opens the form of the node at a position. */
export const openForm = async (...all) => (await parts()).openForm(...all);

/** Inserts a node at the selection. A block replaces an empty paragraph. */
export function put(tr, position, node) {
  const $at = tr.doc.resolve(position);
  if (node.isInline && $at.parent.inlineContent) return tr.insert(position, node);
  const isEmpty = $at.parent.type === nodes.paragraph && $at.parent.content.size === 0;
  if (isEmpty && $at.node($at.depth - 1).canReplaceWith($at.index($at.depth - 1), $at.index($at.depth - 1) + 1, node.type)) {
    return tr.replaceWith($at.before(), $at.after(), node);
  }
  return tr.insert(insertPoint(tr.doc, position, node.type) ?? position, node);
}
