// A visitor reads imported documentation: pages, navigation, listings and the search.
import { expect, MEDIUM, NARROW, test, WIDE } from "../support/reader.ts";

test("a visitor finds the way through imported documentation", async ({ reader, page, at }) => {
  await reader.open(at.ferry);
  await expect(page).toHaveTitle("Ferry");
  await reader.isAccessibleEverywhere();

  await page.getByRole("link", { name: "Installation" }).last().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Installation");
  await reader.settled();
  const sidebar = page.getByRole("navigation", { name: "Pages" });
  await expect(sidebar.locator("[aria-current=page]")).toHaveText("Installation");
  await expect(page.getByRole("navigation", { name: "Breadcrumbs" })).toHaveText("Getting started");

  // The chosen tab persists on other pages.
  await expect(page.getByText("npm install --global @ferry/cli")).toBeVisible();
  await page.locator("summary", { hasText: "Homebrew" }).click();
  await expect(page.getByText("brew install ferry")).toBeVisible();
  await expect(page.getByText("npm install --global @ferry/cli")).toBeHidden();

  await page.getByRole("navigation", { name: "Previous and next page" }).getByRole("link", { name: /Next/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Quick start");
  await page.getByRole("article").getByRole("link", { name: "Working with jobs" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Working with jobs");
  await reader.settled();
  await expect(page.getByText("brew install ferry")).toBeVisible();

  // Groups of the tree open without leaving the page.
  await expect(sidebar.getByRole("link", { name: "SSH hosts" })).toBeHidden();
  await sidebar.locator("summary[aria-label='Pages below Storage']").click();
  await sidebar.getByRole("link", { name: "SSH hosts" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("SSH hosts");
  await expect(sidebar.getByRole("link", { name: "Local folders" })).toBeVisible();
});

test("the long page is accessible, fits each width and has an outline that follows", async ({ reader, page, at }) => {
  const url = `${at.ferry}/guides/jobs`;
  await reader.open(url);
  await reader.isAccessibleEverywhere();
  for (const viewport of [NARROW, MEDIUM, WIDE]) {
    await page.setViewportSize(viewport);
    await reader.fits();
  }
  const outline = page.getByRole("navigation", { name: "On this page" });
  await outline.getByRole("link", { name: "Options" }).click();
  await expect(outline.locator("[aria-current]")).toHaveText("Options");
  const heading = page.getByRole("heading", { name: "Options" });
  const header = await page.locator(".site-header").boundingBox();
  const box = await heading.boundingBox();
  expect(box!.y, "the heading is below the header").toBeGreaterThanOrEqual(header!.y + header!.height);
  expect(box!.y, "and near it").toBeLessThan(header!.y + header!.height + 64);
  await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" }));
  await expect(outline.locator("[aria-current]")).toHaveText("Where to go next");

  // On a narrow screen too, a link to a heading scrolls it below the bars.
  await page.setViewportSize(NARROW);
  await reader.open(at.ferry);
  await reader.open(`${url}#options`);
  const bar = await page.locator(".bar").boundingBox();
  expect((await heading.boundingBox())!.y).toBeGreaterThanOrEqual(bar!.y + bar!.height);
});

test("listings are copied, pictures have their size, and tables scroll in their box", async ({ reader, page, at, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await reader.open(`${at.ferry}/guides/jobs`);
  const listing = page.locator("figure.code", { hasText: "version: 2" });
  await listing.getByRole("button", { name: "Copy" }).click();
  await expect(listing.getByRole("button", { name: "Copied" })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain("version: 2\njobs:\n  photos:\n    source: ~/Pictures\n");
  const picture = page.getByRole("img", { name: "A folder goes through ferry run to two targets" });
  await expect(picture).toHaveAttribute("width", "1200");
  await expect(picture).toHaveAttribute("height", "360");
  const table = page.locator(".table").first();
  const [scrolls, client] = await table.evaluate((box) => [box.scrollWidth, box.clientWidth]);
  expect(scrolls, "the table fits at full width").toBeLessThanOrEqual(client);
});

test("a visitor searches while typing", async ({ reader, page, at }) => {
  await reader.open(`${at.ferry}/guides/jobs`);
  await page.getByRole("button", { name: "Search" }).click();
  const dialog = page.getByRole("dialog", { name: "Search" });
  await dialog.getByRole("combobox").pressSequentially("harbour");
  const hits = dialog.getByRole("option");
  await expect(hits.first()).toContainText("Working with jobs");
  await expect(dialog.locator("mark").first()).toHaveText("harbour");
  await reader.isAccessible("search");
  await dialog.getByRole("combobox").fill("nothing has these words zzz");
  await expect(dialog.getByRole("status")).toHaveText("Nothing was found.");
  await dialog.getByRole("combobox").fill("bucket");
  await expect(hits.first()).toContainText("Object storage");
  await hits.first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Object storage");
});

test("pages of other imported documentation are accessible", async ({ reader, page, at }) => {
  for (const [url, title] of [
    [`${at.fluentd}/geoip`, "geoip"],
    [`${at.book}/ch07-01-packages-and-crates`, "Packages and Crates"],
  ]) {
    await reader.open(url);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    await reader.isAccessibleEverywhere();
  }
});
