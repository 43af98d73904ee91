// Tree of pages in a change request.
import type { Page } from "@playwright/test";
import { call, page as inserted } from "../../support/api.ts";
import { type Draft, draft, edit, headers, textbox } from "../../support/editor.ts";
import { expect, MEDIUM, NARROW, replaceAssets, test, WIDE } from "../../support/reader.ts";

const folder = process.env.QUIRE_SCREENS ?? "";

test.beforeEach(async ({ page, reader: _ }) => {
  await replaceAssets(page);
  await page.setExtraHTTPHeaders(headers);
});

const tree = (page: Page) => page.getByRole("navigation", { name: "Space" });
const row = (page: Page, name: string) => tree(page).getByRole("link", { name, exact: true });

/** Returns the titles of the stored pages with their descendants. */
async function pagesOf({ space, number }: Draft): Promise<string> {
  const { pages } = await call("GET", `/spaces/${space}/change-requests/${number}/content/pages`);
  const shape = (list: any[]): string => list.map((page) => page.title + (page.pages?.length ? `(${shape(page.pages)})` : "")).join(" ");
  return shape(pages);
}

const four = (title: string) => draft(title, "Text.", inserted("Two", "Text."), inserted("Three", "Text."), inserted("Four", "Text."));

test("the tree marks what a change request changes, and the header has its status", async ({ page, reader }) => {
  const at = await four("One");
  const { pages } = await call("GET", `/spaces/${at.space}/content/pages`);
  const [, two, three, four_] = pages.map(({ id }: { id: string }) => id);
  const changes = [
    { operation: "update_page", page: two, document: { markdown: "Other text." } },
    { operation: "delete_page", page: three },
    { operation: "update_page", page: four_, at: 0 },
    inserted("Five", "Text."),
  ];
  await call("POST", `/spaces/${at.space}/change-requests/${at.number}/content`, { changes });
  await edit(page, at);
  const item = (name: string) => tree(page).getByRole("listitem").filter({ hasText: name });
  await expect(item("Two")).toContainText("Edited");
  await expect(item("Three")).toContainText("(deleted)");
  await expect(item("Four")).toContainText("Moved");
  await expect(item("Five")).toContainText("New");
  await expect(item("One")).not.toContainText("Edited");
  await expect(page.getByRole("banner")).toContainText("Draft");
  await textbox(page, "One").click();
  await page.keyboard.type("Typed. ");
  await expect(item("One")).toContainText("Edited");
  for (const [name, viewport] of [["wide", WIDE], ["medium", MEDIUM], ["narrow", NARROW]] as const) {
    await page.setViewportSize(viewport);
    for (const scheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.screenshot({ path: `${folder}/editor-with-marks-${name}-${scheme}.png` });
    }
    await reader.fits();
  }
  await page.setViewportSize(WIDE);
  await reader.isAccessible("a tree with marks");
  // The space itself is unchanged.
  await page.goto(at.address.replace(/\/~\/changes\/\d+/, ""));
  await expect(item("Two")).not.toContainText("Edited");
  await expect(item("Three")).not.toContainText("(deleted)");
});

test("pages are named and moved by keyboard", async ({ page, reader }) => {
  const at = await four("One");
  await edit(page, at);
  await row(page, "Three").focus();
  await expect(row(page, "Three")).toHaveAccessibleDescription("3 of 4, level 1");
  await page.keyboard.press("F2");
  const field = tree(page).getByRole("textbox", { name: "Title of the page" });
  await expect(field).toBeFocused();
  await reader.isAccessible("name of a page");
  await field.fill("Third");
  await page.keyboard.press("Enter");
  await expect(row(page, "Third")).toBeFocused();
  await page.keyboard.press("F2");
  await field.fill("Not taken");
  await page.keyboard.press("Escape");
  await expect(row(page, "Third")).toBeFocused();
  await page.keyboard.press("Control+Shift+ArrowUp");
  await expect(row(page, "Third")).toHaveAccessibleDescription("2 of 4, level 1");
  await page.keyboard.press("Control+Shift+ArrowRight");
  await expect(row(page, "Third")).toHaveAccessibleDescription("1 of 1, level 2");
  await expect(row(page, "Third")).toBeFocused();
  expect(await pagesOf(at)).toBe("One(Third) Two Four");
  await page.keyboard.press("Control+Shift+ArrowLeft");
  await expect(row(page, "Third")).toHaveAccessibleDescription("2 of 4, level 1");
  await page.keyboard.press("Control+Shift+ArrowDown");
  await page.keyboard.press("Control+Shift+ArrowDown");
  await page.keyboard.press("Control+Shift+ArrowDown");
  await expect(row(page, "Third")).toHaveAccessibleDescription("4 of 4, level 1");
  expect(await pagesOf(at)).toBe("One Two Four Third");
  await expect(textbox(page, "One")).toBeVisible();
});

