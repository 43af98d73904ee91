// The frame of every page of the workspace.
import { organization, token } from "../../support/api.ts";
import { expect, test } from "../../support/reader.ts";

const base = process.env.QUIRE_BASE_URL ?? "";

test.beforeEach(async ({ page }) => {
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
