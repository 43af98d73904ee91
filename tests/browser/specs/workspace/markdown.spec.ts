// Editing a page as Markdown: the page gets the edits, and nothing else changes.
import { readFileSync } from "node:fs";
import { call } from "../../support/api.ts";
import { blocksOf, caretAfter, documentOf, draft, edit, headers, status, stored, textbox } from "../../support/editor.ts";
import { expect, MEDIUM, NARROW, replaceAssets, test, WIDE } from "../../support/reader.ts";

const folder = process.env.QUIRE_SCREENS ?? "";
const gallery = readFileSync(`${process.env.QUIRE_PROJECT}/crates/render/tests/support/gallery.txt`, "utf8");

test.beforeEach(async ({ page }) => {
  await replaceAssets(page);
  await page.setExtraHTTPHeaders(headers);
});

const field = (page: any, title: string) => page.getByRole("textbox", { name: `${title} as Markdown` });
const toggle = (page: any) => page.getByRole("button", { name: "Markdown", exact: true });

test("an edit in either view is in the other, and the caret stays in its block", async ({ page, reader }) => {
  const at = await draft("Views", "## First\n\nOne *two* three.\n\n* A\n* B\n\n## Last\n\nThe end.");
  const before = await documentOf(at);
  await edit(page, at);
  await caretAfter(page, "The end.");
  await page.keyboard.press("Control+Alt+m");
  await expect(field(page, "Views")).toBeFocused();
  await expect(toggle(page)).toHaveAttribute("aria-pressed", "true");
  await expect(textbox(page, "Views")).toBeHidden();
  await expect(field(page, "Views")).toContainText("One _two_ three.");
  // Without edits nothing is saved.
  await page.keyboard.press("Control+Alt+m");
  await expect(textbox(page, "Views")).toBeFocused();
  await expect(status(page)).toHaveText("Saved");
  expect(await documentOf(at)).toEqual(before);
  await page.keyboard.press("End");
  await page.keyboard.type(" Typed.");
  await toggle(page).click();
  await expect(field(page, "Views")).toContainText("The end. Typed.");
  await page.keyboard.press("End");
  await page.keyboard.type(" And **there**.");
  await expect(status(page)).toHaveText("Saved");
  await expect.poll(() => blocksOf(at)).toEqual(["heading-1: First", "paragraph: One two three.", "list-unordered: AB", "heading-1: Last", "paragraph: The end. Typed. And there."]);
  const { nodes } = await documentOf(at);
  expect(nodes.slice(0, 4)).toEqual(before.nodes.slice(0, 4));
  await reader.isAccessible("the page as Markdown");
  for (const [name, size] of Object.entries({ 1440: WIDE, 820: MEDIUM, 390: NARROW })) {
    await page.setViewportSize(size);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await reader.fits();
      await page.screenshot({ path: `${folder}/workspace-markdown-${name}-${colorScheme}.png` });
    }
  }
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: "light" });
  await toggle(page).click();
  await expect(textbox(page, "Views")).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.type("!");
  await expect(status(page)).toHaveText("Saved");
  expect((await blocksOf(at)).at(-1)).toBe("paragraph: The end. Typed. And there.!");
});

test("the caret keeps a block in the middle in both directions", async ({ page }) => {
  const at = await draft("Caret", "## First\n\nOne.\n\n* A\n* B\n\n## Last\n\nThe end.");
  await edit(page, at);
  await caretAfter(page, "One.");
  await page.keyboard.press("Control+Alt+m");
  await expect(field(page, "Caret")).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.type(" Two.");
  // To the list, whose first item is after an empty line.
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Control+Alt+m");
  await expect(textbox(page, "Caret")).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.type("C");
  await expect(status(page)).toHaveText("Saved");
  await expect.poll(() => blocksOf(at)).toEqual(["heading-1: First", "paragraph: One. Two.", "list-unordered: ACB", "heading-1: Last", "paragraph: The end."]);
});

