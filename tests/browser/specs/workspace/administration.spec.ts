// Administrators translate, redirect, render and restyle sites, install integrations, and create organizations.
import { base, call, organization, page as inserted, site, space, token, write } from "../../support/api.ts";
import { unused } from "../../support/person.ts";
import { expect, replaceAssets, reloaded, test } from "../../support/reader.ts";
import type { Locator, Page } from "@playwright/test";

const at = (path: string) => `${base}/o/${organization}/${path}`;

/** Clicks a button that sends a request, and waits until the page is reloaded. */
const send = (button: Locator) => reloaded(button.page(), () => button.click());

const confirm = async (page: Page, name: string) => {
  await page.getByRole("button", { name }).click();
  await reloaded(page, () => page.getByRole("dialog").getByRole("button").last().click());
};

test.beforeEach(async ({ page }) => {
  await replaceAssets(page);
  await page.setExtraHTTPHeaders({ authorization: `Bearer ${token}` });
});

test("languages for translations are added, changed and deleted", async ({ reader, page }) => {
  // Languages of an earlier run of a repeated test.
  const { items: former } = await call("GET", `/orgs/${organization}/translations`);
  for (const { id } of former) await call("DELETE", `/orgs/${organization}/translations/${id}`);
  await reader.open(at("translations"));
  await page.getByLabel("Title", { exact: true }).fill("Europe");
  await page.getByLabel("Languages", { exact: true }).fill("de\nfr");
  await send(page.getByRole("button", { name: "Add", exact: true }));
  await page.getByText("Change Europe").click();
  await page.getByLabel("Languages of Europe").fill("de\nfr\nit");
  await send(page.getByRole("button", { name: "Save", exact: true }));
  await expect(page.getByRole("main")).toContainText("de, fr, it");
  await reader.isAccessibleEverywhere();
  await confirm(page, "Delete Europe");
  expect((await call("GET", `/orgs/${organization}/translations`)).items).toEqual([]);
});

test("a site gets a renderer, a changed redirect, and a space with a look of its own", async ({ reader, page }) => {
  const first = await space("Mooring");
  const second = await space("Anchorage");
  await write(first, [inserted("Buoys", "Red and green.")]);
  const { id, path } = await site({ title: "Waters", visibility: "public" }, async (path) => {
    await call("POST", `${path}/site-spaces`, { spaceId: first });
    return call("POST", `${path}/site-spaces`, { spaceId: second });
  }).then(({ id }: { id: string }) => ({ id, path: `/orgs/${organization}/sites/${id}` }));

  await reader.open(at(`sites/${id}/renderer`));
  await page.getByLabel("Address").fill("https://renderer.example.com");
  await page.getByLabel("Secret").fill("a secret of at least sixteen");
  await send(page.getByRole("button", { name: "Save", exact: true }));
  await expect(page.getByRole("main")).toContainText("https://renderer.example.com");
  await reader.isAccessibleEverywhere();
  await confirm(page, "Remove the renderer");
  await expect(page.getByLabel("Secret")).toHaveAttribute("required", "");

  await call("POST", `${path}/redirects`, { source: "/old", destination: { kind: "external", url: "https://example.com/a" } });
  await reader.open(at(`sites/${id}/redirects`));
  await page.getByRole("button", { name: "Change /old" }).click();
  await page.getByLabel("To: /old").fill("https://example.com/b");
  await send(page.getByRole("button", { name: "Save", exact: true }));
  const { items } = await call("GET", `${path}/redirects`);
  expect(items[0].destination.url).toBe("https://example.com/b");
  const toSpace = page.getByRole("form", { name: "To a space" });
  await toSpace.getByLabel("Space to lead to").selectOption("Anchorage");
  await toSpace.getByLabel("From").fill("/anchors");
  await send(toSpace.getByRole("button", { name: "Add the redirect" }));
  await expect(page.getByRole("row", { name: /anchors/ })).toContainText("Anchorage");
  await page.getByRole("textbox", { name: "Redirects", exact: true }).fill("/former https://example.com/d");
  await send(page.getByRole("button", { name: "Set the redirects" }));
  await expect(page.getByRole("region", { name: "Redirects" })).toContainText("https://example.com/d");

  await toSpace.getByLabel("From").fill("/anchors");
  await toSpace.getByLabel("Space to lead to").selectOption("Mooring");
  await toSpace.getByLabel("Draft, which visitors do not follow yet").check();
  await send(toSpace.getByRole("button", { name: "Add the redirect" }));
  await expect(page.getByRole("region", { name: "Drafts" })).toContainText("Mooring");
  await expect(page.getByRole("region", { name: "Redirects" })).toContainText("Anchorage");
  await reader.isAccessibleEverywhere();
  await send(page.getByRole("button", { name: "Publish the draft from /anchors" }));
  await expect(page.getByRole("region", { name: "Drafts" })).toHaveCount(0);
  await expect(page.getByRole("row", { name: /anchors/ }).getByRole("cell", { name: "Mooring", exact: true })).toBeVisible();

  await reader.open(at(`sites/${id}/look`));
  await page.getByRole("main").getByRole("link", { name: "Anchorage" }).click();
  await page.getByLabel("Corners").selectOption("Straight");
  await send(page.getByRole("button", { name: "Save", exact: true }));
  await expect(page.getByLabel("Corners")).toHaveValue("straight");
  await reader.isAccessibleEverywhere();
  await confirm(page, "Use the look of the site");
  await expect(page.getByLabel("Corners")).toHaveValue("null");
});

