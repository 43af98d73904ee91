// The menu of a block's handle.
import { element } from "./element.js";
import { openMenu } from "./menu.js";
import { deleteBlock, duplicateBlock, moveBlock } from "./moves.js";
import { partItems } from "./part-menu.js";
import { schema } from "./schema.js";
import { tableItems } from "./table-commands.js";
import { TURNS } from "./turns.js";

const { nodes } = schema;

/** Copies a text. Without https there is no clipboard API, so this uses the old command. */
async function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = element("textarea", {}, text);
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  return field.remove();
}

/** Returns the address of a block: the anchor of its heading or of the last heading before it, as named by the server. */
async function addressOf(view, index) {
  await view.dom.saved?.();
  const address = location.href.replace(/#.*/, "");
  const response = await fetch(address, { headers: { Accept: "text/html" } });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const blocks = [...page.querySelectorAll("article.document > [data-block]")].slice(0, index + 1);
  const anchor = blocks.findLast((block) => block.id)?.id;
  return anchor ? `${address}#${anchor}` : address;
}

/** Opens the menu of a handle. */
export function openActions(handle) {
  const { view, at, grip } = handle;
  const node = view.state.doc.nodeAt(at);
  const act = (command) => () => handle.run(command);
  const turns = TURNS.map(([label, command]) => ({ label, act: act(command) }));
  const canTurn = node.isTextblock || [nodes.list_item, nodes.blockquote, nodes.hint, nodes.code].includes(node.type);
  const index = view.state.doc.resolve(at).index(0);
  openMenu(grip, "Actions of the block", [
    ...(canTurn ? [{ label: "Turn into…", items: turns }] : []),
    ...(node.type === nodes.table ? tableItems(node, act) : []),
    ...partItems(view.state.doc.resolve(at), act),
    { label: "Duplicate", keys: "Ctrl D", act: act(duplicateBlock) },
    { label: "Copy link", act: () => copyLink(handle, index) },
    ...(document.getElementById("workspace:comment") ? [{ label: "Comment", keys: "Ctrl Alt C", act: () => comment(view, index) }] : []),
    { label: "Move up", keys: "Alt ↑", act: act(moveBlock(-1)) },
    { label: "Move down", keys: "Alt ↓", act: act(moveBlock(1)) },
    { label: "Delete", act: act(deleteBlock) },
  ]);
}

async function copyLink({ view, words }, index) {
  words.textContent = "";
  try {
    await copyText(await addressOf(view, index));
    words.textContent = "The link was copied.";
  } catch {
    words.textContent = "The link was not copied.";
  }
}

/** Opens the form for a comment on the outermost block. */
function comment({ dom, state }, index) {
  const detail = { key: state.doc.child(index).attrs.key ?? String(index) };
  dom.dispatchEvent(new CustomEvent("quire:comment", { bubbles: true, detail }));
}
