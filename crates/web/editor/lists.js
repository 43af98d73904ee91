// The lists of suggestions: blocks, pages of the change request, people and pages to mention, and emoji.
import { element } from "./element.js";
import { emojiOf, mentionsOf, pagesOf, ranked, titled } from "./choices.js";
import { BLOCKS, lastUsed, use } from "./inserting.js";
import { schema } from "./schema.js";
import shapes from "./shapes.json" with { type: "json" };
import { requestOf } from "./uploads.js";

const { nodes, marks } = schema;
/** Maximum number of entries shown by a search. */
const SHOWN = 9;

/** Returns a search function over loaded entries. */
const finder = (entries) => (query) => ranked(entries, query).slice(0, SHOWN);

/** Label, search and action of each list. */
const LISTS = {
  blocks: () => ({
    label: "Blocks",
    find: (query) => (query.trim() ? ranked(BLOCKS, query) : [...lastUsed(), ...BLOCKS]),
    choose(view, block) {
      use(block);
      block.command(view.state, view.dispatch, view);
    },
  }),
  pages: async (view) => ({
    label: "Pages",
    find: finder((await pagesOf(requestOf(view.state))).map(({ id, title, above }) => ({ id, name: title, about: above }))),
    choose(view, { id, name }) {
      const link = marks.link.create({ data: { ref: { kind: "page", page: id } } });
      view.dispatch(view.state.tr.replaceSelectionWith(schema.text(name, [link]), false).scrollIntoView());
    },
  }),
  mentions: async (view) => ({
    label: "People and pages",
    find: finder(await mentionsOf(requestOf(view.state))),
    choose(view, { value, name }) {
      titled(value, name);
      insertInline(view, nodes.mention.create({ data: { ref: value } }));
    },
  }),
  emoji: async () => ({
    label: "Emoji",
    find: finder(await emojiOf()),
    choose: (view, { value }) => insertInline(view, nodes.emoji.create({ data: { code: value } })),
  }),
};

function insertInline(view, node) {
  view.dispatch(view.state.tr.replaceSelectionWith(node, true).insertText(" ").scrollIntoView());
}

/** Returns an icon. */
export function shape(name) {
  const text = `<svg xmlns="http://www.w3.org/2000/svg" class="i" viewBox="0 0 24 24" aria-hidden="true">${shapes[name]}</svg>`;
  return document.adoptNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement);
}

/** Returns a name with the typed part highlighted. */
function highlighted(name, query) {
  const at = query ? name.toLowerCase().indexOf(query) : -1;
  if (at < 0) return [name];
  return [name.slice(0, at), element("mark", {}, name.slice(at, at + query.length)), name.slice(at + query.length)];
}

function option(id, { name, about, icon, sign, keys }, index, query) {
  const tile = icon ?? sign ? element("span", { class: "tile", "aria-hidden": "true" }, icon ? shape(icon) : sign) : "";
  const words = element("span", {}, element("b", {}, ...highlighted(name, query)), about ? element("small", {}, about) : "");
  const hint = keys ? element("kbd", { class: "k", "aria-hidden": "true" }, keys) : "";
  return element("div", { role: "option", id: `${id}-${index}`, "data-index": index, "aria-selected": "false" }, tile, words, hint);
}

/** Loads a list and creates its element. `take` chooses an entry by index. */
export async function listOf(name, view, take) {
  const { label, find, choose } = await LISTS[name](view);
  const id = `editor:${name}`;
  const list = element("div", { class: "slash", role: "listbox", id, "aria-label": label, tabindex: 0, hidden: true });
  const foot = element("p", { class: "foot", "aria-hidden": "true" });
  for (const [keys, what] of [["↑↓", "choose"], ["↵", "insert"], ["Esc", "close"]]) foot.append(element("kbd", { class: "k" }, keys), ` ${what}`);
  view.dom.after(list);
  list.addEventListener("mousedown", (event) => {
    const chosen = event.target.closest("[role=option]");
    event.preventDefault();
    if (chosen) take(Number(chosen.dataset.index));
  });
  let shown;

  /** Shows the entries, grouped by section while there is no query. */
  function fill({ hits, query }) {
    const wanted = query.trim().toLowerCase();
    const head = (words) => element("p", { class: "head", "aria-hidden": "true" }, words);
    const options = hits.map((hit, index) => option(id, hit, index, wanted));
    const groups = wanted || !hits[0].section ? [[wanted ? `${label} that match “${query.trim()}”` : label, options]] : [];
    if (groups.length === 0) {
      hits.forEach(({ section }, index) => {
        if (groups.at(-1)?.[0] !== section) groups.push([section, []]);
        groups.at(-1)[1].push(options[index]);
      });
    }
    const group = ([words, inside]) => element("div", { role: "group", "aria-label": words }, head(words), ...inside);
    list.replaceChildren(...groups.map(group), foot);
  }

  function hide() {
    if (!list.hidden) for (const attribute of ["aria-activedescendant", "aria-controls"]) view.dom.removeAttribute(attribute);
    list.hidden = true;
    shown = undefined;
  }

  function show(menu) {
    if (!list.isConnected) view.dom.after(list);
    if (!menu) return hide();
    list.hidden = false;
    if (shown?.hits !== menu.hits) fill(menu);
    shown = menu;
    list.querySelector("[aria-selected=true]")?.setAttribute("aria-selected", "false");
    const current = list.querySelector(`[data-index="${menu.index}"]`);
    current.setAttribute("aria-selected", "true");
    if (menu.index === 0) list.scrollTop = 0;
    else current.scrollIntoView({ block: "nearest" });
    view.dom.setAttribute("aria-controls", id);
    view.dom.setAttribute("aria-activedescendant", current.id);
    const caret = view.coordsAtPos(menu.from);
    const isBelow = window.innerHeight - caret.bottom > list.offsetHeight + 8;
    list.style.setProperty("left", `${Math.max(8, Math.min(caret.left, window.innerWidth - list.offsetWidth - 8))}px`);
    list.style.setProperty("top", `${isBelow ? caret.bottom + 4 : Math.max(8, caret.top - list.offsetHeight - 4)}px`);
    return undefined;
  }

  return { find, choose, show, destroy: () => list.remove() };
}
