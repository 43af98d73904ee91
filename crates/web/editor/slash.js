// The menu of blocks that opens on "/", and that of pages that opens on "[[".
import { pagesOf } from "./forms.js";
import { parts } from "./later.js";
import { found } from "./menus.js";
import { schema } from "./schema.js";
import { suggest } from "./suggest.js";
import { requestOf } from "./uploads.js";

export function slash() {
  let about = {};
  return suggest({
    name: "slash",
    label: "Blocks",
    sign: /(?:^|\s)\/([\w ]{0,20})$/,
    length: 1,
    async load() {
      about = (await parts()).ABOUT;
    },
    find: (query) => found(query).map((block) => ({ ...block, about: about[block.name] })),
    choose: (view, { command }) => command(view.state, view.dispatch, view),
  });
}

/** Returns the plugin for links to pages of the change request. */
export function pageLinks() {
  let pages = [];
  const rank = (title, wanted) => {
    const text = title.toLowerCase();
    if (text.startsWith(wanted)) return 0;
    return text.split(/\s+/).some((word) => word.startsWith(wanted)) ? 1 : 2;
  };
  return suggest({
    name: "pages",
    label: "Pages",
    sign: /\[\[([^\][]{0,40})$/,
    length: 2,
    async load(view) {
      pages = (await pagesOf(requestOf(view.state))).map(({ id, title, above }) => ({ id, name: title, about: above }));
    },
    find(query) {
      const wanted = query.trim().toLowerCase();
      const hits = pages.filter(({ name }) => name.toLowerCase().includes(wanted));
      return hits.map((page) => [rank(page.name, wanted), page]).sort(([a], [b]) => a - b).map(([, page]) => page);
    },
    choose(view, { id, name }) {
      const link = schema.marks.link.create({ data: { ref: { kind: "page", page: id } } });
      view.dispatch(view.state.tr.replaceSelectionWith(schema.text(name, [link]), false).scrollIntoView());
    },
  });
}
