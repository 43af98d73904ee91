// What the palette finds: actions of the page, destinations, pages by title, and texts. Concatenated with keys.js.

/** Maximum number of searched organizations on a page without one. */
const MOST_SEARCHED = 5;

/** Searched organizations: that of the page, or all of the user's. */
let searched = organization ? Promise.resolve([organization]) : undefined;
const toSearch = () => {
  const load = async () => {
    const response = await fetch(`${base}/v1/orgs?limit=${MOST_SEARCHED}`, { headers: { Accept: "application/json" } });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error?.message);
    return answer.items.map(({ id }) => id);
  };
  searched ??= load().catch((error) => {
    searched = undefined;
    throw error;
  });
  return searched;
};

/** Moves an address to the host of this page. */
const local = (address) => {
  const { pathname, hash } = new URL(address);
  return pathname + hash;
};

const option = (palette, index, href, title, about, kind) =>
  make("a", { role: "option", id: `palette:${index}`, href, tabindex: "-1", "aria-selected": "false" }, palette.icon(kind), make("span", {}, title), make("small", {}, about));

/** Pages of the organization other than content: title, path and icon. */
const DESTINATIONS = [
  ["Change requests", "changes", "git-pull-request"],
  ["People", "people", "users"],
  ["Invitations", "invites", "mail"],
  ["Teams", "teams", "users"],
  ["Sign-in", "sign-in", "key-round"],
  ["Settings of the organization", "settings", "settings"],
  ["Custom fields", "fields", "list"],
  ["API specifications", "openapi", "file-text"],
  ["Translations", "translations", "globe"],
  ["Integrations", "integrations", "layers"],
  ["Webhooks", "webhooks", "git-merge"],
  ["Audit log", "audit", "history"],
  ["Deleted spaces", "deleted", "trash-2"],
];

/** Returns whether a word of a title starts like the query. */
const startsLike = (title, query) => ` ${title.toLowerCase()}`.includes(` ${query.toLowerCase()}`);

/** Shows pages by title, then matches in texts and actions. `spaces` is undefined while these load. */
const show = (palette, query, home, titles, spaces) => {
  const options = [];
  const add = (...parts) => options.push(option(palette, options.length, ...parts));
  for (const [title, path, kind] of home ? DESTINATIONS : []) {
    if (startsLike(title, query)) add(`${base}/o/${home}/${path}`, title, "Organization", kind);
  }
  const shown = new Set();
  const addPage = ({ id, title, ancestors, urls }, space) => {
    if (shown.has(id)) return;
    shown.add(id);
    add(local(urls.app), title, [space, ...ancestors.map((ancestor) => ancestor.title)].join(" › "), "file-text");
  };
  for (const page of titles) addPage(page, page.space.title);
  for (const space of spaces ?? []) {
    for (const page of space.pages) {
      addPage(page, space.title);
      for (const section of page.sections ?? []) {
        if (section.title) add(local(section.urls.app), section.title, `${page.title} · ${section.body}`, "list");
      }
    }
  }
  for (const { title, keys, kind, act } of spaces ? actions() : []) {
    if (!startsLike(title, query)) continue;
    add("#", title, named(keys), kind);
    options.at(-1).addEventListener("click", (event) => {
      event.preventDefault();
      palette.dialog.close();
      act();
    });
  }
  const { list, input, status } = palette;
  // Keeps the choice when more results arrive.
  const chosen = list.querySelector("[aria-selected='true']")?.href;
  list.replaceChildren(...options);
  input.setAttribute("aria-expanded", String(options.length > 0));
  if (spaces && query) status.textContent = options.length ? `Results: ${options.length}` : "No results. Try other words.";
  palette.select(options.find((other) => other.href === chosen) ?? (query ? options[0] : undefined));
};

/** Finds what the words in the palette name. */
export const find = async (palette) => {
  const query = palette.input.value.trim();
  palette.request?.abort();
  if (!query) {
    show(palette, query, undefined, [], []);
    palette.status.textContent = "Type to search pages and settings.";
    return;
  }
  const request = (palette.request = new AbortController());
  palette.status.textContent = "Searching…";
  const read = async (id, path) => {
    const address = `${base}/v1/orgs/${id}/${path}query=${encodeURIComponent(query)}`;
    const response = await fetch(address, { signal: request.signal });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error?.message ?? answer.message);
    return answer.items;
  };
  try {
    const ids = await toSearch();
    const all = async (path) => (await Promise.all(ids.map((id) => read(id, path)))).flat();
    const texts = all("search?limit=8&");
    // Awaited after the titles, which may fail first.
    texts.catch(() => undefined);
    const titles = await all("titles?");
    if (palette.request === request) show(palette, query, ids[0], titles);
    const spaces = await texts;
    if (palette.request === request) show(palette, query, ids[0], titles, spaces);
  } catch (error) {
    if (error.name !== "AbortError") palette.status.textContent = `The search failed: ${error.message ?? "try again"}`;
  }
};
