// Blocks by keyboard, one changed block per changed letter, input methods, and undo.
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { Page } from "@playwright/test";
import { base, call, organization, page as inserted, quire, space as createSpace } from "../../support/api.ts";
import { blocksOf, caretAfter, type Draft, documentOf, draft, edit, headers, status, stored, textbox } from "../../support/editor.ts";
import { expect, MEDIUM, NARROW, replaceAssets, test, WIDE } from "../../support/reader.ts";
import { sites } from "../../support/sites.ts";

const gallery = readFileSync(`${process.env.QUIRE_PROJECT}/crates/render/tests/support/gallery.txt`, "utf8");
const PICTURE = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8BQDwAEgAF/posBPQAAAABJRU5ErkJggg==", "base64");

test.beforeEach(async ({ page }) => {
  await replaceAssets(page);
  await page.setExtraHTTPHeaders(headers);
});

test("a letter in a page with every block changes one block", async ({ page }) => {
  const at = await draft("Every block", gallery);
  const before = (await documentOf(at)).nodes;
  await edit(page, at);
  await textbox(page, "Every block").getByRole("paragraph").first().click();
  await page.keyboard.press("End");
  await page.keyboard.type("x");
  await expect(status(page)).toHaveText("Saved");
  const after = (await documentOf(at)).nodes;
  expect(after.length).toBe(before.length);
  expect(before.filter((block: object, index: number) => !isDeepStrictEqual(block, after[index]))).toHaveLength(1);
});

/** Number of pages of the documentation of Fluentd. */
const PAGES = 195;

test("opening and leaving all pages of imported documentation writes nothing @full", async ({ page }) => {
  test.setTimeout(900_000);
  const { fluentdSpace, bookSpace } = sites();
  const spaces = [fluentdSpace, bookSpace];
  for (const archive of (process.env.QUIRE_ARCHIVES ?? "").split(":").filter(Boolean)) {
    const id = await createSpace(archive);
    quire("import", archive, "--space", id);
    spaces.push(id);
  }
  for (const space of spaces) {
    const { pages } = await call("GET", `/spaces/${space}/content/pages`);
    const all = (list: any[]): any[] => list.flatMap((one) => [one, ...all(one.pages ?? [])]);
    const { number } = await call("POST", `/spaces/${space}/change-requests`, { subject: "Look" });
    const request = `/spaces/${space}/change-requests/${number}`;
    const before = await call("GET", request);
    const writes: string[] = [];
    page.on("request", (sent) => sent.method() !== "GET" && /\/content$/.test(sent.url()) && writes.push(sent.url()));
    const documents = all(pages).filter(({ type }) => type === "document");
    for (const { path } of documents) {
      await page.goto(`${base}/s/${space}/~/changes/${number}/${path}`);
      await expect(status(page), path).toHaveText("Saved");
    }
    await page.goto("about:blank");
    expect(documents.length, "pages that were opened and left").toBeGreaterThanOrEqual(space === fluentdSpace ? PAGES : 1);
    expect(writes).toEqual([]);
    expect((await call("GET", request)).revision).toBe(before.revision);
  }
});

/** Search words of a block, keyboard input for its form, and the resulting block type. */
const BLOCKS: [string, string[], string][] = [
  ["Heading 1", [], "heading-1"],
  ["Heading 2", [], "heading-2"],
  ["Heading 3", [], "heading-3"],
  ["Bulleted list", [], "list-unordered"],
  ["Numbered list", [], "list-ordered"],
  ["Task list", [], "list-tasks"],
  ["Quote", [], "blockquote"],
  ["Divider", [], "divider"],
  ["info", [], "hint"],
  ["success", [], "hint"],
  ["warning", [], "hint"],
  ["danger", [], "hint"],
  ["Expandable", [], "expandable"],
  ["Code", [], "code"],
  ["Tabs", [], "tabs"],
  ["Stepper", [], "stepper"],
  ["Columns", [], "columns"],
  ["Table", [], "table"],
  ["Cards", ["Start", "Enter"], "table"],
  ["Embed", ["https://video.example/1", "Enter"], "embed"],
  ["Card", ["Tab", "https://docs.example/", "Enter"], "content-ref"],
  ["Formula", ["e = mc^2", "Control+Enter"], "math"],
  ["API operation", ["pets", "Tab", "Tab", "/pets", "Enter"], "openapi-operation"],
  ["API schemas", ["pets", "Tab", "Pet", "Control+Enter"], "openapi-schemas"],
  ["API webhook", ["pets", "Tab", "born", "Enter"], "openapi-webhook"],
  ["Diagram", [], "code"],
  ["Condition", ["visitor.isCustomer", "Enter"], "if"],
  ["Updates", [], "updates"],
  ["Prompt", ["Explain it.", "Enter"], "prompt"],
  ["Button", ["Go", "Tab", "Tab", "https://docs.example/", "Enter"], "paragraph"],
  ["Formula in the line", ["a + b", "Control+Enter"], "paragraph"],
  ["Emoji", ["grinning", "Enter"], "paragraph"],
  ["Icon", ["house", "Enter"], "paragraph"],
  ["Expression", ["1 + 1", "Enter"], "paragraph"],
  ["Annotation", ["tide", "Tab", "High water.", "Control+Enter"], "paragraph"],
];
/** Kinds of inline nodes in the menu. */
const SIGNS = ["button", "inline-math", "emoji", "icon", "expression", "annotation"];

