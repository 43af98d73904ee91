// What is shown of a new block that is not typed into.
import { fileUrls } from "./atoms.js";
import { rendered } from "./choices.js";
import { element } from "./element.js";
import { schema } from "./schema.js";

const addressOf = (ref) => (ref?.kind === "url" ? ref.url : fileUrls.get(ref?.file));

/** Returns pictures as the editor shows them after a change. */
function picturesOf(node) {
  return node.children.map((image) => {
    const { ref, alt, width } = image.attrs.data;
    const address = addressOf(ref);
    const shown = address ? element("img", { src: address, alt: alt ?? "", width: typeof width === "number" && width }) : element("p", {}, alt ?? "Picture");
    const caption = image.textContent && element("figcaption", {}, image.textContent);
    return element("figure", { class: "image" }, shown, ...(caption ? [caption] : []));
  });
}

function summaryOf(node) {
  const { data } = node.attrs;
  const what = data.url ?? data.formula ?? data.ref?.url ?? data.path ?? data.ref?.kind;
  const kind = node.type.spec.kind.replaceAll("-", " ");
  return what ? `${kind}: ${what}` : kind;
}

/** Shows a new block: pictures at once, of others what they refer to, until the server answers. */
export async function showNew(dom, node, request) {
  if (node.type === schema.nodes.images) return dom.replaceChildren(...picturesOf(node));
  dom.replaceChildren(element("p", {}, summaryOf(node)));
  const shown = await rendered(request, node);
  if (shown) dom.replaceChildren(shown);
  return undefined;
}
