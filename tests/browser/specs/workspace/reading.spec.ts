// Members read, search and look at change requests in the workspace.
import { call, organization, page as inserted, space as created, token, write } from "../../support/api.ts";
import { expect, MEDIUM, NARROW, replaceAssets, test, WIDE } from "../../support/reader.ts";
import { sites } from "../../support/sites.ts";

const at = sites();
const base = process.env.QUIRE_BASE_URL ?? "";
const space = `${base}/s/${at.ferrySpace}`;
const folder = process.env.QUIRE_SCREENS ?? "";
let change = 0;

test.beforeAll(async () => {
  const path = `/spaces/${at.ferrySpace}`;
  const made = await call("POST", `${path}/change-requests`, { subject: "Explain retention" });
  change = made.number;
  const { pages } = await call("GET", `${path}/content/pages`);
  await call("POST", `${path}/change-requests/${made.id}/content`, {
    changes: [inserted("Retention", "Backups are kept for **30 days**.\n\n## Exceptions\n\nNone."), { operation: "update_page", page: pages[0].id, description: "Start here." }],
  });
  await call("PATCH", `${path}/change-requests/${made.id}`, { status: "open" });
  await call("POST", `${path}/change-requests/${made.id}/comments`, { body: { markdown: "Is this true for *archives*, too?" } });
  const jobs = await call("GET", `${path}/content/path/guides/jobs`);
  const { id } = await call("POST", `${path}/comments`, { page: jobs.id, body: { markdown: "Which tool checks the sum? Most know `sha256sum`." } });
  await call("POST", `${path}/comments/${id}/replies`, { body: { markdown: "Good point. I add a line." } });
});

test.beforeEach(async ({ page }) => {
  await page.setExtraHTTPHeaders({ authorization: `Bearer ${token}` });
});

test("from the home of an organization to a page of a space", async ({ reader, page }) => {
  await reader.open(`${base}/o/${organization}`);
  await expect(page.getByRole("heading", { name: /^Welcome/ })).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: /^Ferry Changed/ }).click();
  await expect(page).toHaveURL(space);
  await page.getByRole("navigation", { name: "Space" }).getByRole("link", { name: /jobs/i }).first().click();
  await expect(page).toHaveURL(`${space}/guides/jobs`);
  const about = page.getByRole("complementary", { name: "About this page" });
  await expect(about).toContainText("sha256sum");
  await expect(about).toContainText("I add a line.");
  await about.getByRole("link", { name: "Outline" }).click();
  await about.getByRole("navigation", { name: "On this page" }).getByRole("link").first().click();
  await expect(page).toHaveURL(/#/);
  await page.getByRole("navigation", { name: "Previous and next page" }).getByRole("link", { name: /^Next/ }).click();
  await expect(page).not.toHaveURL(/guides\/jobs/);
});

test("a change request and its pages", async ({ reader, page }) => {
  await reader.open(`${space}/~/changes`);
  await page.getByRole("link", { name: `Explain retention #${change}` }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Explain retention");
  await expect(page.getByRole("main")).toContainText("archives");
  await page.getByRole("main").getByRole("link", { name: "Retention", exact: true }).first().click();
  await expect(page.getByRole("main")).toContainText("30 days");
  await expect(page.getByRole("banner")).toContainText("Open");
  await page.getByRole("banner").getByRole("link", { name: /Explain retention/ }).click();
  await expect(page).toHaveURL(`${space}/~/changes/${change}`);
});

for (const key of ["Control+k", "/"]) {
  test(`the search opens by ${key}`, async ({ reader, page }) => {
    await reader.open(`${space}/guides/jobs`);
    await page.keyboard.press(key);
    const search = page.getByRole("combobox", { name: "Search" });
    await expect(search).toBeFocused();
    await search.fill("verify");
    const results = page.getByRole("dialog").getByRole("option");
    await expect(results.first()).toHaveAttribute("aria-selected", "true");
    await reader.isAccessible("search");
    await page.keyboard.press("ArrowDown");
    await expect(results.nth(1)).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/s\//);
    await expect(page.getByRole("dialog")).toBeHidden();
    await page.keyboard.press(key);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
  });
}

test("branches of a large tree are loaded when they are opened", async ({ reader, page }) => {
  const large = await created("Large");
  const fifty = <T>(made: (number: number) => T) => Array.from({ length: 50 }, (_, number) => made(number));
  await write(large, fifty((number) => inserted(`Part ${number}`, "Text.")));
  const { pages } = await call("GET", `/spaces/${large}/content/pages`);
  for (const start of [0, 50, 100, 150]) {
    await write(large, fifty((number) => inserted(`Chapter ${start + number}`, "Text.", { into: pages[0].id })));
  }
  await reader.open(`${base}/s/${large}/part-49`);
  const tree = page.getByRole("navigation", { name: "Space" });
  await expect(tree.getByRole("link", { name: "Chapter 0", exact: true })).toBeHidden();
  expect(await page.locator("*").count(), "elements").toBeLessThanOrEqual(1500);
  await tree.getByLabel("Pages below Part 0").click();
  await expect(tree.getByRole("link", { name: "Chapter 74", exact: true })).toBeVisible();
  await tree.getByRole("link", { name: "More pages" }).click();
  await expect(tree.getByRole("link", { name: "Chapter 149", exact: true })).toBeVisible();
  await tree.getByRole("link", { name: "More pages" }).click();
  await expect(tree.getByRole("link", { name: "Chapter 199", exact: true })).toBeVisible();
  await expect(tree.getByRole("link", { name: "More pages" })).toHaveCount(0);
  await reader.isAccessible("a loaded branch");
});

test("without a script", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: NARROW, extraHTTPHeaders: { authorization: `Bearer ${token}` } });
  const page = await context.newPage();
  await page.goto(`${space}/guides/jobs`);
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("link", { name: /^Search/ }).first().click();
  await page.getByRole("searchbox", { name: "Search" }).fill("verify");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("main").getByRole("listitem").first()).toBeVisible();
  await context.close();
});

const SCREENS: [string, () => string][] = [
  ["home", () => `${base}/o/${organization}`],
  ["changes", () => `${space}/~/changes`],
  ["change", () => `${space}/~/changes/${change}`],
  ["page", () => `${space}/guides/jobs`],
  ["page-in-change", () => `${space}/~/changes/${change}/retention`],
  ["blocks", () => `${base}/s/${at.blocksSpace}`],
  ["results", () => `${base}/o/${organization}/search?query=verify`],
  ["missing", () => `${space}/nothing`],
];

for (const [name, address] of SCREENS) {
  test(`the screen ${name}`, async ({ reader, page }) => {
    await replaceAssets(page);
    await reader.open(address(), name === "missing" ? 404 : 200);
    for (const [width, viewport] of [["390", NARROW], ["820", MEDIUM], ["1440", WIDE]] as const) {
      await page.setViewportSize(viewport);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `${folder}/workspace-${name}-${width}-${colorScheme}.png` });
        if (width !== "820") await reader.isAccessible(`${name} ${width} ${colorScheme}`);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        expect.soft(overflow, `overflow of ${name} at ${width}`).toBeLessThanOrEqual(0);
      }
    }
  });
}
