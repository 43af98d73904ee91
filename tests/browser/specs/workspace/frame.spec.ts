// Frame of all workspace pages.
import { organization, page as inserted, space as createSpace, token, write } from "../../support/api.ts";
import { expect, replaceAssets, test } from "../../support/reader.ts";

const base = process.env.QUIRE_BASE_URL ?? "";

test.beforeEach(async ({ page }) => {
  await replaceAssets(page);
  await page.setExtraHTTPHeaders({ authorization: `Bearer ${token}` });
});

test("the theme and the organizations of the frame", async ({ page }) => {
  await page.goto(`${base}/o/${organization}`);
  await page.getByRole("combobox", { name: "Theme" }).selectOption("Dark");
  await page.reload();
  await expect(page.getByRole("combobox", { name: "Theme" })).toHaveValue("dark");
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe("dark");
  await page.getByRole("button", { name: "Switch organization" }).click();
  const menu = page.getByRole("navigation", { name: "Your organizations" });
  await expect(menu.getByRole("link", { name: "Walk" })).toBeInViewport();
  await expect(menu.getByRole("link", { name: "All organizations" })).toBeInViewport();
});

test("the search opens on pages of no organization: the account, the inbox, and addresses without a page", async ({ reader, page }, info) => {
  const space = await createSpace("Search everywhere");
  // Other tests and earlier tries write pages in the same organization, so the word is unique to this try.
  const word = `heliograph${info.retry}`;
  const title = `Keeping ${word}`;
  await write(space, [inserted(title, "Lamps.")]);
  for (const [path, status] of [["/~/account", 200], ["/~/inbox", 200], ["/o/absent", 404], [`/s/${space}/absent`, 404]] as const) {
    await reader.open(`${base}${path}`, status);
    const search = page.getByRole("dialog", { name: "Search" });
    await page.keyboard.press("Control+k");
    await expect(search).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(search).toBeHidden();
    // The field keeps the focus for a moment after the dialog is hidden. Until then the key is text.
    await expect(async () => {
      await page.keyboard.press("/");
      await expect(search).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await page.keyboard.type(word);
    await expect(search.getByRole("option", { name: title })).toBeVisible();
    await reader.isAccessible(`the search on ${path}`);
    await page.keyboard.press("Escape");
    await reader.isAccessible(path);
  }
  await reader.open(`${base}/~/account`);
  await page.getByRole("link", { name: "Search" }).click();
  await page.keyboard.type(word);
  await expect(page.getByRole("option", { name: title })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: title })).toBeVisible();
});

test("keys without Ctrl, their list, and its box that switches them off", async ({ reader, page }) => {
  const space = await createSpace("By keyboard");
  await write(space, [inserted("Quay", "Lamps.\n\n## Light\n\nOil.")]);
  await reader.open(`${base}/s/${space}`);
  const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await page.keyboard.press("?");
  await expect(list).toBeVisible();
  await reader.isAccessible("the list of keys");
  await list.getByRole("searchbox", { name: "Filter shortcuts" }).fill("markdown");
  await expect(list.getByRole("row")).toHaveCount(1);
  await list.getByRole("button", { name: "Close" }).click();
  await page.keyboard.press("n");
  await expect(page.getByRole("dialog", { name: "New page" })).toBeVisible();
  await page.keyboard.type("?e");
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue("?e");
  await page.keyboard.press("Escape");
  // The field keeps the focus for a moment after the dialog is hidden. Until then the key is text.
  await expect(async () => {
    await page.keyboard.press("]");
    await expect(page.getByRole("region", { name: /^Comments/ })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.keyboard.press("[");
  await expect(page.getByRole("navigation", { name: "Space" })).toBeHidden();
  await page.keyboard.press("[");
  await expect(page.getByRole("navigation", { name: "Space" })).toBeVisible();

  await page.keyboard.press("?");
  await list.getByRole("checkbox", { name: "Use keys without Ctrl" }).uncheck();
  await list.getByRole("button", { name: "Close" }).click();
  for (const key of ["?", "n", "/", "c"]) await page.keyboard.press(key);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await page.getByRole("option", { name: /^Keyboard shortcuts/ }).click();
  await list.getByRole("checkbox", { name: "Use keys without Ctrl" }).check();
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await expect(page).toHaveURL(`${base}/o/${organization}/changes`);
  await page.goto(`${base}/s/${space}`);
  await page.keyboard.press("e");
  await expect(page.getByRole("textbox", { name: "Quay", exact: true })).toBeFocused();
});