test("all characters go into the Markdown, also those that are keys of the page", async ({ page }) => {
  const at = await draft("Characters", "Start.");
  await edit(page, at);
  await toggle(page).click();
  await expect(field(page, "Characters")).toBeFocused();
  await page.keyboard.press("Control+End");
  const text = " abcdefghijklmnopqrstuvwxyz/?";
  await page.keyboard.type(text);
  await expect(field(page, "Characters")).toContainText(`Start.${text}`);
  await expect(status(page)).toHaveText("Saved");
  await expect.poll(() => blocksOf(at)).toEqual([`paragraph: Start.${text}`]);
});

test("a page with every block is edited as Markdown, and only the edited block changes", async ({ page }) => {
  const at = await draft("Gallery", gallery);
  const before = await documentOf(at);
  await edit(page, at);
  await toggle(page).click();
  await expect(field(page, "Gallery")).toBeFocused();
  // Without edits nothing is saved.
  await toggle(page).click();
  await expect(textbox(page, "Gallery")).toBeFocused();
  await expect(status(page)).toHaveText("Saved");
  expect(await documentOf(at)).toEqual(before);
  await toggle(page).click();
  await expect(field(page, "Gallery")).toBeFocused();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("Typed first.\n\n");
  await expect(status(page)).toHaveText("Saved");
  await expect.poll(async () => (await documentOf(at)).nodes.length).toBe(before.nodes.length + 1);
  const { nodes } = await documentOf(at);
  expect(nodes.slice(1)).toEqual(before.nodes);
});

test("what is typed as Markdown without a network is kept, and offered after a crash", async ({ page, context }) => {
  const at = await draft("Kept", "Start.\n\nMiddle.");
  await edit(page, at);
  await toggle(page).click();
  await expect(field(page, "Kept")).toBeFocused();
  await context.setOffline(true);
  await page.keyboard.press("Control+End");
  await page.keyboard.type("\n\n* Offline");
  await expect(status(page)).toHaveText("Not saved, kept on this device");
  await context.setOffline(false);
  await expect(status(page)).toHaveText("Saved", { timeout: 10_000 });
  expect(await blocksOf(at)).toEqual(["paragraph: Start.", "paragraph: Middle.", "list-unordered: Offline"]);
  // The page is unloaded before anything reaches the server.
  await page.route("**/convert", (route) => route.abort());
  await page.keyboard.type(" and gone");
  await expect(status(page)).toHaveText("Not saved, kept on this device");
  await page.unroute("**/convert");
  await page.reload();
  await expect(page.getByText(/You have unsaved Markdown from/)).toBeVisible();
  await page.getByRole("button", { name: "Restore" }).click();
  await expect(textbox(page, "Kept")).toContainText("Offline and gone");
  await expect(status(page)).toHaveText("Saved");
  await expect.poll(() => blocksOf(at)).toEqual(["paragraph: Start.", "paragraph: Middle.", "list-unordered: Offline and gone"]);
  await page.reload();
  await expect(status(page)).toHaveText("Saved");
  await expect(page.getByText(/You have unsaved/)).toBeHidden();
});

test("what others save appears in the Markdown", async ({ page, reader: _ }) => {
  const at = await draft("Others", "Mine.\n\nTheirs.");
  await edit(page, at);
  await toggle(page).click();
  await expect(field(page, "Others")).toBeFocused();
  const content = `/spaces/${at.space}/change-requests/${at.number}/content`;
  const change = { operation: "update_page", page: at.pageId, document: { markdown: "Mine.\n\nTheirs, edited." } };
  await call("POST", content, { changes: [change] });
  await expect(field(page, "Others")).toContainText("Theirs, edited.");
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("End");
  await page.keyboard.type(" Typed.");
  await expect.poll(() => blocksOf(at)).toEqual(["paragraph: Mine. Typed.", "paragraph: Theirs, edited."]);
});

test("Markdown that the server refuses is kept and explained", async ({ page }) => {
  const at = await draft("Refused", "Start.");
  await edit(page, at);
  await toggle(page).click();
  await expect(field(page, "Refused")).toBeFocused();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("\n\n{% if visitor. %}\nText.\n{% endif %}");
  await expect(page.getByText(/The Markdown was not read/)).toBeVisible();
  await toggle(page).click();
  await expect(field(page, "Refused")).toBeVisible();
  await page.keyboard.press("Control+z");
  await expect(page.getByText(/The Markdown was not read/)).toBeHidden();
  expect(await stored(at)).not.toContain("visitor");
});
