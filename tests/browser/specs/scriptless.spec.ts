// Pages in a browser without JavaScript.
import { expect, NARROW, test } from "../support/reader.ts";

test.use({ javaScriptEnabled: false });

test("a page is read, opened and searched without JavaScript", async ({ page, at }) => {
  await page.goto(`${at.ferry}/guides/jobs`);
  await expect(page.getByText("A job is a named description")).toBeVisible();
  await expect(page.locator("pre .k, pre .a, pre .t").first(), "listings are colored").toBeVisible();
  await expect(page.getByRole("navigation", { name: "On this page" }).getByRole("link").first()).toBeVisible();
  await expect(page.locator(".tabs > details[open]"), "one tab is open").toHaveCount(1);
  await page.locator(".tabs summary", { hasText: "Debian" }).click();
  await expect(page.getByText("apt install ferry")).toBeVisible();
  await expect(page.getByText("npm install --global"), "tabs close each other").toBeHidden();
  await page.locator("summary", { hasText: "Why does a run stop" }).click();
  await expect(page.getByText("Ten errors in one run")).toBeVisible();
  await page.locator("summary[aria-label='Pages below Automation']").click();
  await page.getByRole("link", { name: "Hooks" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Hooks");

  const field = page.locator(".search-form input[name=q]");
  await field.fill("checksums");
  await field.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Search");
  await page.getByRole("link", { name: "Working with jobs" }).last().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Working with jobs");
});

test("menus open and dark colors follow the system without JavaScript", async ({ page, at }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(at.structured);
  await expect(page.locator("body")).toHaveCSS("background-color", "rgb(27, 27, 31)");
  await page.locator(".variants summary").click();
  await expect(page.getByRole("link", { name: "Version 2" })).toBeVisible();
  await page.setViewportSize(NARROW);
  await page.getByRole("button", { name: "Menu" }).click();
  await expect(page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Quick start" })).toBeVisible();
});
