// Comments on words of a difference, and change requests listed on the pages that they change.
import { base, call, page as inserted, space, token, write } from "../../support/api.ts";
import { expect, NARROW, replaceAssets, test, WIDE } from "../../support/reader.ts";
import type { Locator } from "@playwright/test";

const folder = process.env.QUIRE_SCREENS ?? "";

async function changed(title: string, before: string, after: string) {
  const id = await space(`Space of ${title}`);
  await write(id, [inserted("Home", "Start."), inserted(title, before)]);
  const { pages } = await call("GET", `/spaces/${id}/content/pages`);
  const { number } = await call("POST", `/spaces/${id}/change-requests`, { subject: `Edit ${title}` });
  const changes = [{ operation: "update_page", page: pages[1].id, document: { markdown: after } }];
  await call("POST", `/spaces/${id}/change-requests/${number}/content`, { changes });
  return { id, number, page: pages[1], path: `/spaces/${id}/change-requests/${number}` };
}

/** Selects from the start of one text to the end of another or the same one. */
async function select(from: Locator, to: Locator): Promise<void> {
  const end = (await to.elementHandle())!;
  await from.evaluate((start, end) => getSelection()!.setBaseAndExtent(start, 0, end!, end!.childNodes.length), end);
}

test.beforeEach(async ({ page }) => {
  await replaceAssets(page);
  await page.setExtraHTTPHeaders({ authorization: `Bearer ${token}` });
});

test("a comment quotes words of the changed text", async ({ reader, page }) => {
  const at = await changed("Lines", "Ferry sends a folder to one host.\n\nSame.\n\n- Old item", "Ferry sends two folders to one host.\n\nSame.\n\n- New item");
  await reader.open(`${base}/s/${at.id}/~/changes/${at.number}`);
  const difference = page.getByRole("region", { name: "Lines" });
  const line = difference.getByRole("paragraph").filter({ hasText: "Ferry sends" });
  // The comment quotes no removed words.
  await line.evaluate((element) => getSelection()!.setBaseAndExtent(element.firstChild!, "Ferry ".length, element.lastChild!, " to one".length));
  const offer = difference.getByRole("button", { name: "Comment on the words" });
  await expect(offer).toBeVisible();
  await reader.isAccessible("words of a difference");
  await page.screenshot({ path: `${folder}/workspace-changed-words-1440-light.png` });
  await offer.click();
  const field = page.getByRole("textbox", { name: "New comment" });
  await expect(field).toBeFocused();
  await expect(page.getByText("“sends two folders to one”")).toBeVisible();
  await field.fill("Why two?");
  await field.press("Control+Enter");
  await expect(page.getByRole("article", { name: /^Comment by/ })).toContainText("Why two?");
  const { items } = await call("GET", `${at.path}/comments`);
  expect(items[0].target).toMatchObject({ page: { id: at.page.id }, node: { id: "0", quote: { text: "sends two folders to one", offset: 6 } } });
  // Of several blocks, the comment quotes the selected words of the first.
  await page.getByRole("heading", { level: 1 }).click();
  await select(difference.getByRole("listitem").filter({ hasText: "item" }).first(), difference);
  await page.keyboard.press("c");
  await expect(field).toBeFocused();
  await expect(page.getByText("“New item”")).toBeVisible();
  await page.getByRole("button", { name: "Whole change request" }).click();
  await expect(page.getByText("“New item”")).toHaveCount(0);
  await field.fill("All of it.");
  await field.press("Control+Enter");
  await expect(page.getByRole("article", { name: /^Comment by/ })).toHaveCount(2);
  const { items: all } = await call("GET", `${at.path}/comments`);
  expect(all.filter((item: any) => item.target.page).length).toBe(1);
});

test("a page names the change requests that change it", async ({ reader, page }) => {
  const at = await changed("Anchors", "One.", "Two.");
  const address = `${base}/s/${at.id}/${at.page.path}`;
  await reader.open(address);
  await expect(page.getByText("1 draft of yours changes this page:")).toBeVisible();
  await call("PATCH", at.path, { status: "open" });
  for (const [name, viewport] of [["390", NARROW], ["1440", WIDE]] as const) {
    await page.setViewportSize(viewport);
    await reader.open(address);
    await expect(page.getByText("1 open change request changes this page:")).toBeVisible();
    await reader.fits();
    await reader.isAccessible(`open changes ${name}`);
    await page.screenshot({ path: `${folder}/workspace-open-changes-${name}-light.png` });
  }
  await reader.open(`${base}/s/${at.id}`);
  await expect(page.getByText("this page:")).toHaveCount(0);
  await reader.open(address);
  await page.getByRole("main").getByRole("link", { name: `#${at.number} Edit Anchors` }).click();
  await expect(page).toHaveURL(`${base}/s/${at.id}/~/changes/${at.number}`);
});
