// Views of what is not typed into: the server's element of it, and until there is one its kind and what it refers to.
import { element } from "./element.js";
import { parts } from "./later.js";
import { schema } from "./schema.js";

const { nodes } = schema;

/** Addresses of files, by their ids, as far as the page shows them or they were uploaded. */
export const fileUrls = new Map();

/** Notes the addresses of the pictures that the server has written. */
function note(node, shown) {
  const pictures = [...shown.querySelectorAll("img")];
  if (pictures.length === node.childCount) node.forEach((image, _, at) => fileUrls.set(image.attrs.data.ref?.file, pictures[at].src));
}

const LINKS = "a, button, summary, input";

/** Takes links and buttons out of the order of the keyboard: they would lead away from what is typed. */
function calm(dom) {
  for (const link of [dom, ...dom.querySelectorAll(LINKS)]) if (link.matches(LINKS)) link.tabIndex = -1;
  return dom;
}

/** Returns the view of an element that the server made. */
function fixed(dom) {
  dom.contentEditable = "false";
  dom.addEventListener("click", (event) => event.preventDefault());
  return { dom: calm(dom), stopEvent: () => false, ignoreMutation: () => true };
}

/** Shows a new block. Without the parts, its kind remains. */
async function show(dom, node, request) {
  try {
    await (await parts()).showNew(dom, node, request);
    calm(dom);
  } catch {
    // Without a network, the server shows it when the page is opened again.
  }
}

/** Returns the view of a block. What the server made of it are several elements where it includes other blocks. */
export function atom(node, shown, request) {
  if (shown?.length === 1) {
    if (node.type === nodes.images) note(node, shown[0]);
    return fixed(shown[0].cloneNode(true));
  }
  if (shown) return fixed(element("div", { class: "document whole" }, ...shown.map((one) => one.cloneNode(true))));
  const view = fixed(element("div", { class: "block-atom" }, element("p", {}, node.type.spec.kind)));
  show(view.dom, node, request);
  return view;
}

/** Returns the view of a sign in a text; nothing for one that the server has not shown yet. */
export function sign(shown) {
  const copy = shown?.[0].cloneNode(true);
  // Only elements of HTML can be kept from being typed into.
  return copy && fixed(copy instanceof HTMLElement ? copy : element("span", {}, copy));
}