test("a page is added, copied and deleted without a reload", async ({ page, reader }) => {
  const at = await four("First");
  await edit(page, at);
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  await page.getByRole("button", { name: "Add a page" }).click();
  const field = tree(page).getByRole("textbox", { name: "Title of the page" });
  await expect(field).toHaveValue("Untitled");
  await page.keyboard.type("Five");
  await page.keyboard.press("Enter");
  await expect(row(page, "Five")).toBeFocused();
  await row(page, "Two").hover();
  await page.getByRole("button", { name: "Actions of Two" }).click();
  await reader.isAccessible("menu of a page");
  await page.screenshot({ path: `${folder}/workspace-tree-menu-1440.png` });
  await page.getByRole("menuitem", { name: "Add a page below" }).click();
  await expect(field).toBeFocused();
  await page.keyboard.type("Inside");
  await page.keyboard.press("Enter");
  await expect(row(page, "Inside")).toHaveAccessibleDescription("1 of 1, level 2");
  expect(await pagesOf(at)).toBe("First Two(Inside) Three Four Five");
  await row(page, "Two").focus();
  await page.keyboard.press("Delete");
  await expect(page.getByText("Deleted “Two” with 1 below it.")).toBeVisible();
  await reader.isAccessible("undo");
  await page.screenshot({ path: `${folder}/workspace-tree-undo-1440.png` });
  expect(await pagesOf(at)).toBe("First Three Four Five");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(row(page, "Two")).toBeVisible();
  await expect(page.getByRole("button", { name: "Undo" })).toBeHidden();
  expect(await pagesOf(at)).toBe("First Two(Inside) Three Four Five");
  await page.getByRole("button", { name: "Actions of Two" }).click();
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  await expect(row(page, "Two (copy)")).toBeVisible();
  expect(await page.evaluate(() => "isSame" in window)).toBe(true);
});

test("the page that is edited can be renamed, moved and deleted", async ({ page }) => {
  const at = await four("Edited");
  await edit(page, at);
  await row(page, "Edited").focus();
  await page.keyboard.press("F2");
  await page.keyboard.type("Renamed");
  await page.keyboard.press("Enter");
  await expect(row(page, "Renamed")).toBeFocused();
  await expect(page.getByRole("textbox", { name: "Title", exact: true })).toHaveText("Renamed");
  await page.keyboard.press("Control+Shift+ArrowDown");
  await expect(row(page, "Renamed")).toHaveAccessibleDescription("2 of 4, level 1");
  await page.getByRole("main").getByText("Text.").click();
  await page.keyboard.type("More. ");
  await expect(page.getByRole("main").getByRole("status").first()).toHaveText("Saved");
  expect(await pagesOf(at)).toBe("Two Renamed Three Four");
  // The tree shows the title of the page.
  await page.getByRole("textbox", { name: "Title", exact: true }).fill("Renamed again");
  await expect(row(page, "Renamed again")).toBeVisible();
  await page.getByRole("textbox", { name: "Title", exact: true }).fill("Renamed");
  await row(page, "Renamed").focus();
  await page.keyboard.press("Delete");
  await expect(page).toHaveURL(/~\/changes\/1$/);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(row(page, "Renamed")).toBeVisible();
  expect(await pagesOf(at)).toBe("Two Renamed Three Four");
});

test("a deletion can be undone for ten seconds, also on another page", async ({ page }) => {
  await page.clock.install();
  const at = await four("Kept");
  await edit(page, at);
  await page.clock.pauseAt(Date.now() + 3_600_000);
  const undo = page.getByRole("button", { name: "Undo" });
  await row(page, "Two").focus();
  await page.keyboard.press("Delete");
  await expect(undo).toBeVisible();
  await page.clock.runFor(9_999);
  await expect(undo).toBeVisible();
  await undo.click();
  await expect(row(page, "Two")).toBeFocused();
  expect(await pagesOf(at)).toBe("Kept Two Three Four");
  await page.keyboard.press("Delete");
  await expect(undo).toBeVisible();
  await page.clock.runFor(9_999);
  await expect(undo).toBeVisible();
  await page.clock.runFor(1);
  await expect(undo).toBeHidden();
  await row(page, "Three").focus();
  await page.keyboard.press("Delete");
  await expect(undo).toBeVisible();
  await page.clock.runFor(5_000);
  await page.goto(at.address);
  await expect(undo).toBeVisible();
  await page.clock.runFor(4_999);
  await expect(undo).toBeVisible();
  await page.clock.runFor(1);
  await expect(undo).toBeHidden();
  await page.goto(at.address);
  await expect(row(page, "Four")).toBeVisible();
  await expect(undo).toHaveCount(0);
  expect(await pagesOf(at)).toBe("Kept Four");
});

test("pages are dragged before, behind and below others", async ({ page }) => {
  const at = await four("Top");
  await edit(page, at);
  const drag = async (name: string, to: string, part: number) => {
    await row(page, name).hover();
    await page.mouse.down();
    const box = (await row(page, to).boundingBox())!;
    await page.mouse.move(box.x + 40, box.y + box.height / 2, { steps: 3 });
    await page.mouse.move(box.x + 40, box.y + box.height * part, { steps: 3 });
    await page.mouse.up();
  };
  await drag("Four", "Two", 0.1);
  await expect(row(page, "Four")).toHaveAccessibleDescription("2 of 4, level 1");
  expect(await pagesOf(at)).toBe("Top Four Two Three");
  await drag("Top", "Two", 0.9);
  await expect(row(page, "Top")).toHaveAccessibleDescription("3 of 4, level 1");
  await drag("Three", "Four", 0.5);
  await expect(row(page, "Three")).toHaveAccessibleDescription("1 of 1, level 2");
  expect(await pagesOf(at)).toBe("Four(Three) Two Top");
});

test("what can't be changed has no controls", async ({ page }) => {
  const at = await four("Closed");
  await call("PATCH", `/spaces/${at.space}/change-requests/${at.number}`, { status: "archived" });
  await page.goto(at.address);
  await row(page, "Two").hover();
  await expect(tree(page).getByRole("button", { name: /^(Add a page|Actions of)/ })).toHaveCount(0);
});
