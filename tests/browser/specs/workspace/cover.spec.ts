// Covers of pages: chosen, positioned and removed in the draft, and shown on sites.
import { base, call, page as inserted, site, space as createSpace, write } from "../../support/api.ts";
import { headers } from "../../support/editor.ts";
import { expect, MEDIUM, NARROW, test, WIDE } from "../../support/reader.ts";

const folder = process.env.QUIRE_SCREENS ?? "";

/** A picture that has three bands and is taller than a cover. */
const BANDS = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="1000"><rect width="1200" height="400" fill="#246"/><rect y="400" width="1200" height="200" fill="#fff"/><rect y="600" width="1200" height="400" fill="#a52"/></svg>`;

test.beforeEach(async ({ page }) => {
  await page.setExtraHTTPHeaders(headers);
});

test("a cover is uploaded, positioned, resized and removed", async ({ page, reader }) => {
  const space = await createSpace("Covers");
  await write(space, [inserted("Harbor", "A page with a picture above its title.")]);
  const { path } = await site({ title: "Covers", visibility: "public", spaces: [space] });
  const { pages } = await call("GET", `/spaces/${space}/content/pages`);
  const stored = () => call("GET", `/spaces/${space}/change-requests/1/content/page/${pages[0].id}`);
  const cover = page.getByRole("main").locator("img").first();

  await reader.open(`${base}/s/${space}`);
  await page.getByRole("button", { name: "Page", exact: true }).click();
  await page.getByRole("link", { name: "Cover…" }).click();
  await expect(page.getByRole("heading", { name: "Cover", level: 1 })).toBeVisible();
  await reader.isAccessible("form of a cover");
  const position = page.getByRole("slider", { name: /^Visible part/ });
  await expect(position).toBeDisabled();
  await page.getByLabel("New picture").setInputFiles({ name: "bands.svg", mimeType: "image/svg+xml", buffer: Buffer.from(BANDS) });
  await expect(position).toBeEnabled();
  await position.fill("0");
  await expect(cover).toHaveCSS("object-position", "50% 0%");
  await page.getByRole("combobox", { name: "Size on sites" }).selectOption("As wide as the page");
  await page.getByRole("button", { name: "Save the cover" }).click();
  await expect(page).toHaveURL(/~\/changes\/1\/harbor$/);
  await expect(cover).toHaveCSS("object-position", "50% 0%");
  const made = await stored();
  expect(made.cover).toMatchObject({ ref: { kind: "file" }, yPos: 300 });
  expect(made.layout).toMatchObject({ coverSize: "full", outline: true });

  // The picture is a file of the space now, and is moved without another upload.
  await page.getByRole("button", { name: "Page", exact: true }).click();
  await page.getByRole("link", { name: "Cover…" }).click();
  await expect(page.getByRole("radio", { name: "bands.svg" })).toBeChecked();
  await expect(position).toHaveValue("0");
  await page.screenshot({ path: `${folder}/workspace-cover-1440.png`, fullPage: true });
  await position.fill("75");
  await page.getByRole("button", { name: "Save the cover" }).click();
  await expect(page).toHaveURL(/~\/changes\/1\/harbor$/);
  await expect(cover).toHaveCSS("object-position", "50% 75%");
  expect((await stored()).cover).toEqual({ ...made.cover, yPos: -150 });

  await call("POST", `/spaces/${space}/change-requests/1/merge`);
  const { urls } = await call("GET", path);
  await reader.open(urls.published);
  await expect(cover).toHaveCSS("object-position", "50% 75%");
  await page.screenshot({ path: `${folder}/site-cover-1440.png` });
  await reader.isAccessibleEverywhere();

  await page.goto(`${base}/s/${space}/~/cover/${pages[0].id}`);
  await page.getByRole("button", { name: "Remove the cover" }).click();
  await expect(page).toHaveURL(/~\/changes\/2\/harbor$/);
  const removed = await call("GET", `/spaces/${space}/change-requests/2/content/page/${pages[0].id}`);
  expect(removed.cover).toBeUndefined();
  expect(removed.layout.coverSize).toBe("full");
});

test("a cover from an address has no position, and a refused one is explained", async ({ page, reader }) => {
  const space = await createSpace("Addresses of covers");
  await write(space, [inserted("Harbor", "Text.")]);
  const { pages } = await call("GET", `/spaces/${space}/content/pages`);
  await page.route("https://pictures.example/**", (route) => route.fulfill({ body: BANDS, contentType: "image/svg+xml" }));
  await page.goto(`${base}/s/${space}/~/cover/${pages[0].id}`);
  await page.getByRole("button", { name: "Save the cover" }).click();
  await expect(page.getByRole("alert")).toHaveText("Choose a picture, or give an address.");
  await page.getByRole("textbox", { name: "Or an address" }).fill("https://pictures.example/bands.svg");
  await expect(page.getByRole("slider")).toBeDisabled();
  await page.getByRole("button", { name: "Save the cover" }).click();
  await expect(page).toHaveURL(/~\/changes\/1\/harbor$/);
  const made = await call("GET", `/spaces/${space}/change-requests/1/content/page/${pages[0].id}`);
  expect(made.cover).toEqual({ ref: { kind: "url", url: "https://pictures.example/bands.svg" }, yPos: 0 });
  // The picture is on another host.
  expect(reader.problems.filter((problem) => !problem.includes("pictures.example"))).toEqual([]);
  reader.problems.length = 0;
});

test("a cover behind the title leaves it readable, in light and dark", async ({ page, reader }) => {
  const space = await createSpace("Backgrounds");
  await write(space, [inserted("Harbor with a long title that takes two lines on a phone", "Text.", { description: "What ships need." })]);
  const { path } = await site({ title: "Backgrounds", visibility: "public", spaces: [space] });
  const { pages } = await call("GET", `/spaces/${space}/content/pages`);
  await page.goto(`${base}/s/${space}/~/cover/${pages[0].id}`);
  await page.getByLabel("New picture").setInputFiles({ name: "bands.svg", mimeType: "image/svg+xml", buffer: Buffer.from(BANDS) });
  await page.getByRole("combobox", { name: "Size on sites" }).selectOption("Behind the title");
  await page.getByRole("combobox", { name: "Edges" }).selectOption("Fading out");
  await page.getByRole("button", { name: "Save the cover" }).click();
  await expect(page).toHaveURL(/~\/changes\/1\/harbor/);
  await call("POST", `/spaces/${space}/change-requests/1/merge`);
  const { urls } = await call("GET", path);
  await reader.open(urls.published);
  const title = page.getByRole("heading", { level: 1 });
  const cover = page.getByRole("main").locator("img").first();
  for (const [width, size] of Object.entries({ 390: NARROW, 820: MEDIUM, 1440: WIDE })) {
    await page.setViewportSize(size);
    const [words, picture] = [(await title.boundingBox())!, (await cover.boundingBox())!];
    expect(picture.x, width).toBeLessThanOrEqual(words.x);
    expect(picture.y, width).toBeLessThan(words.y);
    expect(picture.y + picture.height, width).toBeGreaterThan(words.y + words.height);
    // The title is before the picture, which is too faint to hide text.
    const isBefore = await title.evaluate((heading) => {
      const { left, top } = heading.getBoundingClientRect();
      return document.elementFromPoint(left + 4, top + 4) === heading;
    });
    expect(isBefore, width).toBe(true);
    expect(Number(await cover.evaluate((picture) => getComputedStyle(picture).opacity))).toBeLessThanOrEqual(0.2);
    await reader.fits();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await reader.isAccessible(`background ${width} ${colorScheme}`);
      await page.screenshot({ path: `${folder}/site-cover-background-${width}-${colorScheme}.png` });
    }
  }
});
