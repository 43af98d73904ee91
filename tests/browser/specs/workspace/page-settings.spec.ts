// Settings of a page: its icon, and the parts of its layout on sites.
import { base, call, page as inserted, site, space as createSpace, write } from "../../support/api.ts";
import { headers } from "../../support/editor.ts";
import { expect, MEDIUM, NARROW, test, WIDE } from "../../support/reader.ts";

const folder = process.env.QUIRE_SCREENS ?? "";
/** Width of the text of a page that is not wide, in pixels. */
const READABLE = 736;

test.beforeEach(async ({ page }) => {
  await page.setExtraHTTPHeaders(headers);
});

test("the icon, the width and the parts of a page are set, and sites follow", async ({ page, reader }) => {
  const space = await createSpace("Layouts");
  const text = "## Times\n\nThe tide tables of all harbors. ".concat("Words of a paragraph that fills its line. ".repeat(12));
  await write(space, [inserted("Tides", text, { description: "Twice a day" }), inserted("Moon", "Text.")]);
  const { path } = await site({ title: "Layouts", visibility: "public", spaces: [space] });
  const { urls: { published } } = await call("GET", path);
  const { pages } = await call("GET", `/spaces/${space}/content/pages`);

  const heading = page.getByRole("heading", { name: "Tides", level: 1 });
  const parts = {
    "Show the title": heading,
    "Show the description": page.getByRole("main").getByText("Twice a day"),
    "Show the navigation": page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Moon" }),
    "Show the outline": page.getByRole("navigation", { name: "On this page" }),
    "Show the previous and next page": page.getByRole("navigation", { name: "Previous and next page" }),
    "Show the time of the last change": page.getByText("Last updated"),
    "Show the menu of the page": page.getByRole("button", { name: "Copy as Markdown" }),
    "Show links to headings": page.getByRole("link", { name: "Link to this section" }),
  };
  const width = async () => Math.round((await page.getByRole("article").boundingBox())!.width);
  await reader.open(published);
  for (const [name, part] of Object.entries(parts)) await expect(part.first(), name).toBeAttached();
  expect(await width()).toBe(READABLE);

  await page.goto(`${base}/s/${space}`);
  await page.getByRole("button", { name: "Page", exact: true }).click();
  await page.getByRole("button", { name: "Settings…" }).click();
  const settings = page.getByRole("dialog", { name: "Page settings" });
  await settings.getByRole("textbox", { name: "Icon" }).fill("anchor");
  await settings.getByRole("combobox", { name: "Width on sites" }).selectOption("As wide as the window");
  for (const name of Object.keys(parts)) await settings.getByRole("checkbox", { name }).uncheck();
  await reader.isAccessible("settings of a page");
  for (const [name, viewport] of [["390", NARROW], ["820", MEDIUM], ["1440", WIDE]] as const) {
    await page.setViewportSize(viewport);
    await reader.fits();
    await page.screenshot({ path: `${folder}/workspace-page-settings-${name}.png` });
  }
  await settings.getByRole("button", { name: "Save" }).click();
  await expect(page).toHaveURL(/~\/changes\/1$/);
  const { icon, layout } = await call("GET", `/spaces/${space}/change-requests/1/content/page/${pages[0].id}`);
  expect(icon).toBe("anchor");
  expect(layout).toMatchObject({ width: "wide", title: false, metadata: false, actions: false, anchors: false, cover: true });
  await call("POST", `/spaces/${space}/change-requests/1/merge`);

  await reader.open(published);
  for (const [name, part] of Object.entries(parts)) {
    if (name !== "Show the title") await expect(part, name).toHaveCount(0);
  }
  // Screen readers still have the title.
  expect((await heading.boundingBox())!.width).toBeLessThanOrEqual(1);
  expect(await width()).toBeGreaterThan(READABLE);
  await page.screenshot({ path: `${folder}/site-wide-1440.png` });
  await reader.isAccessibleEverywhere();
});