/** Inserts a block from the menu in a new paragraph at the end, by keyboard. */
async function insertBlock(page: Page, [words, form]: (typeof BLOCKS)[number]): Promise<void> {
  await page.keyboard.press("Control+End");
  await page.keyboard.press("Control+Enter");
  await page.keyboard.type(`/${words}`);
  await expect(page.getByRole("listbox", { name: "Blocks" }).getByRole("option").first()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  if (form.length === 0) return;
  const dialogs = page.getByRole("dialog", { includeHidden: true });
  await expect(page.getByRole("dialog")).toBeVisible();
  const open = await dialogs.count();
  for (const keys of form) {
    if (/^(Control\+)?(Tab|Enter)$/.test(keys)) await page.keyboard.press(keys);
    else await page.keyboard.type(keys);
  }
  // The block is inserted after the form is removed, which is later than it is hidden.
  await expect(dialogs).toHaveCount(open - 1);
}

/** Returns the types of the stored top-level blocks, and the document as JSON. */
async function typesOf(at: Draft): Promise<{ blocks: string[]; all: string }> {
  const document = await documentOf(at);
  return { blocks: document.nodes.map(({ type }: { type: string }) => type), all: JSON.stringify(document) };
}

test("the menu inserts each block by keyboard alone", async ({ page }) => {
  test.setTimeout(180_000);
  const at = await draft("Inserted", "Start.");
  await edit(page, at);
  await caretAfter(page, "Start.");
  for (const block of BLOCKS) await insertBlock(page, block);
  await page.keyboard.press("Control+End");
  await page.keyboard.press("Control+Enter");
  const chosen = page.waitForEvent("filechooser");
  await page.keyboard.type("/Image");
  await page.keyboard.press("Enter");
  await (await chosen).setFiles({ name: "boat.png", mimeType: "image/png", buffer: PICTURE });
  await page.getByRole("dialog", { name: "Pictures" }).getByLabel(/^Description of picture/).fill("A boat");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("img", { name: "A boat" })).toBeVisible();
  await expect(status(page)).toHaveText("Saved");
  const { blocks, all } = await typesOf(at);
  const count = (list: string[], type: string) => list.filter((one) => one === type).length;
  for (const type of new Set(BLOCKS.map(([, , type]) => type))) {
    if (type !== "paragraph") expect(count(blocks, type), type).toBe(count(BLOCKS.map(([, , type]) => type), type));
  }
  for (const type of ["images", ...SIGNS]) expect(all).toContain(`"type":"${type}"`);
});

