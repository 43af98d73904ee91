// Sections, groups of sections, versions, languages, host names and settings of the frame.
import { expect, NARROW, test } from "../support/reader.ts";

test("sections are tabs and groups of sections are menus", async ({ reader, page, at }) => {
  await reader.open(at.structured);
  const sections = page.getByRole("navigation", { name: "Sections" });
  await expect(sections.locator("[aria-current]")).toHaveText("Guides");
  await reader.isAccessibleEverywhere();
  await sections.getByText("Reference").click();
  await expect(sections.getByRole("link", { name: "Command line" })).toBeVisible();
  await reader.isAccessible("menu of sections");
  await sections.getByRole("link", { name: "Command line" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Commands");
  await expect(page.getByRole("navigation", { name: "Pages" }).getByRole("link")).toHaveText(["Commands", "Exit codes"]);
  await reader.settled();
});

test("versions and languages are a menu", async ({ reader, page, at }) => {
  await reader.open(at.structured);
  const variants = page.locator(".variants");
  await variants.locator("summary").click();
  await reader.isAccessible("menu of versions");
  await variants.getByRole("link", { name: "Version 2" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Welcome");
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Languages" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Willkommen");
  await variants.locator("summary").click();
  await variants.getByRole("link", { name: "Français" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Bienvenue");
  await reader.settled();
});

test("an open menu closes when another part of the page is used", async ({ reader, page, at }) => {
  await reader.open(at.structured);
  await page.locator(".variants summary").click();
  await expect(page.locator(".variants a").first()).toBeVisible();
  await page.locator("main").click({ position: { x: 10, y: 10 } });
  await expect(page.locator(".variants a").first()).toBeHidden();
});

test("the menu of a narrow screen holds sections, links and pages", async ({ reader, page, at }) => {
  await page.setViewportSize(NARROW);
  await reader.open(at.structured);
  await page.getByRole("button", { name: "Menu" }).click();
  const menu = page.getByRole("navigation", { name: "Pages" });
  await expect(menu.getByRole("link", { name: "Languages" })).toBeVisible();
  await expect(menu.getByRole("link", { name: "Quick start" })).toBeVisible();
  await reader.isAccessible("open menu");
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await page.getByRole("button", { name: "Menu" }).click();
  await menu.getByRole("link", { name: "Quick start" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Quick start");
  await expect(menu).toBeHidden();
  await page.locator(".bar-outline summary").click();
  await expect(page.locator(".bar-outline a").first()).toBeVisible();
  await reader.isAccessible("open outline");
});

test("the settings of a site dress its pages", async ({ reader, page, at }) => {
  await reader.open(at.dressed);
  await expect(page.getByText("Version 2 is out.")).toBeVisible();
  await expect(page.getByText("© 2026 Ferry")).toBeAttached();
  // Colors chosen by users are adjusted to a readable contrast in all modes.
  await reader.isAccessibleEverywhere();
  await page.locator(".header-links summary", { hasText: "Community" }).click();
  await expect(page.getByRole("link", { name: "Forum" })).toBeVisible();
  await page.getByRole("button", { name: "Change the theme" }).click();
  await reader.isAccessible("the other theme");
});

test("a site answers at its host name", async ({ reader, page, at }) => {
  await reader.open(at.hosted);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Ferry");
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Quick start" }).click();
  await expect(page).toHaveURL(`${at.hosted}/getting-started/quick-start`);
  await reader.settled();
});
