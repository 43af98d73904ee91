// What can be chosen in lists and forms: pages, people, emoji, icons, reusable contents, pictures and blocks of integrations.
import { fileUrls } from "./atoms.js";
import { toBlock } from "./convert.js";
import { titles } from "./schema.js";

/** Maximum number of people in a list. */
const MOST_PEOPLE = 1_000;

const spaceOf = (request) => request.replace(/\/change-requests\/.*/, "");
const apiOf = (request) => request.replace(/\/spaces\/.*/, "");

/** Returns the response to a request. Undefined for a resource that the user may not see. */
async function asked(url) {
  const response = await fetch(url, { headers: { Accept: "application/json" } });
  if (response.status === 403 || response.status === 404) return undefined;
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  return response.json();
}

/** Returns the pages of the change request, with their titles and the titles of their ancestors. */
export async function pagesOf(request) {
  const { pages } = (await asked(`${request}/content/pages`)) ?? { pages: [] };
  const flat = (list, above) =>
    list.flatMap((page) => [
      ...(page.type === "document" ? [{ id: page.id, title: page.title, above }] : []),
      ...flat(page.pages ?? [], `${above}${page.title} / `),
    ]);
  return flat(pages, "");
}

/**
 * Returns the entries that match a query in their name or keywords: first by the start of the name, then of a word,
 * then any other part. Queries of one or two letters match only at the start of words.
 */
export function ranked(entries, query) {
  const wanted = query.trim().toLowerCase();
  const rank = ({ name, words = "" }) => {
    const text = `${name} ${words}`.toLowerCase();
    if (!wanted || name.toLowerCase() === wanted || words === wanted) return 0;
    if (text.startsWith(wanted)) return 1;
    if (text.split(/[\s:]+/).some((word) => word.startsWith(wanted))) return 2;
    return text.includes(wanted) && (wanted.length > 2 || !/^[a-z]*$/.test(wanted)) ? 3 : 4;
  };
  return entries.map((entry) => [rank(entry), entry])
    .filter(([at]) => at < 4)
    .sort(([a], [b]) => a - b)
    .map(([, entry]) => entry);
}

/** Stores the title of a reference's target, for mentions of it. */
export const titled = (ref, name) => titles.set(JSON.stringify(ref), ref.kind === "user" ? `@${name}` : name);

/** Returns entries for mentions: people who can see the space, and the pages of the change request. */
export async function mentionsOf(request) {
  const [people, pages] = await Promise.all([asked(`${spaceOf(request)}/permissions/aggregate?limit=${MOST_PEOPLE}`), pagesOf(request)]);
  return [
    ...(people?.items ?? []).map(({ user: { id, displayName, email } }) => ({ name: displayName, words: email, about: email, sign: "@", value: { kind: "user", user: id } })),
    ...pages.map(({ id, title, above }) => ({ name: title, about: above, icon: "link", value: { kind: "page", page: id } })),
  ];
}

/** Returns the code of an emoji in the form that documents store. */
const codeOf = (emoji) => Array.from(emoji, (sign) => sign.codePointAt(0).toString(16)).join("-");

/** Returns all emoji. */
export async function emojiOf() {
  const { emoji } = await import("./editor-signs.js");
  return Object.entries(emoji).map(([sign, names]) => {
    const [name, words] = names.split("|");
    return { name, words, sign, value: codeOf(sign) };
  });
}

/** Returns the names of all icons. */
export async function iconsOf() {
  const { icons } = await import("./editor-signs.js");
  return icons.map((name) => ({ name, value: name }));
}

/** Returns the reusable contents of the change request. */
export async function reusableOf(request) {
  const content = await asked(`${request}/content`);
  return (content?.reusableContents ?? []).map(({ id, title }) => ({ name: title, value: { kind: "reusable-content", reusableContent: id } }));
}

/** Returns the pictures of the change request. */
export async function picturesOf(request) {
  const files = await asked(`${request}/content/files?limit=1000`);
  const pictures = (files?.items ?? []).filter(({ contentType }) => contentType?.startsWith("image/"));
  for (const { id, downloadURL } of pictures) fileUrls.set(id, downloadURL);
  return pictures.map(({ id, name }) => ({ name, value: { kind: "file", file: id } }));
}

/** Returns the blocks of the integrations that the organization can use. */
export async function integrationBlocksOf(request) {
  const { organization } = document.body.dataset;
  const found = organization && (await asked(`${apiOf(request)}/orgs/${organization}/integrations?limit=100`));
  return (found?.items ?? []).flatMap(({ name, title, blocks = [] }) =>
    blocks.map((block) => ({ name: `${title}: ${block.title ?? block.id}`, value: { integration: name, block: block.id } })),
  );
}

/** Blocks to render by the address of the change request, until the script that collects them ends. */
const toRender = new Map();

/** Returns the server's elements of blocks, in one request. Undefined for an empty one. */
async function renderAll(request, blocks) {
  // A column of its own has all elements of a block.
  const columns = blocks.map((block) => ({ object: "block", type: "column", isVoid: false, data: {}, nodes: [block] }));
  const nodes = [{ object: "block", type: "columns", isVoid: false, data: {}, nodes: columns }];
  const response = await fetch(`${request}/content/render`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ document: { document: { object: "document", data: {}, nodes } } }),
  });
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  const { html } = await response.json();
  const { body } = new DOMParser().parseFromString(html, "text/html");
  const found = [...body.querySelectorAll(":scope > .columns > .column")];
  return found.map(({ firstElementChild: first }) => first && globalThis.document.adoptNode(first));
}

/** Returns the server's element of a block. Undefined if it is empty. Blocks of the same moment share a request. */
export async function rendered(request, node) {
  if (!toRender.has(request)) {
    const blocks = [];
    const answer = new Promise((resolve) => setTimeout(resolve)).then(() => {
      toRender.delete(request);
      return renderAll(request, blocks);
    });
    toRender.set(request, { blocks, answer });
  }
  const { blocks, answer } = toRender.get(request);
  const at = blocks.push(toBlock(node)) - 1;
  return (await answer)[at];
}
