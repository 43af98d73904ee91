// A page with every block.
import { expect, test } from "../support/reader.ts";

test("a page of every block is whole and accessible", async ({ reader, page, at }) => {
  await reader.open(at.blocks);
  await expect(page.getByRole("heading", { name: "Every block", level: 1 })).toBeVisible();
  for (const part of [".hint", ".code", ".tabs", ".stepper", ".expandable", ".table", ".cards", ".image", ".link-card", ".embed",
    ".columns", ".math math", ".updates", ".prompt", ".integration", ".api", ".api-models", ".annotation", ".button", ".tasks"]) {
    await expect(page.locator(`.document ${part}`).first(), part).toBeAttached();
  }
  await reader.isAccessibleEverywhere();
});

test("every picture is loaded, and nothing moves when they come", async ({ reader, page, at }) => {
  await reader.open(at.blocks);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let top = 0; top < height; top += 600) {
    await page.evaluate((top) => scrollTo({ top, behavior: "instant" }), top);
    await page.waitForTimeout(30);
  }
  // A busy server may answer 503: the picture is then loaded again.
  const isLoaded = () => page.evaluate(() => {
    const failed = [...document.images].filter((image) => image.checkVisibility() && !(image.complete && image.naturalWidth > 0));
    for (const image of failed) if (image.complete) image.src = image.src;
    return failed.length === 0;
  });
  await expect.poll(isLoaded).toBe(true);
  await reader.settled();
});

test("blocks answer to a visitor", async ({ reader, page, at }) => {
  await reader.open(at.blocks);
  // A note opens over the page and closes.
  await page.locator(".annotation").first().click();
  await expect(page.getByText("which opens over the page")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByText("which opens over the page")).toBeHidden();
  // A disclosure opens by its summary.
  const answer = page.getByText("It sends only what changed");
  await expect(answer).toBeHidden();
  await page.locator("summary", { hasText: "compare" }).click();
  await expect(answer).toBeVisible();
  // A table sorts by a column.
  const table = page.locator(".table", { hasText: "FERRY_TARGETS" });
  const first = table.locator("tbody tr").first();
  await expect(first).toContainText("--compress");
  await table.getByRole("columnheader", { name: "Option" }).click();
  await table.getByRole("columnheader", { name: "Option" }).click();
  await expect(first).toContainText("FERRY_TARGETS");
  // A long listing opens.
  const clip = page.locator(".clip").first();
  await clip.locator("summary").click();
  await expect(page.getByText("ferry stop")).toBeInViewport();
});

test("an embed loads nothing before it is opened", async ({ page, reader, at }) => {
  await reader.open(at.blocks);
  await expect(page.locator("iframe")).toHaveCount(0);
  const link = page.locator("a[data-frame]").first();
  const source = await link.getAttribute("data-frame");
  expect(source).toMatch(/^https:\/\/www\.youtube-nocookie\.com\/embed\//);
  const policy = (await page.request.get(at.blocks)).headers()["content-security-policy"];
  expect(policy).toContain("frame-src https://www.youtube-nocookie.com;");
});