/** A green picture of one pixel. */
const PIXEL = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkaPhfDwADBgGAWt3PowAAAABJRU5ErkJggg==", "base64");

test("a new version of an integration has its icon, blocks and secrets", async ({ reader, page }) => {
  const name = `currents-${Date.now()}`;
  const title = unused("Currents");
  await call("POST", `/integrations/${name}`, { title, description: "Shows currents.", scopes: [], script: "run()", organization });
  await reader.open(at("integrations"));
  await page.getByRole("link", { name: `New version of ${title}` }).click();
  await expect(page.getByRole("main")).toContainText("Version 1");
  await expect(page.getByRole("main")).toContainText("No icon");
  const publish = async () => {
    await page.getByLabel("Script", { exact: true }).setInputFiles({ name: "currents.js", mimeType: "text/javascript", buffer: Buffer.from("export default {};") });
    await send(page.getByRole("button", { name: "Publish the version" }));
  };
  await page.getByLabel("Icon", { exact: true }).setInputFiles({ name: "icon.png", mimeType: "image/png", buffer: PIXEL });
  await page.getByText("Blocks, content sources and settings").click();
  await page.getByLabel("Blocks", { exact: true }).fill('[{ "id": "map", "title": "Map of currents" }]');
  await page.getByLabel("Secrets of the script").fill("no value");
  await page.getByLabel("Script", { exact: true }).setInputFiles({ name: "currents.js", mimeType: "text/javascript", buffer: Buffer.from("export default {};") });
  await page.getByRole("button", { name: "Publish the version" }).click();
  await expect(page.getByLabel("Secrets of the script")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByRole("main")).toContainText("Each line must be NAME=value.");
  await page.getByLabel("Secrets of the script").fill("KEY=a=b");
  await publish();
  await expect(page.getByRole("main")).toContainText("Version 2");
  await expect(page.getByRole("main")).toContainText("Blocks: Map of currents");
  await expect(page.getByRole("main")).toContainText("An icon");
  await page.getByText("Blocks, content sources and settings").click();
  await reader.isAccessibleEverywhere();

  // Omitted values are kept, except for secrets.
  await publish();
  await expect(page.getByRole("main")).toContainText("Version 3");
  await expect(page.getByRole("main")).toContainText("An icon");
  await expect(page.getByRole("main")).toContainText("Blocks: Map of currents");
  const { urls, blocks } = await call("GET", `/integrations/${name}`);
  expect(urls.icon).toBeTruthy();
  expect(blocks).toHaveLength(1);
  await call("DELETE", `/integrations/${name}`);
});

