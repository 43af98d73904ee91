// Keyboard operation of the reader.
import type { Page } from "@playwright/test";
import { expect, NARROW, test } from "../support/reader.ts";

/** Checks that the focused element shows the focus by an outline or by its style. */
async function isShown(page: Page): Promise<void> {
  const shown = await page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    const hasOutline = (shown: Element) => {
      const style = getComputedStyle(shown);
      return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1.5;
    };
    // The link of a card fills the card, which shows the focus.
    const shown = element.matches(".card-link") ? element.closest(".card")! : element;
    return { tag: element.outerHTML.slice(0, 80), outline: hasOutline(shown), isVisible: element.checkVisibility({ checkVisibilityCSS: true }) };
  });
  expect.soft(shown, shown.tag).toMatchObject({ outline: true, isVisible: true });
}

test("the first stop leads to the content", async ({ reader, page, at }) => {
  await reader.open(`${at.ferry}/guides/jobs`);
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.querySelector("main")!.contains(document.activeElement))).toBe(true);
});

test("every stop on the way through a page is seen", async ({ reader, page, at }) => {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await reader.open(at.structured);
    for (let stop = 0; stop < 40; stop++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(() => document.activeElement === document.body)) break;
      await isShown(page);
    }
  }
});

test("the search opens by / and Ctrl-K, moves by arrows, opens by Enter and closes by Escape", async ({ reader, page, at }) => {
  await reader.open(`${at.ferry}/guides/jobs`);
  const dialog = page.getByRole("dialog", { name: "Search" });
  await page.keyboard.press("/");
  await expect(dialog).toBeVisible();
  const input = dialog.getByRole("combobox");
  await expect(input).toBeFocused();
  // In the field, a shortcut key is text.
  await page.keyboard.type("zzqx/zzqx");
  await expect(input).toHaveValue("zzqx/zzqx");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await page.keyboard.press("Control+k");
  await expect(dialog).toBeVisible();
  await input.fill("verify");
  const options = dialog.getByRole("option");
  await expect(options.nth(1)).toBeVisible();
  await expect(options.nth(0)).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowDown");
  await expect(options.nth(1)).toHaveAttribute("aria-selected", "true");
  await expect(options.nth(0)).toHaveAttribute("aria-selected", "false");
  const active = await input.getAttribute("aria-activedescendant");
  expect(active, "the field names the chosen hit").toBe(await options.nth(1).getAttribute("id"));
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect(options.last()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  const target = await options.nth(1).getAttribute("href");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new URL(target!, at.ferry).href);
  await expect(dialog).toBeHidden();
});

test("tabs move by arrows, disclosures open by Enter, tables sort by Enter", async ({ reader, page, at }) => {
  await reader.open(at.blocks);
  await page.locator(".tabs summary", { hasText: "Linux" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.locator(".tabs summary", { hasText: "macOS" })).toBeFocused();
  await expect(page.getByText("Install it with Homebrew.")).toBeVisible();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect(page.locator(".tabs summary", { hasText: "Windows" })).toBeFocused();
  await page.locator("summary", { hasText: "compare" }).focus();
  await isShown(page);
  await page.keyboard.press("Enter");
  await expect(page.getByText("It sends only what changed")).toBeVisible();
  const column = page.locator("th", { hasText: "Option" });
  await column.focus();
  await isShown(page);
  await page.keyboard.press("Enter");
  await expect(column).toHaveAttribute("aria-sort", "ascending");
});

test("the menu of a narrow screen opens and closes, and gives the focus back", async ({ reader, page, at }) => {
  await page.setViewportSize(NARROW);
  await reader.open(`${at.ferry}/guides/jobs`);
  const button = page.getByRole("button", { name: "Menu" });
  await button.focus();
  await isShown(page);
  await page.keyboard.press("Enter");
  const menu = page.getByRole("navigation", { name: "Pages" });
  await expect(menu).toBeVisible();
  await page.keyboard.press("Tab");
  expect(await menu.evaluate((menu) => menu.contains(document.activeElement))).toBe(true);
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await expect(button).toBeFocused();
});
