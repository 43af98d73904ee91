// Additions to the tree that are not pages with a text, and reusable contents.
import { base, call, organization, page as inserted, space as createSpace, write } from "../../support/api.ts";
import { headers } from "../../support/editor.ts";
import { expect, test } from "../../support/reader.ts";

const SPEC = { openapi: "3.1.0", info: { title: "Tides", version: "1" }, paths: { "/tides": { get: { summary: "List the tides", responses: { "200": { description: "The tides." } } } } } };

test.beforeEach(async ({ page }) => {
  await page.setExtraHTTPHeaders(headers);
});

test("a group, a link and the pages of an API are added to the draft", async ({ page, reader }) => {
  const space = await createSpace("Additions");
  await write(space, [inserted("Start", "Text.")]);
  const slug = `tides-${Date.now()}`;
  await call("PUT", `/orgs/${organization}/openapi/${slug}`, { source: { text: JSON.stringify(SPEC) } });
  const pages = async () => (await call("GET", `/spaces/${space}/change-requests/1/content/pages?computed=false`)).pages;
  await page.goto(`${base}/s/${space}`);
  await page.getByRole("button", { name: "Page", exact: true }).click();
  await page.getByRole("link", { name: "Add a group, link or API…" }).click();
  await reader.isAccessible("additions to the tree");
  await page.getByRole("textbox", { name: "Title" }).first().fill("Guides");
  await page.getByRole("button", { name: "Add the group" }).click();
  await expect(page).toHaveURL(/~\/changes\/1$/);
  await page.goto(`${base}/s/${space}/~/add?change=1`);
  await page.getByRole("textbox", { name: "Title" }).nth(1).fill("Weather");
  await page.getByRole("textbox", { name: "Address" }).fill("https://weather.example/");
  await page.getByRole("button", { name: "Add the link" }).click();
  await expect(page).toHaveURL(/~\/changes\/1$/);
  await page.goto(`${base}/s/${space}/~/add?change=1`);
  await page.getByRole("textbox", { name: "Title" }).nth(2).fill("Reference");
  await page.getByRole("combobox", { name: "Specification" }).selectOption(slug);
  await page.getByRole("button", { name: "Add the pages" }).click();
  await expect(page).toHaveURL(/~\/changes\/1$/);
  expect((await pages()).map(({ type, title }: any) => [type, title])).toEqual([["document", "Start"], ["group", "Guides"], ["link", "Weather"], ["computed", "Reference"]]);
  expect((await pages())[2].target).toEqual({ kind: "url", url: "https://weather.example/" });
});

test("a reusable content is written and changed in the draft", async ({ page, reader }) => {
  const space = await createSpace("Reusable");
  await write(space, [inserted("Start", "Text.")]);
  await reader.open(`${base}/s/${space}/~/reusable`);
  await page.getByRole("textbox", { name: "Title" }).fill("Warning");
  await page.getByRole("textbox", { name: "Text" }).fill("Mind the _tide_.");
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page).toHaveURL(/reusable\?change=1$/);
  await page.getByRole("link", { name: "Warning" }).click();
  await reader.isAccessible("reusable content");
  await expect(page.getByRole("textbox", { name: "Text" })).toHaveValue("Mind the _tide_.\n");
  await page.getByRole("textbox", { name: "Text" }).fill("Mind the **moon**.");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page).toHaveURL(/reusable\?change=1$/);
  await page.getByRole("link", { name: "Warning" }).click();
  await expect(page.getByRole("textbox", { name: "Text" })).toHaveValue("Mind the **moon**.\n");
});
