// Pages in change requests for editor tests.
import type { Page } from "@playwright/test";
import { call, page as inserted, space as createSpace, token, write } from "./api.ts";
import { expect } from "./reader.ts";

const base = process.env.QUIRE_BASE_URL ?? "";
export const headers = { authorization: `Bearer ${token}` };

export interface Draft {
  space: string;
  number: number;
  pageId: string;
  address: string;
}

/** Creates a space with a page, and a change request. */
export async function draft(title: string, markdown: string, ...others: object[]): Promise<Draft> {
  const space = await createSpace(`Space of ${title}`);
  await write(space, [inserted(title, markdown), ...others]);
  const { number } = await call("POST", `/spaces/${space}/change-requests`, { subject: `Edit ${title}` });
  const { pages } = await call("GET", `/spaces/${space}/content/pages`);
  return { space, number, pageId: pages[0].id, address: `${base}/s/${space}/~/changes/${number}/${pages[0].path}` };
}

export const textbox = (page: Page, title: string) => page.getByRole("textbox", { name: title, exact: true });
export const status = (page: Page) => page.getByRole("main").getByRole("status").first();

/** Returns the stored document. */
export async function documentOf({ space, number, pageId }: Draft): Promise<any> {
  return (await call("GET", `/spaces/${space}/change-requests/${number}/content/page/${pageId}`)).document;
}

export const stored = async (at: Draft): Promise<string> => JSON.stringify(await documentOf(at));

/** Returns the text of a block. */
export function textOf(node: any): string {
  if (node.object === "text") return node.leaves.map((leaf: any) => leaf.text).join("");
  return [...(node.nodes ?? []), ...(node.fragments ?? [])].map(textOf).join("");
}

/** Returns the kinds and texts of the stored top-level blocks. */
export const blocksOf = async (at: Draft): Promise<string[]> =>
  (await documentOf(at)).nodes.map((block: any) => `${block.type}: ${textOf(block)}`);

/** Opens the editor of a draft. */
export async function edit(page: Page, at: Draft): Promise<void> {
  await page.goto(at.address);
  await expect(status(page)).toHaveText("Saved");
}

export async function typeAfter(page: Page, words: string, text: string): Promise<void> {
  await page.getByRole("main").getByText(words).click();
  await page.keyboard.press("End");
  await page.keyboard.type(text);
}

/** Sets the caret at the end of a text. */
export async function caretAfter(page: Page, words: string): Promise<void> {
  await page.getByRole("main").getByText(words, { exact: true }).last().click();
  await page.keyboard.press("End");
}

/** Pastes data of these types at the caret. */
export async function paste(page: Page, data: Record<string, string>): Promise<void> {
  await page.evaluate((items) => {
    const clipboardData = new DataTransfer();
    for (const [type, text] of Object.entries(items)) clipboardData.setData(type, text);
    document.activeElement?.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, data);
}

/** Waits until the browser has stored a text. */
export async function kept(page: Page, text: string): Promise<void> {
  const stored = () =>
    page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const opened = indexedDB.open("quire-drafts", 1);
          opened.addEventListener("success", () => {
            const all = opened.result.transaction("drafts").objectStore("drafts").getAll();
            all.addEventListener("success", () => resolve(JSON.stringify(all.result)));
          });
        }),
    );
  await expect.poll(stored).toContain(text);
}
