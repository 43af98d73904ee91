// Comments by others appear during writing. Typed text and open parts are kept.
import { base, call, page as inserted, space, token, write } from "../../support/api.ts";
import { expect, replaceAssets, test } from "../../support/reader.ts";
import type { Page } from "@playwright/test";

const comment = (path: string, text: string, more: object = {}) => call("POST", `${path}/comments`, { body: { markdown: text }, ...more });
const thread = (page: Page, words: string) => page.getByRole("article", { name: /^Comment by/ }).filter({ hasText: words });

/** Holds the next page that scripts request until `release` is called. */
async function held(page: Page, address: string): Promise<{ isAsked: Promise<void>; release: () => void }> {
  let asked = () => {};
  let release = () => {};
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  await page.route(address, async (route) => {
    if (route.request().resourceType() !== "fetch") return route.fallback();
    asked();
    // A held request lacks the headers that the test adds.
    const response = await route.fetch({ headers: { ...route.request().headers(), authorization: `Bearer ${token}` } });
    await isReleased;
    return route.fulfill({ status: response.status(), contentType: "text/html; charset=utf-8", body: await response.text() });
  });
  return { isAsked, release };
}

test("a refresh that is under way keeps the forms that are opened meanwhile", async ({ reader, page }) => {
  await replaceAssets(page);
  await page.setExtraHTTPHeaders({ authorization: `Bearer ${token}` });
  const id = await space("Dock");
  await write(id, [inserted("Cranes", "One.\n\nTwo.")]);
  const { pages } = await call("GET", `/spaces/${id}/content/pages`);
  const path = `/spaces/${id}`;
  await comment(path, "The first comment.", { page: pages[0].id });
  await comment(path, "The second comment.", { page: pages[0].id });
  const address = `${base}/s/${id}`;
  await reader.open(address);
  const { isAsked, release } = await held(page, address);
  await comment(path, "From elsewhere.", { page: pages[0].id });
  await isAsked;
  await thread(page, "The first comment.").getByRole("button", { name: "Edit" }).click();
  const edited = page.getByRole("textbox", { name: "Text of the comment" });
  await edited.fill("The first comment, in other words.");
  const second = thread(page, "The second comment.");
  const reply = second.getByRole("textbox", { name: "Your reply" });
  await reply.pressSequentially("A reply");
  await page.getByRole("combobox", { name: "On" }).focus();
  await page.getByRole("combobox", { name: "On" }).selectOption("1");
  await reply.focus();
  release();
  await expect(thread(page, "From elsewhere.")).toBeVisible();
  await expect(edited).toHaveValue("The first comment, in other words.");
  await expect(reply).toHaveValue("A reply");
  await expect(reply).toBeFocused();
  await expect(page.getByRole("combobox", { name: "On" })).toHaveValue("1");
  await page.keyboard.type(" goes on.");
  await expect(reply).toHaveValue("A reply goes on.");
  await page.unroute(address);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(thread(page, "in other words.")).toBeVisible();
  await expect(edited).toHaveCount(0);
  await expect(reply).toHaveValue("A reply goes on.");
  await second.getByRole("button", { name: "Send reply" }).click();
  await expect(second).toContainText("A reply goes on.");
  await expect(second.getByRole("textbox")).toHaveValue("");
});

test("an edit that is cancelled shows the comment again, and one of a deleted comment keeps its text", async ({ reader, page }) => {
  await replaceAssets(page);
  await page.setExtraHTTPHeaders({ authorization: `Bearer ${token}` });
  const id = await space("Slip");
  await write(id, [inserted("Ramps", "One.")]);
  const { pages } = await call("GET", `/spaces/${id}/content/pages`);
  const { id: first } = await comment(`/spaces/${id}`, "Short lived.", { page: pages[0].id });
  await reader.open(`${base}/s/${id}`);
  await thread(page, "Short lived.").getByRole("button", { name: "Edit" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("textbox", { name: "Text of the comment" })).toHaveCount(0);
  await expect(thread(page, "Short lived.")).toBeVisible();
  await thread(page, "Short lived.").getByRole("button", { name: "Edit" }).click();
  await page.getByRole("textbox", { name: "Text of the comment" }).fill("Longer lived.");
  await page.getByRole("heading", { level: 1 }).click();
  await call("DELETE", `/spaces/${id}/comments/${first}`);
  await expect(page.getByText("No open comments on this page.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Text of the comment" })).toHaveValue("Longer lived.");
  reader.awaits(`${base}/v1/spaces/${id}/comments/${first}`);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Text of the comment" })).toHaveValue("Longer lived.");
});
