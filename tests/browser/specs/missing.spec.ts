// Addresses without a page.
import { expect, test } from "../support/reader.ts";

test("an absent page helps on", async ({ reader, page, at }) => {
  await reader.open(`${at.ferry}/guides/nothing`, 404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
  await reader.isAccessibleEverywhere();
  await expect(page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Quick start" })).toBeVisible();
  await page.locator(".page-search input").fill("bucket");
  await page.locator(".page-search button").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Search");
  await reader.isAccessibleEverywhere();
  await page.getByRole("link", { name: "Object storage" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Object storage");
});

test("an absent site and the page of a new server are whole", async ({ reader, page, at }) => {
  const origin = new URL(at.ferry).origin;
  await reader.open(`${origin}/`);
  await reader.isAccessibleEverywhere();
  await reader.open(`${origin}/sites/nonsense/ferry`, 404);
  await expect(page.getByText(/not found/i).first()).toBeVisible();
  await reader.isAccessibleEverywhere();
});
