// Settings of organizations, spaces and collections.
import { base, call, eventually, organization, page as inserted, space, token, write } from "../../support/api.ts";
import { unused } from "../../support/person.ts";
import { expect, NARROW, replaceAssets, reloaded, test, WIDE } from "../../support/reader.ts";
import type { Locator, Page } from "@playwright/test";

const at = (path: string) => `${base}/o/${organization}/${path}`;
const folder = process.env.QUIRE_SCREENS ?? "";

const confirm = async (page: Page, name: string) => {
  await page.getByRole("button", { name }).click();
  await page.getByRole("dialog").getByRole("button").last().click();
};

/** Clicks a button that sends a request, and waits until the page is reloaded. */
const send = (button: Locator) => reloaded(button.page(), () => button.click());

test.beforeEach(async ({ page }) => {
  await replaceAssets(page);
  await page.setExtraHTTPHeaders({ authorization: `Bearer ${token}` });
});

test("a space is changed, shared, duplicated, deleted and restored", async ({ reader, page }) => {
  const id = await space("Harbour");
  const settings = `${base}/s/${id}/~/settings`;
  await reader.open(settings);
  await page.getByLabel("Title").fill("Port");
  await page.getByLabel("Emoji").fill("⚓");
  await page.getByLabel("Role of members").selectOption("None: only those with access");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("main").getByRole("status")).toHaveText("Saved.");
  const changed = await call("GET", `/spaces/${id}`);
  expect([changed.title, changed.emoji, changed.defaultLevel]).toEqual(["Port", "⚓", null]);

  const pilots = unused("Pilots");
  const { id: team } = await call("PUT", `/orgs/${organization}/teams`, { title: pilots });
  await page.getByRole("link", { name: "Access" }).click();
  await page.getByLabel("Team", { exact: true }).pressSequentially(pilots);
  await expect(page.locator("datalist option")).toHaveCount(1);
  await page.getByLabel("Team", { exact: true }).fill(pilots);
  await page.getByRole("button", { name: "Add team" }).click();
  const teams = page.getByRole("region", { name: "Teams" });
  await teams.getByLabel(`Role of ${pilots}`).selectOption("Edit");
  await expect(page.getByRole("main").getByRole("status")).toHaveText("Saved.");
  expect((await call("GET", `/spaces/${id}/permissions/teams`)).items[0]).toMatchObject({ permission: "edit", team: { id: team } });
  await confirm(page, `Remove ${pilots}`);
  await expect(teams).toHaveCount(0);

  await reader.open(settings);
  await page.getByRole("button", { name: "Duplicate Port" }).click();
  await expect(page).toHaveURL(/\/s\/[0-9a-f-]+$/);
  await reader.open(settings);
  await confirm(page, "Delete the space Port");
  await expect(page).toHaveURL(at("deleted"));
  await page.getByRole("button", { name: "Restore Port", exact: true }).click();
  await expect(page).toHaveURL(`${base}/s/${id}`);
});

