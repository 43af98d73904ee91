// All kinds of conflicts on one page, resolved one by one.
import { base, call, page as inserted, space as createSpace, write } from "../../support/api.ts";
import { headers, kept, textOf } from "../../support/editor.ts";
import { expect, test, WIDE } from "../../support/reader.ts";

const table = (cell: string) => `## Options\n\n| Option | Meaning |\n| --- | --- |\n| a | ${cell} |\n| b | rests |`;

test("titles, paragraphs, cells, deletions and moves that conflict are settled one by one, in one revision", async ({ reader, page }) => {
  await page.setExtraHTTPHeaders(headers);
  const space = await createSpace("Conflicts of all kinds");
  await write(space, [
    inserted("Paragraph", "One.\n\nTwo.\n\nThree."), inserted("Cells", table("sends")), inserted("Deleted", "Old."),
    inserted("Moved", "Rests."), inserted("Quay", "Q."), inserted("Dock", "D."),
  ]);
  const { pages } = await call("GET", `/spaces/${space}/content/pages`);
  const [paragraph, cells, deleted, moved, quay, dock] = pages.map((one: { id: string }) => one.id);
  const { number } = await call("POST", `/spaces/${space}/change-requests`, { subject: "All kinds" });
  const request = `/spaces/${space}/change-requests/${number}`;
  const change = (path: string, ...changes: object[]) => call("POST", `${path}/content`, { changes });
  const update = (id: string, more: object) => ({ operation: "update_page", page: id, ...more });
  await change(
    request,
    update(paragraph, { title: "Ours", document: { markdown: "One of ours.\n\nTwo.\n\nThree.\n\nFour of ours." } }),
    update(cells, { document: { markdown: table("sends of ours") } }),
    { operation: "delete_page", page: deleted },
    update(moved, { into: quay }),
  );
  await change(
    `/spaces/${space}`,
    update(paragraph, { title: "Theirs", document: { markdown: "One of theirs.\n\nTwo.\n\nThree of theirs." } }),
    update(cells, { document: { markdown: table("sends of theirs") } }),
    update(deleted, { document: { markdown: "New." } }),
    update(moved, { into: dock }),
  );
  const before = await call("GET", request);
  const overview = `${base}/s/${space}/~/changes/${number}`;

  await reader.open(overview);
  await page.getByRole("link", { name: "Resolve conflicts" }).click();
  const conflicts = page.getByRole("main").getByRole("group", { name: / of (Paragraph|Ours|Theirs|Cells, under Options|Deleted|Moved)$/ });
  await expect(conflicts).toHaveCount(5);
  const of = (name: RegExp) => page.getByRole("main").getByRole("group", { name });
  const side = (name: RegExp, which: string) => of(name).getByRole("group", { name: which, exact: true });
  // Each conflict has the base, both sides and a result. Changes of one side only are not conflicts.
  await of(/^A paragraph of Ours/).getByText("Before both changes").click();
  await expect(of(/^A paragraph of Ours/).getByText("One.", { exact: true }).first()).toBeVisible();
  await expect(side(/^A paragraph of Ours/, "Yours")).toContainText("One of ours.");
  await expect(side(/^A paragraph of Ours/, "Main")).toContainText("One of theirs.");
  await expect(page.getByRole("main")).not.toContainText("Four of ours.");
  for (const [name, before] of [
    [/^Title of/, "“Paragraph”"], [/^A paragraph of Cells/, "sends"], [/^Deletion of/, "“Deleted”, at deleted"], [/^Location of/, "at the top of the tree"],
  ] as const) {
    await expect(of(name).getByRole("button", { name: /^Use (yours|main)$/ })).toHaveCount(2);
    await of(name).getByText("Before both changes").click();
    await expect(of(name).getByText(before, { exact: true }).first()).toBeVisible();
  }
  await expect(side(/^Title of/, "Yours")).toContainText("“Ours”");
  await expect(side(/^Title of/, "Main")).toContainText("“Theirs”");
  await expect(side(/^A paragraph of Cells/, "Yours")).toContainText("sends of ours");
  await expect(side(/^Deletion of/, "Yours")).toContainText("deleted here");
  await expect(side(/^Location of/, "Yours")).toContainText("below “Quay”");
  await expect(side(/^Location of/, "Main")).toContainText("below “Dock”");
  await expect(page.getByRole("main")).toContainText("Everything else is merged already: 2 blocks of the texts below.");
  // Each side shows its last editor and the time.
  const { displayName } = await call("GET", "/user");
  for (const which of ["Yours", "Main"]) await expect(side(/^Title of/, which)).toContainText(`Last edit: ${displayName}, just now`);
  await reader.isAccessibleEverywhere();

  // A chosen version folds the conflict to its heading, which does not move, names the version and has the focus.
  const title = of(/^Title of/);
  const heading = (name: RegExp) => of(name).getByRole("heading", { level: 2 });
  const top = (name: RegExp) => heading(name).evaluate((element) => element.getBoundingClientRect().top);
  await title.getByRole("button", { name: "Use main" }).focus();
  const position = await top(/^Title of/);
  await page.keyboard.press("Enter");
  await expect(side(/^Title of/, "Main")).toBeHidden();
  await expect(title.getByText("Main: “Theirs”", { exact: true })).toBeVisible();
  expect(await top(/^Title of/)).toBe(position);
  await reader.isAccessible("folded");
  await page.keyboard.press("Enter");
  await expect(title.getByRole("button", { name: "Use main" })).toHaveAttribute("aria-pressed", "true");
  await expect(side(/^Title of/, "Main")).toBeVisible();
  expect(await top(/^Title of/)).toBe(position);

  // Cancel changes nothing, and the browser keeps the choice.
  await kept(page, '"take":"theirs"');
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page).toHaveURL(overview);
  expect((await call("GET", request)).revision).toBe(before.revision);

  await page.getByRole("link", { name: "Resolve conflicts" }).click();
  const apply = page.getByRole("button", { name: "Apply and update" });
  await expect(title.getByText("Main: “Theirs”", { exact: true })).toBeVisible();
  await expect(side(/^Title of/, "Main")).toBeHidden();
  // A heading above the window comes into view.
  await page.setViewportSize({ width: 390, height: 400 });
  await of(/^A paragraph of Ours/).getByRole("button", { name: "Use both" }).focus();
  await expect(heading(/^A paragraph of Ours/)).not.toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(heading(/^A paragraph of Ours/)).toBeInViewport();
  await expect(heading(/^A paragraph of Ours/)).toContainText("Both");
  await page.setViewportSize(WIDE);
  // An edited result stays open until its heading is pressed.
  await of(/^A paragraph of Cells/).getByRole("button", { name: "Use yours" }).click();
  await heading(/^A paragraph of Cells/).click();
  await of(/^A paragraph of Cells/).getByRole("button", { name: "Edit" }).click();
  await page.getByRole("textbox", { name: /^Result: A paragraph of Cells/ }).getByText("sends of ours").click();
  await page.keyboard.press("End");
  await page.keyboard.type(", edited");
  await heading(/^A paragraph of Cells/).click();
  await expect(heading(/^A paragraph of Cells/).getByText("Edited", { exact: true })).toBeVisible();
  await expect(side(/^A paragraph of Cells/, "Yours")).toBeHidden();
  await of(/^Deletion of/).getByRole("button", { name: "Use main" }).click();
  await expect(apply).toBeDisabled();
  await of(/^Location of/).getByRole("button", { name: "Use yours" }).click();
  await apply.click();
  await expect(page).toHaveURL(overview);
  await expect(page.getByRole("main")).toContainText("No conflicts with the space");

  // One revision, whose parents are the heads of both sides.
  const after = await call("GET", request);
  const { parents } = await call("GET", `/spaces/${space}/revisions/${after.revision}`);
  expect(parents).toContain(before.revision);
  const at = async (id: string) => call("GET", `${request}/content/page/${id}`);
  const text = async (id: string) => (await at(id)).document.nodes.map(textOf).join(" | ");
  expect((await at(paragraph)).title).toBe("Theirs");
  expect(await text(paragraph)).toBe("One of theirs. | One of ours. | Two. | Three of theirs. | Four of ours.");
  expect(await text(cells)).toContain("sends of ours, edited");
  expect(await text(deleted)).toBe("New.");
  const tree = await call("GET", `${request}/content/pages`);
  expect(tree.pages.find((one: { id: string }) => one.id === quay).pages.map((one: { title: string }) => one.title)).toEqual(["Moved"]);
});
