// Notices of blocks that two people changed at once, with both versions.
import { element } from "./element.js";
import { wordsOf } from "./words.js";

const version = (name, json) =>
  element("figure", {}, element("figcaption", {}, name), element("pre", {}, wordsOf(json) || "(removed)"));

/** Shows conflicts above a page. The stored version is the other person's; both are kept until one is chosen. */
export function showConflicts(page, conflicts) {
  for (const conflict of conflicts) {
    const settle = async () => {
      const left = ((await page.conflicts.get()) ?? []).filter((other) => other.id !== conflict.id);
      await (left.length > 0 ? page.conflicts.put(left) : page.conflicts.remove());
      await page.showConflicts(left);
    };
    const index = Number.parseInt(conflict.path, 10) || 0;
    const last = index + conflict.length - 1;
    const keepBoth = () => {
      page.editor.insertAfter(last, conflict.ours.nodes);
      return settle();
    };
    const keepMine = () => {
      const shown = page.editor.document();
      const theirs = { ...shown, nodes: shown.nodes.slice(index, last + 1) };
      // Blocks that were edited or moved meanwhile remain.
      const isReplaced = wordsOf(theirs) === wordsOf(conflict.theirs);
      page.editor.insertAfter(last, conflict.ours.nodes, isReplaced ? conflict.length : 0);
      return settle();
    };
    const notice = page.notice(
      `conflict-${conflict.id}`,
      "Somebody else changed the same paragraph. Theirs is on the page.",
      ["Add mine below it", keepBoth],
      ["Use mine", keepMine],
      ["Keep theirs", settle],
    );
    notice.dataset.conflict = conflict.id;
    notice.append(element("div", { class: "versions" }, version("Yours", conflict.ours), version("Theirs", conflict.theirs)));
  }
}
