// Unloaded pages, killed browsers, and change requests that others close during typing.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { base, call, organization } from "../../support/api.ts";
import { startDeployment } from "../../support/deployment.ts";
import { blocksOf, draft, edit, headers, status, typeAfter } from "../../support/editor.ts";
import { unused } from "../../support/person.ts";
import { expect, replaceAssets, test } from "../../support/reader.ts";

const KEPT = "Not saved, kept on this device";

test.beforeEach(async ({ page }) => {
  await replaceAssets(page);
});

/** Restores the text that a browser has stored, after viewing its difference. */
async function restore(page: Page, words: string): Promise<void> {
  await expect(page.getByText(/^You have unsaved text from/)).toBeVisible();
  await page.getByText("Show the difference").click();
  await expect(page.getByRole("insertion")).toHaveText(words);
  await page.getByRole("button", { name: "Restore" }).click();
  await expect(status(page)).toHaveText("Saved");
  await page.reload();
  await expect(status(page)).toHaveText("Saved");
  await expect(page.getByText(/^You have unsaved text from/)).toBeHidden();
}

test("a page that is loaded again 100 ms after the last key has all of it", async ({ page }) => {
  await page.setExtraHTTPHeaders(headers);
  const at = await draft("Reload", "Start.");
  await edit(page, at);
  await typeAfter(page, "Start.", " Typed and gone");
  // The time that the browser had to store the text.
  await page.waitForTimeout(100);
  await page.reload();
  await restore(page, "Typed and gone");
  expect(await blocksOf(at)).toEqual(["paragraph: Start. Typed and gone"]);
});

/** Starts a browser with a profile folder. */
async function startBrowser(folder: string): Promise<{ process: ChildProcess; page: Page }> {
  const args = test.info().project.use.launchOptions?.args ?? [];
  const process = spawn(globalThis.process.env.QUIRE_CHROMIUM ?? "", ["--headless", ...args, "--remote-debugging-port=0", `--user-data-dir=${folder}`], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const address = await new Promise<string>((resolve) => {
    createInterface(process.stderr!).on("line", (line) => {
      const [found] = /ws:\/\/\S+/.exec(line) ?? [];
      if (found) resolve(found);
    });
  });
  const [context] = (await chromium.connectOverCDP(address)).contexts();
  const page = await context!.newPage();
  await page.setExtraHTTPHeaders(headers);
  await replaceAssets(page);
  return { process, page };
}

async function kill({ process }: { process: ChildProcess }): Promise<void> {
  const ended = once(process, "exit");
  process.kill("SIGKILL");
  await ended;
}

test("a tab that is closed and a browser that is killed offer the text with what differs", async ({}, info) => {
  const folder = info.outputPath("profile");
  const [closed, killed] = [await draft("Closed tab", "Start."), await draft("Killed browser", "Start.")];
  let browser = await startBrowser(folder);
  try {
    await edit(browser.page, closed);
    await typeAfter(browser.page, "Start.", " Closed");
    await browser.page.waitForTimeout(1_000);
    const page = await browser.page.context().newPage();
    await browser.page.close({ runBeforeUnload: false });
    await page.setExtraHTTPHeaders(headers);
    await replaceAssets(page);
    await edit(page, killed);
    await typeAfter(page, "Start.", " Killed");
    await page.waitForTimeout(1_000);
    await kill(browser);
    browser = await startBrowser(folder);
    for (const [at, words] of [[closed, "Closed"], [killed, "Killed"]] as const) {
      await browser.page.goto(at.address);
      await restore(browser.page, words);
      expect(await blocksOf(at)).toEqual([`paragraph: Start. ${words}`]);
    }
  } finally {
    await kill(browser);
  }
});

test("a server that ends while a person types is noticed within 3 s", async ({ page }) => {
  test.setTimeout(180_000);
  const deployment = await startDeployment();
  try {
    await page.goto(deployment.welcome);
    for (const [label, value] of Object.entries({ Organization: "Acme", "Your name": "Ada", "E-mail address": "ada@example.com", Password: "ferry lantern quilt" })) {
      await page.getByLabel(label).fill(value);
    }
    await page.getByRole("button", { name: "Create organization" }).click();
    await page.getByRole("button", { name: "Write the first page" }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: "Title" }).fill("Typed through");
    await page.getByRole("button", { name: "Write it" }).click();
    await expect(page.getByRole("textbox", { name: "Typed through", exact: true })).toBeFocused();
    await expect(status(page)).toHaveText("Saved");
    // Types without a pause, so that only the event stream reveals the crash.
    const text = "word ".repeat(24).trim();
    const typing = page.keyboard.type(text, { delay: 50 });
    await deployment.kill();
    await expect(status(page)).toHaveText(KEPT, { timeout: 3_000 });
    await typing;
    await deployment.start();
    await expect(status(page)).toHaveText("Saved", { timeout: 5_000 });
    await page.reload();
    await expect(page.getByRole("main")).toContainText(text);
    await expect(page.getByText("You have unsaved text")).toBeHidden();
  } finally {
    await deployment.stop();
  }
});