test("an integration is published, installed on a space, and unpublished", async ({ reader, page }) => {
  const id = await space("Harbourmaster");
  const name = `tides-${Date.now()}`;
  const title = unused("Tides");
  await reader.open(at("integrations"));
  await page.getByText("Publish an integration").click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Title", { exact: true }).fill(title);
  await page.getByLabel("Description in one line").fill("Shows the tides.");
  await page.getByLabel("Permissions").fill("space:content:read");
  await page.getByLabel("Script", { exact: true }).setInputFiles({ name: "tides.js", mimeType: "text/javascript", buffer: Buffer.from("export default {};") });
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(page.getByRole("main").getByRole("status")).toContainText("Published.");

  await reader.open(at("integrations"));
  await confirm(page, `Install ${title}`);
  await page.getByRole("link", { name: `Spaces and sites of ${title}` }).click();
  await page.getByLabel("Add a space").selectOption("Harbourmaster");
  await send(page.getByRole("button", { name: "Install", exact: true }).first());
  await expect(page.getByRole("button", { name: "Remove it from Harbourmaster" })).toBeVisible();
  await reader.isAccessibleEverywhere();
  await page.getByRole("button", { name: "Configure it on Harbourmaster" }).click();
  await expect(page.getByLabel("Configuration on Harbourmaster", { exact: true }).last()).toHaveValue("{}");
  await reader.isAccessible("the configuration on a space");
  await send(page.getByRole("dialog").getByRole("button", { name: "Save" }));
  await send(page.getByRole("button", { name: "Remove it from Harbourmaster" }));
  await expect(page.getByRole("main")).toContainText("No spaces");
  expect(id).toBeTruthy();

  await reader.open(at("integrations"));
  await confirm(page, `Unpublish ${title}`);
  await expect(page.getByRole("main")).not.toContainText(title);
});

test("a user founds another organization", async ({ reader, page }) => {
  await reader.open(`${base}/~/new-organization`);
  await reader.isAccessibleEverywhere();
  await page.getByLabel("Title").fill("Coast Guard");
  await page.getByRole("button", { name: "Create organization" }).click();
  await expect(page).toHaveURL(/\/o\/[0-9a-f-]+$/);
  await expect(page).toHaveTitle(/Coast Guard|Home/);
});

test("a document is imported into a page, and a comment gets a reaction", async ({ reader, page }) => {
  const id = await space("Chart room");
  await write(id, [inserted("Charts", "All of them.")]);
  const { pages } = await call("GET", `/spaces/${id}/content/pages`);
  await reader.open(`${base}/s/${id}/~/import?into=${pages[0].id}`);
  await expect(page.getByRole("main")).toContainText("The import goes to the page Charts: a single document replaces its text");
  await page.getByLabel("File", { exact: true }).setInputFiles({ name: "north.md", mimeType: "text/markdown", buffer: Buffer.from("# North\n\nCold water.\n") });
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect(page).toHaveURL(/\/~\/imports\//);
  await expect(page.getByRole("main").getByRole("status").first()).toContainText("page");

  await call("POST", `/spaces/${id}/comments`, { page: pages[0].id, body: { markdown: "Which edition?" } });
  await reader.open(`${base}/s/${id}/${pages[0].path}`);
  await page.getByRole("button", { name: "React", exact: true }).click();
  await page.getByRole("button", { name: "React with 👍" }).click();
  const given = page.getByRole("button", { name: "👍 by 1 person" });
  await expect(given).toHaveAttribute("aria-pressed", "true");
  await reader.isAccessibleEverywhere();
  await given.click();
  await expect(given).toHaveCount(0);
});
