// The elements that the server has written for the blocks of a page. The editor takes them over, so that nothing moves.
import { schema, titles } from "./schema.js";

const { nodes } = schema;

/** Elements that have the blocks of a block, where these are not its own children. */
const INNER = { hint: "div", tabs_item: ".tab", update: ".update-body", prompt: "details" };
/** Elements among those of blocks that are of none. */
const OTHERS = ".note, .cut, .hint-label, .step-icon, figcaption, summary:not(.expandable > *)";
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

/** Notes the elements of the signs in a text. */
function noteSigns(text, shown, found) {
  const signs = text.children.filter(({ type }) => type.name in SIGNS);
  const elements = signs.length > 0 ? [...shown.querySelectorAll(Object.values(SIGNS))] : [];
  if (signs.length !== elements.length) return;
  signs.forEach((sign, at) => {
    if (!elements[at].matches(SIGNS[sign.type.name])) return;
    found.set(sign, [elements[at]]);
    if (sign.type === nodes.mention) titles.set(JSON.stringify(sign.attrs.data.ref), elements[at].textContent);
  });
}

/** Notes the elements of blocks, and of the blocks and signs in them. */
function note(blocks, elements, found, isOuter = false) {
  groups(blocks, elements.filter((one) => !one.matches(OTHERS)), isOuter).forEach((group, at) => {
    if (!group) return;
    const block = blocks[at];
    const [shown] = group;
    found.set(block, group);
    if (block.isTextblock) noteSigns(block, shown, found);
    else if (block.type === nodes.if) note(block.children, group, found);
    else if (!block.isAtom) note(block.children, [...(shown.querySelector(`:scope > ${INNER[block.type.name]}`) ?? shown).children], found);
  });
}

/** Returns the elements of the blocks and signs of a document, by their nodes. */
export function shownIn(doc, place) {
  const found = new Map();
  note(doc.children, [...place.children], found, true);
  return found;
}