test("cards are written in a form, and shown as readers see them", async ({ page, reader }) => {
  const at = await draft("Cards", "Start.", inserted("Harbor", "Ships."));
  await edit(page, at);
  await caretAfter(page, "Start.");
  await page.keyboard.press("Control+Enter");
  await page.keyboard.type("/cards");
  await expect(page.getByRole("listbox", { name: "Blocks" }).getByRole("option", { selected: true })).toContainText("Cards");
  await page.keyboard.press("Enter");
  const form = page.getByRole("dialog", { name: "Cards" });
  const card = (number: number) => form.getByRole("group", { name: `Card ${number}` });
  await card(1).getByLabel("Title").fill("Berths");
  await card(1).getByLabel("Text", { exact: true }).fill("Where boats lie.");
  await card(1).getByLabel("Page", { exact: true }).selectOption({ label: "Harbor" });
  await form.getByRole("button", { name: "Add a card" }).click();
  await expect(card(2).getByLabel("Title")).toBeFocused();
  await card(2).getByLabel("Title").fill("Gone");
  await form.getByRole("button", { name: "Add a card" }).click();
  await card(3).getByLabel("Title").fill("Tides");
  await card(3).getByLabel("Or an address").fill("https://tides.example/");
  await card(2).getByRole("button", { name: "Remove this card" }).click();
  await reader.isAccessible("the form of cards");
  await form.getByRole("button", { name: "Save" }).click();
  const text = textbox(page, "Cards");
  await expect(text.getByRole("listitem")).toHaveCount(2);
  await expect(text.getByRole("link", { name: "Tides" })).toHaveAttribute("href", "https://tides.example/");
  await expect(status(page)).toHaveText("Saved");
  // The form of a stored block shows its values.
  await text.getByRole("listitem").first().dblclick();
  await expect(card(1).getByLabel("Title")).toHaveValue("Berths");
  await card(1).getByLabel("Text", { exact: true }).fill("Where boats are.");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(text).toContainText("Where boats are.");
  await expect(status(page)).toHaveText("Saved");
  const { nodes } = await documentOf(at);
  const table = nodes.find(({ type }: { type: string }) => type === "table");
  expect(table.data.view.type).toBe("cards");
  expect(Object.keys(table.data.records)).toHaveLength(2);
});

test("one undo takes an inserted block away", async ({ page }) => {
  test.setTimeout(180_000);
  const at = await draft("Undone", "Start.");
  await edit(page, at);
  await caretAfter(page, "Start.");
  for (const block of BLOCKS) {
    await insertBlock(page, block);
    await page.keyboard.press("Control+z");
  }
  await page.keyboard.press("Control+End");
  await page.keyboard.type("End.");
  await expect(status(page)).toHaveText("Saved");
  const { blocks, all } = await typesOf(at);
  expect(blocks.filter((type) => type !== "paragraph")).toEqual([]);
  expect(all).not.toMatch(new RegExp(`"type":"(${SIGNS.join("|")})"`));
});

test("a query that an undo brings back takes no keys", async ({ page }) => {
  const at = await draft("Late choice", "Start.");
  await edit(page, at);
  await caretAfter(page, "Start.");
  await page.keyboard.press("Control+Enter");
  await page.keyboard.type("/Heading 1");
  const menu = page.getByRole("listbox", { name: "Blocks" });
  await expect(menu).toBeVisible();
  // A person takes longer to choose than what one undo takes back.
  await page.evaluate(() => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + 1_000;
  });
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main").getByRole("heading", { level: 2 })).toBeVisible();
  await page.keyboard.press("Control+z");
  await expect(page.getByText("/Heading 1")).toBeVisible();
  await expect(menu).toBeHidden();
  await page.keyboard.press("Control+Enter");
  await page.keyboard.type("End.");
  await expect(status(page)).toHaveText("Saved");
  expect((await typesOf(at)).blocks).toEqual(["paragraph", "paragraph", "paragraph"]);
});

