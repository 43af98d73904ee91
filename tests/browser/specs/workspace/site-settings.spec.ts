// Parts of a site, and the settings of its look that have no preview.
import { type Browser, type Page } from "@playwright/test";
import { base, call, organization, page as inserted, site, space, token, write } from "../../support/api.ts";
import { unused } from "../../support/person.ts";
import { expect, MEDIUM, NARROW, type Reader, replaceAssets, reloaded, test, WIDE } from "../../support/reader.ts";

const folder = process.env.QUIRE_SCREENS ?? "";

test.beforeEach(async ({ page }) => {
  await replaceAssets(page);
  await page.setExtraHTTPHeaders({ authorization: `Bearer ${token}` });
});

/** Saves a form by its button, and waits until the next page is loaded. */
const save = (page: Page, name = "Save") => reloaded(page, () => page.getByRole("button", { name, exact: true }).click());

/** Opens a page without a session. */
async function visitor(browser: Browser, url: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(url);
  return page;
}

async function pictures(reader: Reader, name: string): Promise<void> {
  const { page } = reader;
  await reader.isAccessibleEverywhere();
  for (const [width, size] of Object.entries({ 390: NARROW, 820: MEDIUM, 1440: WIDE })) {
    await page.setViewportSize(size);
    await reader.fits();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${folder}/workspace-${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(WIDE);
}

test("a space on a site gets titles, is hidden, has a condition, and is a draft", async ({ reader, page, browser }) => {
  const [first, second] = [await space("Manual"), await space("Handbook")];
  await call("PATCH", `/spaces/${first}`, { language: "de" });
  for (const id of [first, second]) await write(id, [inserted("Start", "Welcome.")]);
  const { id, path, url } = await site({ title: "Parts", visibility: "public" }, async (path) => {
    await call("POST", `${path}/site-spaces`, { spaceId: first });
    await call("POST", `${path}/site-spaces`, { spaceId: second });
  });
  const structure = `${base}/o/${organization}/sites/${id}/structure`;
  const settings = async () => {
    await reader.open(structure);
    await page.getByRole("main").getByRole("link", { name: "Settings of Handbook" }).click();
    await expect(page.getByRole("heading", { name: "Settings of Handbook" })).toBeVisible();
  };
  /** Returns the titles of the second space in the menu that a visitor of the first space sees. */
  const listed = async () => {
    const page = await visitor(browser, url);
    const titles = await page.getByRole("link", { name: /Handbook|Handbuch/, includeHidden: true }).allTextContents();
    await page.context().close();
    return titles.join();
  };
  const stored = async () => {
    const { items } = await call("GET", `${path}/site-spaces`);
    return items.find(({ title }: { title: string }) => title === "Handbook");
  };
  expect((await stored()).urls.published).toBeTruthy();
  const address = (await stored()).urls.published;

  await settings();
  await pictures(reader, "site-part");
  await page.getByLabel("Titles in other languages").fill("no language");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByLabel("Titles in other languages")).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("Titles in other languages").fill("de=Handbuch");
  await save(page);
  await expect(page).toHaveURL(structure);
  expect((await stored()).localizedTitle).toEqual({ de: "Handbuch" });
  expect(await listed()).toContain("Handbuch");

  await settings();
  await expect(page.getByLabel("Titles in other languages")).toHaveValue("de=Handbuch");
  await page.getByLabel("Hidden: menus leave the space out").check();
  await save(page);
  await expect(page.getByRole("main")).toContainText("Hidden");
  expect(await listed()).not.toContain("Handbuch");
  const hidden = await visitor(browser, address);
  await expect(hidden.getByRole("main")).toContainText("Welcome.");
  await hidden.context().close();

  await settings();
  await page.getByLabel("Hidden: menus leave the space out").uncheck();
  await page.getByLabel("Only for visitors for whom this is true").fill("visitor.claims.plan ===");
  reader.awaits(`${base}/v1${path}/site-spaces/${(await stored()).id}`);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("condition");
  await expect(page.getByLabel("Only for visitors for whom this is true")).toBeFocused();
  await page.getByLabel("Only for visitors for whom this is true").fill('visitor.claims.plan === "pro"');
  await expect(page.getByRole("link", { name: "Switch adaptive content on" })).toBeVisible();
  await save(page);
  await expect(page.getByRole("main")).toContainText("With a condition");
  expect(await listed()).not.toContain("Handbuch");

  await settings();
  await page.getByLabel("Only for visitors for whom this is true").fill("");
  await page.getByLabel("Draft: visitors do not see the space yet").check();
  await save(page);
  expect(await stored()).toMatchObject({ draft: true, hidden: false });
  expect((await stored()).condition).toBeUndefined();
  expect(await listed()).not.toContain("Handbuch");
  await settings();
  await page.getByLabel("Draft: visitors do not see the space yet").uncheck();
  await save(page);
  expect(await listed()).toContain("Handbuch");
});

test("sections and their groups have icons, descriptions and translations", async ({ reader, page }) => {
  const [first, second] = [await space("Manual"), await space("Reference")];
  const { id, path } = await site({ title: "Sections", visibility: "public", spaces: [first] });
  const structure = `${base}/o/${organization}/sites/${id}/structure`;
  await reader.open(structure);
  await page.getByRole("button", { name: "Section", exact: true }).click();
  const adding = page.getByRole("dialog", { name: "Add a section" });
  await adding.getByLabel("First space").selectOption({ value: second });
  await adding.getByLabel("Icon").fill("book");
  await adding.getByLabel("Draft: visitors do not see it yet").check();
  await reloaded(page, () => adding.getByRole("button", { name: "Add", exact: true }).click());
  await page.getByRole("link", { name: "Settings of Reference" }).first().click();
  await expect(page.getByLabel("Icon")).toHaveValue("book");
  await page.getByLabel("Icon").fill("rocket");
  await page.getByLabel("Description", { exact: true }).fill("All commands.");
  await page.getByLabel("Descriptions in other languages").fill("de=Alle Befehle.");
  await page.getByLabel("Titles in other languages").fill("de=Nachschlagen");
  await page.getByLabel("Draft: visitors do not see the section yet").uncheck();
  await reader.isAccessibleEverywhere();
  await save(page);
  const { items } = await call("GET", `${path}/sections`);
  expect(items[1]).toMatchObject({
    icon: "rocket", description: "All commands.", localizedDescription: { de: "Alle Befehle." }, localizedTitle: { de: "Nachschlagen" }, draft: false,
  });

  await page.getByRole("button", { name: "Group of sections" }).click();
  const grouping = page.getByRole("dialog", { name: "Add a group of sections" });
  await grouping.getByLabel("Title").fill("More");
  await grouping.getByLabel("Reference").check();
  await reloaded(page, () => grouping.getByRole("button", { name: "Add", exact: true }).click());
  await page.getByRole("link", { name: "Settings of More" }).click();
  await page.getByLabel("Icon").fill("layer-group");
  await page.getByLabel("Titles in other languages").fill("de=Weiteres");
  await page.getByLabel("Draft: visitors do not see the group").check();
  await save(page);
  const { items: groups } = await call("GET", `${path}/section-groups`);
  expect(groups[0]).toMatchObject({ title: "More", icon: "layer-group", localizedTitle: { de: "Weiteres" }, draft: true });
});

test("announcement, pictures, links, footer, menus, fonts and all settings are changed", async ({ reader, page, browser }) => {
  const id = await space("Dressed");
  await write(id, [inserted("Start", "Welcome.")]);
  const made = await site({ title: "Dressed in the browser", visibility: "public", spaces: [id] });
  await call("PUT", `${made.path}/customization`, { title: "Dressed", header: { links: [] } });
  const stored = () => call("GET", `${made.path}/customization`);
  await reader.open(`${base}/o/${organization}/sites/${made.id}/look`);
  await page.getByRole("link", { name: "Announcement, logos, header, footer, fonts and more" }).click();
  await expect(page.getByRole("heading", { name: "More of the look" })).toBeVisible();
  await pictures(reader, "site-look-more");

  await page.getByLabel("Show it above all pages").check();
  await page.getByLabel("Text of the announcement").fill("Version 3 is out.");
  await page.getByLabel("Kind of the announcement").selectOption("Success");
  await page.getByLabel("Link of the announcement").fill("Read more = https://example.com/news?a=b");
  await save(page, "Save the announcement");
  expect((await stored()).announcement).toMatchObject({
    enabled: true, message: "Version 3 is out.", style: "success", link: { title: "Read more", to: { kind: "url", url: "https://example.com/news?a=b" } },
  });

  await page.getByLabel("Links in the header").fill("Blog");
  await page.getByRole("button", { name: "Save the header" }).click();
  await expect(page.getByRole("alert")).toHaveText("Each line must be Title = address or Menu > Title = address.");
  await expect(page.getByLabel("Links in the header")).toBeFocused();
  await page.getByLabel("Links in the header").fill("Blog = https://example.com/blog\nMore > Status = https://example.com/status\nMore > Forum = https://example.com/forum");
  await save(page, "Save the header");
  await expect(page.getByLabel("Links in the header")).toHaveValue(/^Blog = .*\nMore > Status = .*\nMore > Forum = .*$/);

  await page.getByLabel("Emoji as the icon of the site").fill("⚓");
  await save(page, "Save the pictures");
  await page.getByLabel("Columns of links").fill("Product > Prices = https://example.com/prices");
  await page.getByLabel("Copyright line").fill("© Ferry");
  await page.getByLabel("Accounts on social platforms").fill("github = acme");
  await save(page, "Save the footer");
  await page.getByLabel("Links to other sites open").selectOption("In a new tab");
  await page.getByLabel("Menu of a page").fill("pdf\nmarkdown");
  await save(page, "Save the settings of pages");
  await page.getByLabel("Font of texts").selectOption("Lato");
  await page.getByLabel("Search field").selectOption("Small");
  await save(page, "Save fonts and colors");
  const settings = await stored();
  expect(settings).toMatchObject({
    title: "Dressed",
    announcement: { message: "Version 3 is out." },
    favicon: { emoji: "⚓" },
    footer: { copyright: "© Ferry", groups: [{ title: "Product", links: [{ title: "Prices" }] }] },
    socialAccounts: [{ platform: "github", handle: "acme" }],
    externalLinks: { target: "blank" },
    pageActions: { items: ["pdf", "markdown"] },
    styling: { font: "Lato", search: "subtle" },
  });

  const seen = await visitor(browser, made.url);
  await expect(seen.getByText("Version 3 is out.")).toBeVisible();
  await expect(seen.getByRole("link", { name: "Blog", includeHidden: true }).first()).toBeAttached();
  await expect(seen.getByText("© Ferry")).toBeAttached();
  await seen.context().close();

  await page.getByText("All settings", { exact: true }).last().click();
  const text = page.getByRole("textbox", { name: "Settings" });
  const all = JSON.parse(await text.inputValue());
  all.header.links[0].condition = "visitor.claims.beta";
  await text.fill(JSON.stringify(all));
  await save(page, "Save all settings");
  expect((await stored()).header.links[0].condition).toBe("visitor.claims.beta");
  // A field that could lose a condition is not offered.
  await expect(page.getByLabel("Links in the header")).toHaveCount(0);
  await save(page, "Remove the announcement");
  expect((await stored()).announcement).toBeUndefined();
});

test("a site is the first on the start page, and a space has a picture", async ({ reader, page }) => {
  const id = await space(unused("Pictured"));
  const title = unused("First site");
  const made = await site({ title, visibility: "public", spaces: [id] });
  await reader.open(`${base}/o/${organization}/settings`);
  await page.getByLabel("Site on top of the start page").selectOption({ value: made.id });
  await save(page, "Show the site first");
  await reader.open(`${base}/o/${organization}`);
  const link = page.getByRole("main").getByRole("link", { name: title, exact: true });
  await expect(link).toHaveAttribute("href", made.url);
  await reader.isAccessibleEverywhere();
  await reader.open(`${base}/o/${organization}/settings`);
  await save(page, "Show no site");
  await reader.open(`${base}/o/${organization}`);
  await expect(link).toHaveCount(0);

  const settings = `${base}/s/${id}/~/settings`;
  await reader.open(settings);
  const picture = await page.evaluate(() => document.querySelector<HTMLLinkElement>('link[rel="icon"]')!.href);
  await page.getByLabel("Address of a picture").fill(picture);
  await save(page, "Save the picture");
  expect((await call("GET", `/spaces/${id}`)).urls.icon).toBe(picture);
  await page.getByLabel("Title", { exact: true }).fill(unused("Pictured again"));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("main").getByRole("status")).toHaveText("Saved.");
  // Other settings leave the picture.
  expect((await call("GET", `/spaces/${id}`)).urls.icon).toBe(picture);
  await page.getByLabel("Emoji").fill("⚓");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(async () => (await call("GET", `/spaces/${id}`)).urls.icon).toBeUndefined();
});
