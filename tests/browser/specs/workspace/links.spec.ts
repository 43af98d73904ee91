// Links to pages that are renamed, moved and deleted.
import { base, call, page as inserted, space as createSpace, write } from "../../support/api.ts";
import { draft, edit, headers, status } from "../../support/editor.ts";
import { expect, test } from "../../support/reader.ts";

test.beforeEach(async ({ page, reader: _ }) => {
  await page.setExtraHTTPHeaders(headers);
});

test("links to a page that was renamed and moved work", async ({ reader, page }) => {
  const space = await createSpace("Linked pages");
  await write(space, [inserted("Harbor", "Start."), inserted("Pier", "All boats."), inserted("Docks", "Many.")]);
  const { pages } = await call("GET", `/spaces/${space}/content/pages`);
  const [harbor, pier, docks] = pages.map(({ id }: { id: string }) => id);
  await write(space, [{ operation: "update_page", page: harbor, document: { markdown: `See [the pier](/pages/${pier}).` } }]);
  await write(space, [{ operation: "update_page", page: pier, title: "Long pier", slug: "long-pier", into: docks }]);
  await reader.open(`${base}/s/${space}/harbor`);
  await page.getByRole("link", { name: "the pier" }).click();
  await expect(page).toHaveURL(`${base}/s/${space}/docks/long-pier`);
  await expect(page.getByText("All boats.")).toBeVisible();
});

test("who links to a page is named before it is deleted", async ({ page }) => {
  const at = await draft("Pier", "All boats.", inserted("Harbor", "Start."), inserted("Docks", "Many."));
  const { pages } = await call("GET", `/spaces/${at.space}/change-requests/${at.number}/content/pages`);
  const link = (title: string) => {
    const { id } = pages.find((found: { title: string }) => found.title === title);
    return { operation: "update_page", page: id, document: { markdown: `See [the pier](/pages/${at.pageId}).` } };
  };
  await call("POST", `/spaces/${at.space}/change-requests/${at.number}/content`, { changes: [link("Harbor")] });
  await edit(page, at);
  const words = "“Harbor” links to this page. That link will break.";
  // In the tree.
  const row = page.getByRole("navigation", { name: "Space" }).getByRole("link", { name: "Pier", exact: true });
  await row.focus();
  await page.keyboard.press("Delete");
  const question = page.getByRole("dialog", { name: "Delete" });
  await expect(question).toContainText(words);
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(row).toBeFocused();
  // In the menu of the page.
  await page.getByRole("main").getByText("Page", { exact: true }).click();
  await page.getByRole("button", { name: "Delete…" }).click();
  await expect(page.getByRole("dialog", { name: "Delete the page?" }).getByRole("status")).toHaveText(words);
  await page.keyboard.press("Escape");
  // Two pages link to it.
  await call("POST", `/spaces/${at.space}/change-requests/${at.number}/content`, { changes: [link("Docks")] });
  await row.focus();
  await page.keyboard.press("Delete");
  await expect(question).toContainText(/“\w+” and “\w+” link to this page\./);
  await question.getByRole("button", { name: "Delete" }).click();
  await expect(page).toHaveURL(/~\/changes\/1$/);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(row).toBeVisible();
});

test("a page that is added in the tree has the address of its first name, also after a reload", async ({ page }) => {
  const at = await draft("Home", "Start.");
  await edit(page, at);
  const tree = page.getByRole("navigation", { name: "Space" });
  await page.getByRole("button", { name: "Add a page" }).click();
  await expect(tree.getByRole("textbox", { name: "Title of the page" })).toBeFocused();
  await page.keyboard.type("Tide tables");
  await page.keyboard.press("Enter");
  await expect(tree.getByRole("link", { name: "Tide tables" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/tide-tables$/);
  await expect(page.getByRole("textbox", { name: "Tide tables", exact: true })).toBeFocused();
  await page.keyboard.type("Twice a day.");
  await expect(status(page)).toHaveText("Saved");
  await page.reload();
  await expect(tree.getByRole("link", { name: "Tide tables" })).toBeVisible();
  await expect(page.getByRole("main")).toContainText("Twice a day.");
});
