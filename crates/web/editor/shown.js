// The elements that the server has written for the blocks of a page. The editor takes them over, so that nothing moves.
import { schema, titles } from "./schema.js";

const { nodes } = schema;

/** Elements that have the blocks of a block, where these are not its own children. */
const INNER = { hint: "> div", tabs_item: "> .tab", update: "> .update-body", prompt: "> details", list_item: "> input + div" };
/** Elements among those of blocks that are of none. */
const OTHERS = ".note, .cut, .hint-label, .step-icon, figcaption, summary:not(.expandable > *)";
/** Elements in a text. */
const INLINE = "a:not(.link-card), br, button, code, em, img, kbd, math:not([display]), s, span, strong, sub, sup, svg";
/** Elements that the server writes for signs in a text, by their types. */
export const SIGNS = { mention: ".mention", icon: ".icon:not(.button *)", inline_math: "math", inline_image: ".inline-image:not([data-only=dark])", button: ".button", expression: ".expression" };

/**
 * Returns the elements of blocks. Those of the page have their key, or their position, on the first of their elements:
 * some are written as several, or as none. Blocks in others have one each.
 */
function groups(blocks, elements, isOuter) {
  if (!isOuter) return blocks.length === elements.length ? elements.map((one) => [one]) : [];
  const byKey = new Map();
  let last;
  for (const one of elements) {
    const { block } = one.dataset;
    if (block !== undefined) byKey.set(block, (last = []));
    last?.push(one);
  }
  return blocks.map(({ attrs }, at) => byKey.get(attrs.key ?? String(at)));
}

/** Notes the elements of the signs in a text that is written as these elements. */
function noteSigns(text, written, found) {
  const signs = text.children.filter(({ type }) => type.name in SIGNS);
  const all = String(Object.values(SIGNS));
  const elements = signs.length > 0 ? written.flatMap((one) => [one, ...one.querySelectorAll("*")]).filter((one) => one.matches(all)) : [];
  if (signs.length !== elements.length) return;
  signs.forEach((sign, at) => {
    if (!elements[at].matches(SIGNS[sign.type.name])) return;
    found.set(sign, [elements[at]]);
    if (sign.type === nodes.mention) titles.set(JSON.stringify(sign.attrs.data.ref), elements[at].textContent);
  });
}

/** Returns the elements that the server has written for the blocks or rows of a block. */
function inside({ type }, shown) {
  if (type === nodes.table) return shown.querySelectorAll(":scope > table > * > tr");
  return (shown.querySelector(`:scope ${INNER[type.name]}`) ?? shown).children;
}

/** Notes the elements of blocks, and of the blocks and signs in them. */
function note(blocks, all, found, isOuter = false) {
  let elements = [...all].filter((one) => !one.matches(OTHERS));
  const [first, ...rest] = blocks;
  if (!isOuter && first?.type === nodes.paragraph && elements.every((one) => one.localName !== "p")) {
    // The first paragraph of list items and cells has no element of its own.
    noteSigns(first, elements.filter((one) => one.matches(INLINE)), found);
    elements = elements.filter((one) => !one.matches(INLINE));
    blocks = rest;
  } else if (first?.type === nodes.table_head && elements.length === rest.length) {
    // A header without words is not written.
    blocks = rest;
  }
  groups(blocks, elements, isOuter).forEach((group, at) => {
    if (!group) return;
    const block = blocks[at];
    const [shown] = group;
    found.set(block, group);
    if (block.isTextblock) noteSigns(block, [shown], found);
    else if (block.type === nodes.if) note(block.children, group, found);
    else if (!block.isAtom) note(block.children, inside(block, shown), found);
  });
}

/** Returns the elements of the blocks and signs of a document, by their nodes. */
export function shownIn(doc, place) {
  const found = new Map();
  note(doc.children, [...place.children], found, true);
  return found;
}