test("five minutes without a network lose nothing", async ({ page, context }) => {
  await page.setExtraHTTPHeaders(headers);
  await page.clock.install();
  const at = await draft("Long offline", "Start.");
  await edit(page, at);
  await context.setOffline(true);
  await typeAfter(page, "Start.", " Typed first");
  await expect(status(page)).toHaveText(KEPT);
  await page.clock.fastForward("05:00");
  await page.keyboard.type(", and after five minutes");
  await expect(status(page)).toHaveText(KEPT);
  await context.setOffline(false);
  await expect(status(page)).toHaveText("Saved");
  expect(await blocksOf(at)).toEqual(["paragraph: Start. Typed first, and after five minutes"]);
});

/** Opens a browser in which an invited user is signed in. */
async function joined(browser: Browser, email: string, name: string): Promise<[BrowserContext, Page]> {
  const { invites } = await call("POST", `/orgs/${organization}/invites`, { emails: [email], role: "edit" });
  const context = await browser.newContext();
  const page = await context.newPage();
  await replaceAssets(page);
  await page.goto(`${base}/~/invite/${invites[0].id}?secret=${invites[0].secret}`);
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel("Password").fill("ferry lantern quilt");
  await page.getByRole("button", { name: "Join" }).click();
  await expect(page).toHaveURL(`${base}/`);
  return [context, page];
}

test("a person who is signed out signs in over the page", async ({ browser }) => {
  const email = unused("grace@interrupted.example");
  const [context, page] = await joined(browser, email, "Grace Hopper");
  const at = await draft("Over the page", "Start.");
  await edit(page, at);
  await context.clearCookies();
  await typeAfter(page, "Start.", " Typed signed out");
  // It opens by itself, and again on the shortcut for saving.
  const dialog = page.getByRole("dialog", { name: "Sign in" });
  await expect(dialog.getByLabel("E-mail address")).toBeFocused();
  await page.keyboard.type("someone");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+s");
  await expect(dialog.getByLabel("E-mail address")).toHaveValue("");
  await expect(dialog.getByLabel("E-mail address")).toBeFocused();
  await dialog.getByLabel("E-mail address").fill(email);
  await dialog.getByLabel("Password").fill("not the password");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert")).not.toBeEmpty();
  await dialog.getByLabel("Password").fill("ferry lantern quilt");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(status(page)).toHaveText("Saved");
  expect(await blocksOf(at)).toEqual(["paragraph: Start. Typed signed out"]);
  await context.close();
});

test("a person who may no longer edit keeps the text", async ({ browser }) => {
  const [context, page] = await joined(browser, unused("lynn@interrupted.example"), "Lynn Conway");
  const at = await draft("No longer", "Start.");
  await edit(page, at);
  const { id } = await (await page.request.get(`${base}/v1/user`)).json();
  await call("PATCH", `/orgs/${organization}/members/${id}`, { role: "read" });
  await typeAfter(page, "Start.", " Typed as a reader");
  await expect(page.getByText("You can no longer edit this page. Your text is on this device.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Copy the text" })).toBeVisible();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download it" }).click()]);
  expect(readFileSync(await download.path(), "utf8")).toContain("Start. Typed as a reader");
  expect(await blocksOf(at)).toEqual(["paragraph: Start."]);
  await context.close();
});

for (const end of ["merged", "archived"] as const) {
  test(`text for a change request that another has ${end} goes into a new one with one click`, async ({ page }) => {
    await page.setExtraHTTPHeaders(headers);
    const at = await draft(`Ended: ${end}`, "Start.");
    await edit(page, at);
    const request = `/spaces/${at.space}/change-requests/${at.number}`;
    await call("PATCH", request, { status: end === "merged" ? "open" : "archived" });
    if (end === "merged") await call("POST", `${request}/merge`, {});
    await typeAfter(page, "Start.", " Too late");
    await page.getByRole("button", { name: "Put it into a new change request" }).click();
    await expect(page).toHaveURL(new RegExp(`/~/changes/${at.number + 1}$`));
    expect(await blocksOf({ ...at, number: at.number + 1 })).toEqual(["paragraph: Start. Too late"]);
  });
}

test("what one of two people settles in a paragraph is settled for both", async ({ page, browser }) => {
  await page.setExtraHTTPHeaders(headers);
  const at = await draft("Settled", "One.\n\nTwo.");
  const context = await browser.newContext({ extraHTTPHeaders: headers });
  const other = await context.newPage();
  await replaceAssets(other);
  for (const each of [page, other]) await edit(each, at);
  await typeAfter(other, "One.", " Theirs");
  await typeAfter(page, "One.", " Mine");
  // The later save gets the question.
  const words = "Somebody else changed the same paragraph";
  const isAsked = (each: Page) => each.getByText(words).isVisible();
  await expect.poll(async () => (await isAsked(page)) || (await isAsked(other))).toBe(true);
  const asked = (await isAsked(page)) ? page : other;
  await expect(asked.getByText("Yours", { exact: true })).toBeVisible();
  await asked.getByRole("button", { name: "Add mine below it" }).click();
  for (const each of [page, other]) {
    await expect(each.getByText(words)).toBeHidden();
    await expect(each.getByRole("main")).toContainText("One. Mine");
    await expect(each.getByRole("main")).toContainText("One. Theirs");
    await expect(status(each)).toHaveText("Saved");
  }
  expect((await blocksOf(at)).sort()).toEqual(["paragraph: One. Mine", "paragraph: One. Theirs", "paragraph: Two."]);
  await context.close();
});
