// Additions to the tree that are not pages with a text, and reusable contents.
import { base, call, organization, page as inserted, space as createSpace, write } from "../../support/api.ts";
import { headers, status, typeAfter } from "../../support/editor.ts";
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

test("a group, a link and the pages of an API are changed in the draft", async ({ page, reader }) => {
  const space = await createSpace("Entries");
  const [slug, other] = [`currents-${Date.now()}`, `winds-${Date.now()}`];
  for (const name of [slug, other]) await call("PUT", `/orgs/${organization}/openapi/${name}`, { source: { text: JSON.stringify(SPEC) } });
  const source = { type: "builtin:openapi", dependencies: { spec: { ref: { kind: "openapi", spec: slug } } }, props: { models: true } };
  await write(space, [
    inserted("Start", "Text."),
    { operation: "insert_group", title: "Guides" },
    { operation: "insert_link", title: "Weather", target: { kind: "url", url: "https://weather.example/" } },
    { operation: "insert_computed", title: "Reference", source },
  ]);
  const pages = async () => (await call("GET", `/spaces/${space}/change-requests/1/content/pages?computed=false`)).pages;
  const open = async (name: string, query = "?change=1") => {
    await reader.open(`${base}/s/${space}/~/add${query}`);
    await page.getByRole("main").getByRole("link", { name, exact: true }).click();
    await expect(page.getByRole("heading", { name: `Settings of ${name}` })).toBeVisible();
  };
  const save = async (button: string) => {
    await page.getByRole("button", { name: button, exact: true }).click();
    await expect(page).toHaveURL(/~\/changes\/1$/, { timeout: 30_000 });
  };
  await open("Weather", "");
  await reader.isAccessible("settings of a link");
  await page.getByRole("textbox", { name: "Address" }).fill("https://tides.example/today");
  await save("Lead to the address");
  expect((await pages())[2].target).toEqual({ kind: "url", url: "https://tides.example/today" });
  await open("Weather");
  await page.getByRole("button", { name: "Lead to a page of the space…" }).click();
  await page.getByRole("combobox", { name: "Page" }).selectOption("Start");
  await save("Lead to it");
  const [start, , link] = await pages();
  expect(link.target).toEqual({ kind: "page", page: start.id });
  await open("Weather");
  await expect(page.getByText("The link leads to the page “Start”.")).toBeVisible();
  // The address of a link is refused as in the API.
  reader.awaits(`${base}/v1/spaces/${space}/change-requests/1/content`);
  await page.getByRole("textbox", { name: "Address" }).fill("javascript:alert(1)");
  await page.getByRole("button", { name: "Lead to the address" }).click();
  await expect(page.getByRole("alert")).toBeVisible();

  await open("Reference");
  await reader.isAccessible("settings of API pages");
  await page.getByRole("combobox", { name: "Specification" }).selectOption(other);
  await page.getByRole("combobox", { name: "Pages" }).selectOption("One for each operation");
  await page.getByRole("checkbox", { name: "Add a page of the models" }).uncheck();
  await save("Save the source");
  const computed = (await pages())[3].computed;
  expect(computed.dependencies.spec.ref.spec).toBe(other);
  expect(computed.props).toMatchObject({ models: false, grouping: "by-operation" });

  // In the tree of the change request.
  await page.goto(`${base}/s/${space}/~/changes/1/start`);
  const tree = page.getByRole("navigation", { name: "Space" });
  await tree.getByText("Guides", { exact: true }).hover();
  await tree.getByRole("button", { name: "Actions of Guides" }).click();
  await page.getByRole("menuitem", { name: "Settings…" }).click();
  await page.getByRole("textbox", { name: "Title", exact: true }).fill("Manuals");
  await page.getByRole("textbox", { name: "Icon" }).fill("book");
  await save("Save");
  expect((await pages())[1]).toMatchObject({ title: "Manuals", icon: "book" });
  // The pages of a specification lead to the list with their source.
  await page.goto(`${base}/s/${space}/~/changes/1/start`);
  await tree.getByRole("link", { name: /tides|Tides|default/ }).first().hover();
  await tree.getByRole("button", { name: /^Actions of/ }).click();
  await page.getByRole("menuitem", { name: "Settings…" }).click();
  await expect(page.getByRole("main").getByRole("link", { name: "Reference" })).toBeVisible();
});

test("a reusable content is written, and edited without loss of what Markdown lacks", async ({ page, reader }) => {
  const space = await createSpace("Reusable");
  await write(space, [inserted("Start", "Text.")]);
  await reader.open(`${base}/s/${space}/~/reusable`);
  await page.getByRole("textbox", { name: "Title" }).fill("Warning");
  await page.getByRole("textbox", { name: "Text" }).fill("Mind the _tide_.");
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page).toHaveURL(/reusable\?change=1$/);
  const request = `/spaces/${space}/change-requests/1`;
  const { reusableContents: [{ id }] } = await call("GET", `${request}/content`);
  const stored = async (number = 1) => {
    const { revision } = await call("GET", `/spaces/${space}/change-requests/${number}`);
    return (await call("GET", `/spaces/${space}/revisions/${revision}/reusable-contents/${id}/document`)).nodes;
  };
  // A language that a fence cannot hold.
  const [paragraph] = await stored();
  const text = (words: string) => ({ object: "text", leaves: [{ object: "leaf", text: words, marks: [] }] });
  const line = { object: "block", type: "code-line", isVoid: false, data: {}, nodes: [text("let tide;")] };
  const listing = { object: "block", type: "code", isVoid: false, data: { syntax: "rust,ignore" }, nodes: [line] };
  const document = { object: "document", data: {}, nodes: [paragraph, listing] };
  await call("POST", `${request}/content`, { changes: [{ operation: "update_reusable_content", reusableContent: id, document: { document } }] });
  const before = await stored();
  await call("POST", `${request}/merge`);

  await reader.open(`${base}/s/${space}/~/reusable`);
  await page.getByRole("link", { name: "Warning", exact: true }).click();
  await expect(page.getByRole("main")).toContainText("let tide;");
  await reader.isAccessible("reusable content");
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await expect(status(page)).toHaveText("Saved");
  await reader.isAccessibleEverywhere();
  await typeAfter(page, "Mind the", " And the moon.");
  await page.getByRole("textbox", { name: "Title", exact: true }).fill("Warnings");
  await expect(status(page)).toHaveText("Saved");
  const drafts = await call("GET", `/spaces/${space}/change-requests/2/content/reusable-contents/${id}`);
  expect(drafts.title).toBe("Warnings");
  const nodes = await stored(2);
  expect(JSON.stringify(nodes[0])).toContain("And the moon.");
  expect(nodes[1]).toEqual(before[1]);
  // What others save is merged.
  const added = { ...document, nodes: [...nodes, paragraph] };
  await call("POST", `/spaces/${space}/change-requests/2/content`, { changes: [{ operation: "update_reusable_content", reusableContent: id, document: { document: added } }] });
  await expect(page.getByRole("textbox", { name: "Warning", exact: true })).toContainText("Mind the tide.");
  await page.reload();
  await expect(page.getByRole("main")).toContainText("And the moon.");
});