test("a space is moved into a new collection, which must be empty to be deleted", async ({ reader, page }) => {
  const id = await space("Lighthouse");
  const coast = unused("Coast");
  await reader.open(at(""));
  await page.getByRole("button", { name: "New collection" }).click();
  await page.getByRole("dialog").getByLabel("Title").fill(coast);
  await page.getByRole("button", { name: "Create collection" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(coast);
  const collection = page.url();
  await reader.open(`${base}/s/${id}/~/settings`);
  await page.getByLabel("Collection").selectOption(coast);
  await page.getByRole("button", { name: "Move" }).click();
  await expect(page.getByRole("main").getByRole("status")).toHaveText("Moved.");
  await reader.open(collection);
  await expect(page.getByRole("main")).toContainText("Lighthouse");
  await page.getByRole("main").getByRole("link", { name: "Settings" }).click();
  await page.getByLabel("Description").fill("All along the shore.");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("main").getByRole("status")).toHaveText("Saved.");
  reader.awaits(collection.replace("/c/", "/v1/collections/"));
  await confirm(page, `Delete the collection ${coast}`);
  await expect(page.getByRole("alert")).toBeVisible();
  await call("DELETE", `/spaces/${id}`);
  await confirm(page, `Delete the collection ${coast}`);
  await expect(page).toHaveURL(base + `/o/${organization}`);
});

test("a space gets another place among the others of its collection", async ({ reader, page }) => {
  const { id: parent } = await call("POST", `/orgs/${organization}/collections`, { title: unused("Fleet") });
  const titles = ["Barge", "Canoe", "Dinghy"];
  const ids: string[] = [];
  for (const title of titles) ids.push((await call("POST", `/orgs/${organization}/spaces`, { title, parent })).id);
  const order = async () => (await call("GET", `/collections/${parent}/spaces`)).items.map(({ title }: { title: string }) => title);
  expect(await order()).toEqual(titles);
  for (const [place, expected] of [["Before Barge", ["Dinghy", "Barge", "Canoe"]], ["At the end", titles]] as const) {
    await reader.open(`${base}/s/${ids[2]}/~/settings`);
    await page.getByLabel("Place in the lists").selectOption(place);
    await page.getByRole("button", { name: "Place it" }).click();
    await expect(page.getByRole("main").getByRole("status")).toHaveText("Moved.");
    expect(await order()).toEqual(expected);
  }
});

test("a deleted page is restored in a draft", async ({ reader, page }) => {
  const id = await space("Moorings");
  await write(id, [inserted("Buoys", "Red and green.")]);
  const { pages } = await call("GET", `/spaces/${id}/content/pages`);
  const buoys = pages.find((found: { title: string }) => found.title === "Buoys");
  await write(id, [{ operation: "delete_page", page: buoys.id }]);
  await reader.open(`${base}/s/${id}`);
  await page.getByRole("link", { name: "Deleted pages" }).click();
  await expect(page.getByRole("main")).toContainText("1 deleted page");
  await reader.isAccessibleEverywhere();
  await pictures(page, "trash");
  await page.getByRole("button", { name: "Restore Buoys" }).click();
  await expect(page).toHaveURL(/changes\/1$/);
  await expect(page.getByRole("main").getByRole("link", { name: "Buoys" }).first()).toBeVisible();
  await call("POST", `/spaces/${id}/change-requests/1/merge`, {});
  await reader.open(`${base}/s/${id}/~/trash`);
  await expect(page.getByText("No deleted pages")).toBeVisible();
});

test("the organization, with an error at its field", async ({ reader, page }) => {
  await reader.open(at("settings"));
  reader.awaits(`${base}/v1/orgs/${organization}`);
  await page.getByLabel("E-mail domains", { exact: true }).fill("not a domain");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByLabel("E-mail domains", { exact: true })).toBeFocused();
  await expect(page.getByRole("alert")).toHaveText("The body is not valid: emailDomains: must be a domain such as example.com");
  await page.getByLabel("E-mail domains", { exact: true }).fill("");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("main").getByRole("status")).toHaveText("Saved.");
});

test("a webhook, its secrets, a test and a delivery that is sent again", async ({ reader, page }) => {
  const address = `http://127.0.0.1:9/${unused("hook")}`;
  await reader.open(at("webhooks"));
  await page.getByLabel("Address").fill(address);
  await page.getByLabel("Space created").check();
  await page.getByRole("button", { name: "Create webhook" }).click();
  const secret = page.getByRole("status").getByLabel("secret");
  const first = await secret.inputValue();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("link", { name: address, exact: true }).click();
  await confirm(page, "New secret");
  await expect(secret).not.toHaveValue(first);
  await send(page.getByRole("button", { name: "Send a test" }));
  const deliveries = page.getByRole("region", { name: "Deliveries" });
  await expect(deliveries).toContainText("Ping");
  // The state changes with each attempt, and their number only grows.
  const path = `/orgs/${organization}/webhooks/${page.url().split("/").pop()}/deliveries`;
  // Spaces that other walks create have deliveries, too.
  const attempts = async () => (await call("GET", path)).items.find(({ kind }: { kind: string }) => kind === "ping").attempts;
  await eventually("a first attempt", attempts, (made) => made >= 1);
  const before = await attempts();
  await send(deliveries.getByRole("button", { name: "Send again: Ping" }));
  await eventually("another attempt", attempts, (made) => made > before);
  await page.reload();
  await expect(deliveries.getByRole("row", { name: /^Ping/ }).getByRole("cell").nth(2)).toHaveText(/^([2-9]|\d\d)$/);
  await page.getByText("Change the webhook").click();
  await page.getByLabel("Events are delivered").uncheck();
  await send(page.getByRole("button", { name: "Save", exact: true }));
  await page.getByText("Change the webhook").click();
  await expect(page.getByLabel("Events are delivered")).not.toBeChecked();
  await confirm(page, "Delete the webhook");
  await expect(page).toHaveURL(at("webhooks"));
});

