// Comments stay on their blocks.
import { base, call, page as inserted, space as createSpace, write } from "../../support/api.ts";
import { headers } from "../../support/editor.ts";
import { expect, test } from "../../support/reader.ts";

const BLOCK = "Copies are kept for 30 days.";

test("a comment stays on its block after insertions, edits, updates and a move to another page, and keeps the words of a deleted block", async ({ reader, page }) => {
  await page.setExtraHTTPHeaders(headers);
  const space = await createSpace("Anchors");
  await write(space, [inserted("Backups", `One.\n\n${BLOCK}\n\nThree.`), inserted("Archive", "First.")]);
  const { pages } = await call("GET", `/spaces/${space}/content/pages`);
  const [backups, archive] = pages.map((one: { id: string }) => one.id);
  const { number } = await call("POST", `/spaces/${space}/change-requests`, { subject: "Anchors" });
  const request = `/spaces/${space}/change-requests/${number}`;
  const edit = (path: string, id: string, markdown: string) =>
    call("POST", `${path}/content`, { changes: [{ operation: "update_page", page: id, document: { markdown } }] });
  await call("POST", `${request}/comments`, { body: { markdown: "Is this so?" }, page: backups, node: "1" });
  const thread = page.getByRole("article", { name: /^Comment by/ });
  const isOn = async (words: string) => {
    await reader.open(`${base}/s/${space}/~/changes/${number}/backups`);
    await expect(page.getByRole("button", { name: `1 comment on: ${words}` })).toBeVisible();
  };
  await isOn(BLOCK);

  await edit(request, backups, `Zero.\n\nOne.\n\n${BLOCK}\n\nThree.`);
  await isOn(BLOCK);

  const edited = "Copies are kept for 60 days.";
  await edit(request, backups, `Zero.\n\nOne.\n\n${edited}\n\nThree.`);
  await isOn(edited);

  await edit(`/spaces/${space}`, backups, `One.\n\n${BLOCK}\n\nThree.\n\nOf the space.`);
  expect((await call("POST", `${request}/update`, {})).result).not.toBe("conflicts");
  await isOn(edited);
  await expect(page.getByRole("main")).toContainText("Of the space.");

  // After its block moves to another page and is edited, the comment is there, and the former page links to it.
  const moved = "Copies are kept for 90 days here.";
  await edit(request, backups, "Zero.\n\nOne.\n\nThree.");
  await edit(request, archive, `First.\n\n${moved}`);
  await reader.open(`${base}/s/${space}/~/changes/${number}/backups`);
  await expect(thread).toContainText("Moved to Archive");
  await expect(thread).toContainText(`“${BLOCK}”`);
  await reader.isAccessible("a comment whose block is on another page");
  await thread.getByRole("link", { name: "Archive" }).click();
  await expect(page.getByRole("heading", { name: "Archive", level: 1 })).toBeVisible();
  await expect(thread).toContainText("Moved from Backups");
  await expect(page.getByRole("button", { name: `1 comment on: ${moved}` })).toBeVisible();
  await reader.isAccessible("a comment from another page");

  // When the block is deleted everywhere, its words remain.
  await edit(request, archive, "First.");
  await reader.open(`${base}/s/${space}/~/changes/${number}/backups`);
  await expect(thread).toContainText("On deleted text");
  await expect(thread).toContainText(`“${BLOCK}”`);
  await reader.isAccessible("a comment on deleted text");

  await edit(request, backups, `Zero.\n\nOne.\n\n${edited}\n\nThree.`);
  await isOn(edited);
});
