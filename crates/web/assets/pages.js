// Changes of pages and files in the caller's draft. Concatenated with actions.js.

/** Makes a content change, in a change request or in the caller's draft. The form's fields are its members. */
ACTIONS.change = async ({ space, change, subject, body, next, done }, _, button) => {
  const number = change ?? (await draftOf(space, subject)).number;
  const made = await bodyOf(button.form ?? { elements: [] }, body);
  await call("POST", `spaces/${space}/change-requests/${number}/content`, { changes: [made] });
  if (done === undefined) return next?.replace("{number}", number);
  say(button, done, "status");
  return null;
};

/** Copies a page, in a change request or in the caller's draft. */
ACTIONS.duplicate = async ({ space, change, page, into, title }) => {
  const number = change ?? (await draftOf(space, `Copy ${title}`)).number;
  const content = `spaces/${space}/change-requests/${number}/content`;
  const { document } = await call("GET", `${content}/page/${page}`);
  const copy = { operation: "insert_page", title: shortened(`${title} (copy)`), document: document ? { document } : { markdown: "" } };
  await call("POST", content, { changes: [{ ...copy, ...(into ? { into } : {}) }] });
  return `s/${space}/~/changes/${number}`;
};

/** Requests a PDF and opens it. */
ACTIONS.pdf = async ({ url }) => {
  location.assign((await call("GET", url)).url);
  return null;
};

/** Opens a preview of a site, optionally with the change request in the form. */
ACTIONS.preview = async ({ url }, data) => {
  const query = data.get("change");
  location.assign((await call("GET", query ? `${url}?${query}` : url)).url);
  return null;
};

/** Publishes a space as a site and opens it. A site that was created is kept if a later step fails. */
ACTIONS.publish = async ({ organization, space, site }, data, button) => {
  const sites = `orgs/${organization}/sites`;
  const id = site ?? (await call("POST", sites, { title: data.get("title").trim(), spaces: [space] })).id;
  button.dataset.site = id;
  const basename = data.get("basename").trim();
  if (basename) await call("PATCH", `${sites}/${id}`, { basename });
  await call("POST", `${sites}/${id}/publish`);
  return `o/${organization}/sites/${id}`;
};

/** Lists the possible parents of a page when the dialog opens. */
document.addEventListener("click", async ({ target }) => {
  const id = target.closest?.("button[data-dialog]")?.dataset.dialog;
  const select = id && document.getElementById(id).querySelector("select[data-pages]:disabled");
  if (!select) return;
  const { page: own, parent } = select.dataset;
  const flat = (pages, above) =>
    pages
      .filter((page) => page.id !== own && (page.type === "document" || page.type === "group"))
      .flatMap((page) => [[page.id, `${above}${page.title}`], ...flat(page.pages ?? [], `${above}${page.title} / `)]);
  try {
    const { pages } = await call("GET", select.dataset.pages);
    select.append(...flat(pages, "").map(([value, title]) => new Option(title, value, value === parent, value === parent)));
    select.disabled = false;
  } catch (error) {
    say(select, error.message);
  }
});

/** Number of pages in a sentence. */
const NAMED = 5;

/** Returns a sentence about pages that link to a deleted page and remain. Undefined without any. */
const linkingTo = async (path, gone) => {
  const { items } = await call("GET", `${path}?limit=50`);
  const titles = items.filter(({ page }) => !gone.includes(page?.id)).map(({ page, reusableContent }) => (page ?? reusableContent)?.title);
  const names = [...new Set(titles.filter(Boolean))].map((title) => `“${title}”`);
  if (names.length === 0) return undefined;
  const shown = names.length > NAMED ? [...names.slice(0, NAMED), `${names.length - NAMED} more`] : names;
  const list = new Intl.ListFormat("en").format(shown);
  return names.length === 1 ? `${list} links to this page. That link will break.` : `${list} link to this page. Their links will break.`;
};

/** Lists the pages that link to a page when its deletion dialog opens. */
document.addEventListener("click", async ({ target }) => {
  const id = target.closest?.("button[data-dialog]")?.dataset.dialog;
  const place = id && document.getElementById(id).querySelector("[data-linking]:empty");
  if (!place) return;
  place.textContent = (await linkingTo(place.dataset.linking, [place.dataset.page]).catch(() => undefined)) ?? "";
});

// Buttons that show and hide the next element.
const fold = (button, isOpen) => {
  button.ariaExpanded = isOpen;
  button.nextElementSibling.hidden = !isOpen;
};

// A choice, a click elsewhere or Escape closes a menu.
document.addEventListener("click", ({ target }) => {
  const pressed = target.closest?.("button[data-folds]");
  if (pressed) fold(pressed, pressed.ariaExpanded === "false");
  for (const open of document.querySelectorAll(".menu > [aria-expanded='true']")) if (open !== pressed) fold(open, false);
});
document.addEventListener("keydown", (event) => {
  const open = event.key === "Escape" && document.activeElement?.closest(".menu")?.querySelector("[aria-expanded='true']");
  if (!open) return;
  fold(open, false);
  open.focus();
});

// Makes the tree of a change request editable.
for (const root of document.querySelectorAll(".tree[data-script]")) {
  import(root.dataset.script).then(({ PageTree }) => new PageTree(root, { actions: ACTIONS, announced, base, call, confirmed, leaving, linkingTo, make }));
}