test("a specification is uploaded, gets a version and goes", async ({ reader, page }) => {
  const name = unused("harbour");
  await reader.open(at("openapi"));
  await page.getByLabel("Name of the file").fill(name);
  const document = { openapi: "3.0.3", info: { title: "Harbour", version: "1" }, paths: {} };
  await page.getByLabel("File", { exact: true }).setInputFiles({ name: "harbour.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(document)) });
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("link", { name, exact: true })).toBeVisible();
  await eventually("a version", () => call("GET", `/orgs/${organization}/openapi/${name}`), (spec) => spec.processingState === "complete");
  await page.getByRole("link", { name, exact: true }).click();
  await expect(page.getByRole("main")).toContainText("1 version");
  await confirm(page, `Delete the specification ${name}`);
  await expect(page).toHaveURL(at("openapi"));
});

test("a custom field", async ({ reader, page }) => {
  // The field of an earlier run of a repeated test.
  const { items: former } = await call("GET", `/orgs/${organization}/custom-fields`);
  if (former.some(({ name }: { name: string }) => name === "berth")) await call("DELETE", `/orgs/${organization}/custom-fields/berth`);
  await reader.open(at("fields"));
  await page.getByLabel("Name").fill("berth");
  await page.getByLabel("Title").fill("Berth");
  await page.getByLabel("Type").selectOption("One option");
  await page.getByLabel("Options", { exact: true }).fill("North\nSouth");
  await page.getByRole("button", { name: "Create field" }).click();
  await page.getByRole("link", { name: "Berth" }).click();
  await page.getByLabel("Options").fill("North\nSouth\nEast");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("main").getByRole("status")).toHaveText("Saved.");
  expect((await call("GET", `/orgs/${organization}/custom-fields/berth`)).options).toEqual(["North", "South", "East"]);
  const id = await space("Quay");
  await reader.open(`${base}/s/${id}/~/settings`);
  await page.getByLabel("Berth").selectOption("East");
  await page.getByRole("button", { name: "Save", exact: true }).last().click();
  await expect(page.getByRole("main").getByRole("status")).toHaveText("Saved.");
  const values = await call("GET", `/spaces/${id}/custom-fields`);
  expect(JSON.stringify(values)).toContain("East");
  await reader.open(at("fields/berth"));
  await confirm(page, "Delete the field Berth");
  await expect(page).toHaveURL(at("fields"));
});

test("the audit log is filtered by operation and result", async ({ reader, page }) => {
  await space("Recorded");
  await reader.open(at("audit"));
  await page.getByLabel("Operation").fill("createSpace");
  await page.getByLabel("Result").selectOption("Done");
  await page.getByRole("button", { name: "Filter" }).click();
  const rows = page.getByRole("region", { name: "Audit log" }).getByRole("row");
  await expect(rows.nth(1)).toContainText("createSpace");
  await page.getByLabel("Operation").fill("nothingOfThisName");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("main")).toContainText("No entries here");
});

test("the palette leads to the settings", async ({ reader, page }) => {
  await reader.open(at(""));
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search" }).fill("webh");
  await expect(page.getByRole("option", { name: /^Webhooks/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(at("webhooks"));
});

for (const name of ["settings", "fields", "openapi", "integrations", "webhooks", "audit", "deleted"]) {
  test(`the screen ${name}`, async ({ reader, page }) => {
    await reader.open(at(name));
    await reader.isAccessibleEverywhere();
    await pictures(page, name);
  });
}

for (const name of ["settings", "access"]) {
  test(`the screen ${name} of a space`, async ({ reader, page }) => {
    const id = await space(`Pictured ${name}`);
    await reader.open(`${base}/s/${id}/~/${name}`);
    await reader.isAccessibleEverywhere();
    await pictures(page, `space-${name}`);
  });
}

async function pictures(page: Page, name: string) {
  for (const [width, viewport] of [["390", NARROW], ["1440", WIDE]] as const) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${folder}/workspace-${name}-${width}-${colorScheme}.png` });
    }
  }
}