test("people, pages, emoji and contents of the space are found by their names and edited in forms", async ({ page, reader }) => {
  test.setTimeout(120_000);
  const at = await draft("Signs", "Start.", inserted("Harbor", "Ships."));
  const request = `/spaces/${at.space}/change-requests/${at.number}`;
  const terms = { operation: "insert_reusable_content", title: "Terms", document: { markdown: "Boats leave at high water." } };
  await call("POST", `${request}/content`, { changes: [terms] });
  const { displayName } = await call("GET", "/user");
  await edit(page, at);
  await caretAfter(page, "Start.");
  await page.keyboard.press("Control+Enter");
  const choose = async (list: string, typed: string, name: string) => {
    await page.keyboard.type(typed);
    await expect(page.getByRole("listbox", { name: list }).getByRole("option", { selected: true })).toContainText(name);
    await page.keyboard.press("Enter");
  };
  await page.keyboard.type("Ask ");
  await choose("People and pages", `@${displayName.slice(0, 3)}`, displayName);
  await page.keyboard.type("about ");
  await choose("People and pages", "@Harb", "Harbor");
  await choose("Emoji", ":thumbs", "thumbs up");
  await choose("Blocks", "/Mention", "Mention");
  await choose("People and pages", "Harb", "Harbor");
  await expect(textbox(page, "Signs")).toContainText(`Ask @${displayName} about Harbor 👍 Harbor`);
  // A colon in text opens no list.
  await page.keyboard.press("Control+Enter");
  await page.keyboard.type("Times :");
  await expect(page.getByRole("listbox", { name: "Emoji" })).toBeHidden();
  await page.keyboard.press("Control+Enter");
  await choose("Blocks", "/Reusable", "Reusable content");
  const content = page.getByRole("dialog", { name: "Reusable content" });
  await expect(content.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("ter");
  await expect(content.getByRole("option", { name: "Terms" })).toBeVisible();
  await reader.isAccessible("the form of a reusable content");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Boats leave at high water.")).toBeVisible();
  await insertBlock(page, ["Expression", ["1 + 1", "Enter"], "paragraph"]);
  await expect(status(page)).toHaveText("Saved");

  // Stored values are shown and can be edited after reopening the page.
  await edit(page, at);
  await expect(textbox(page, "Signs")).toContainText(`Ask @${displayName} about Harbor 👍 Harbor`);
  await page.getByText("1 + 1", { exact: true }).click();
  await page.keyboard.press("Enter");
  const form = page.getByRole("dialog", { name: "Expression" });
  await expect(form.getByRole("textbox", { name: "Expression" })).toHaveValue("1 + 1");
  await form.getByRole("textbox", { name: "Expression" }).fill("2 + 2");
  await page.keyboard.press("Enter");
  await expect(form).toHaveCount(0);
  await expect(status(page)).toHaveText("Saved");
  // The status may be that of the save before.
  await expect.poll(async () => (await typesOf(at)).all).toContain('"expression":"2 + 2"');
  const { all } = await typesOf(at);
  expect(all).toContain('"code":"1f44d"');
  expect(all.match(/"type":"mention"/g)).toHaveLength(3);
  expect(all).toContain('"type":"reusable-content"');
});

test("pictures of the space, blocks of integrations and notes are inserted, and a note is edited", async ({ page }) => {
  const at = await draft("Chosen", "Start.");
  const request = `/spaces/${at.space}/change-requests/${at.number}`;
  const form = new FormData();
  form.append("file", new Blob([PICTURE], { type: "image/png" }), "harbor.png");
  expect((await fetch(`${base}/v1${request}/content/files`, { method: "POST", headers, body: form })).ok).toBe(true);
  const blocks = [{ id: "forecast", title: "Forecast" }];
  await call("POST", "/integrations/walk-weather", { title: "Weather", description: "Of harbors", scopes: [], script: "run()", organization, blocks });
  await edit(page, at);
  await caretAfter(page, "Start.");
  await insertBlock(page, ["Drawing", ["harb", "Enter"], "drawing"]);
  await insertBlock(page, ["Picture in", ["harb", "Enter"], "paragraph"]);
  await insertBlock(page, ["Block of an", ["forec", "Enter"], "integration"]);
  await insertBlock(page, ["Annotation", ["tide", "Tab", "High water.", "Control+Enter"], "paragraph"]);
  await page.getByText("tide", { exact: true }).dblclick();
  await page.getByRole("toolbar", { name: "Text" }).getByRole("button", { name: "Note", pressed: true }).click();
  const note = page.getByRole("dialog", { name: "Annotation" }).getByRole("textbox", { name: "Note" });
  await expect(note).toHaveValue("High water.");
  await note.fill("Low water.");
  await page.keyboard.press("Control+Enter");
  await expect(status(page)).toHaveText("Saved");
  const { blocks: types, all } = await typesOf(at);
  for (const type of ["drawing", "integration"]) expect(types).toContain(type);
  expect(all).toContain('"integration":"walk-weather"');
  expect(all).toContain('"block":"forecast"');
  expect(all).toContain('"type":"inline-image"');
  expect(all).toContain("Low water.");
  expect(all).not.toContain("High water.");
});

test("the menu shows all blocks by section, with icons and those used last", async ({ page, reader }) => {
  const at = await draft("Menu", "Start.");
  await edit(page, at);
  await caretAfter(page, "Start.");
  await insertBlock(page, ["Expandable", [], "expandable"]);
  await page.keyboard.press("Control+End");
  await page.keyboard.press("Control+Enter");
  await page.keyboard.type("/");
  const menu = page.getByRole("listbox", { name: "Blocks" });
  await expect(menu.getByRole("group", { name: "Used last" }).getByRole("option")).toHaveText([/^Expandable/]);
  for (const section of ["Text", "Notes", "Code", "Layout", "Media", "Reference"]) await expect(menu.getByRole("group", { name: section })).toBeAttached();
  await reader.isAccessible("the menu of blocks");
  await page.keyboard.press("ArrowUp");
  await expect(menu.getByRole("option", { name: /^Block of an integration/ })).toBeInViewport();
  for (const [name, viewport] of [["wide", WIDE], ["medium", MEDIUM], ["narrow", NARROW]] as const) {
    await page.setViewportSize(viewport);
    await page.keyboard.press("Backspace");
    await page.keyboard.type("/ta");
    await expect(menu.getByRole("option")).not.toHaveCount(0);
    for (const scheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.screenshot({ path: `${process.env.QUIRE_SCREENS}/menu-of-blocks-${name}-${scheme}.png` });
    }
    for (let key = 0; key < 2; key += 1) await page.keyboard.press("Backspace");
  }
});

test("fifty undos and fifty redos lead back to the same document", async ({ page }) => {
  test.setTimeout(240_000);
  const at = await draft("Back", `Start.\n\n## Head\n\n* Item\n\n{% hint style="info" %}\nMind.\n{% endhint %}\n\n\`\`\`sh\nferry\n\`\`\`\n\n| A | B |\n| - | - |\n| left | right |\n\nEnd.`);
  const before = await stored(at);
  await edit(page, at);
  const places = ["Start.", "Head", "Item", "Mind.", "ferry", "left", "right", "End."];
  const grown = new Map(places.map((place) => [place, place]));
  let steps = 0;
  for (; steps < 50; steps += 1) {
    // At another place than before, so that each edit is an undo step of its own.
    const place = places[steps % places.length]!;
    await caretAfter(page, grown.get(place)!);
    if (steps % 10 === 9) await page.keyboard.press("Control+d");
    else {
      await page.keyboard.type(String(steps));
      grown.set(place, `${grown.get(place)}${steps}`);
    }
  }
  await expect(status(page)).toHaveText("Saved");
  const after = await stored(at);
  for (let step = 0; step < steps; step += 1) await page.keyboard.press("Control+z");
  await expect(status(page)).toHaveText("Saved");
  expect(await stored(at)).toBe(before);
  for (let step = 0; step < steps; step += 1) await page.keyboard.press("Control+y");
  await expect(status(page)).toHaveText("Saved");
  expect(await stored(at)).toBe(after);
});

test("what an input method composes is written, also while others save and the page is saved", async ({ page, context }) => {
  const at = await draft("Composed", "Start.\n\nTheirs.");
  await edit(page, at);
  await caretAfter(page, "Start.");
  const session = await context.newCDPSession(page);
  const compose = (text: string) => session.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
  const commit = (text: string) => session.send("Input.insertText", { text });
  for (const text of ["n", "に", "にh", "にほ", "にほん"]) await compose(text);
  await commit("日本");
  for (const text of ["z", "zh", "zhong"]) await compose(text);
  await commit("中");
  // A dead key.
  await compose("´");
  await commit("é");
  await page.keyboard.type(" and ");
  // During the composition of the next word, the page is saved and another block changes.
  await compose("ご");
  await expect(status(page)).toHaveText("Saved");
  const document = await documentOf(at);
  const theirs = JSON.parse(JSON.stringify(document.nodes[1]).replace("Theirs.", "Theirs, changed."));
  const { revision } = await call("GET", `/spaces/${at.space}/change-requests/${at.number}`);
  const changes = [{ operation: "update_page", page: at.pageId, document: { document: { ...document, nodes: [document.nodes[0], theirs] } } }];
  const asked = page.waitForEvent("request", { predicate: (sent) => sent.url().includes("/presence"), timeout: 20_000 });
  await call("POST", `/spaces/${at.space}/change-requests/${at.number}/content`, { base: revision, onStale: "merge", changes });
  await asked;
  await compose("ごご");
  await commit("午後");
  await expect(status(page)).toHaveText("Saved");
  await expect(page.getByRole("main")).toContainText("Theirs, changed.");
  await expect.poll(() => blocksOf(at)).toEqual(["paragraph: Start.日本中é and 午後", "paragraph: Theirs, changed."]);
});

test("the browser finds in pages that are read", async ({ page }) => {
  await page.goto(`${base}/s/${sites().ferrySpace}`);
  await page.evaluate(() => {
    addEventListener("keydown", (event) => {
      if (event.key === "f") Object.assign(window, { isTaken: event.defaultPrevented });
    });
  });
  await page.keyboard.press("Control+f");
  await expect.poll(() => page.evaluate(() => (window as any).isTaken)).toBe(false);
  await expect(page.getByRole("search", { name: "Find in the page" })).toHaveCount(0);
});
