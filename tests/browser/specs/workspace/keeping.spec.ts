// Typed text is never lost: server crashes, networks, sessions, other programs, and full browser storage.
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { base, call, organization } from "../../support/api.ts";
import { startDeployment } from "../../support/deployment.ts";
import { blocksOf, draft, edit, headers, status, stored, typeAfter } from "../../support/editor.ts";
import { unused } from "../../support/person.ts";
import { randomFrom } from "../../support/random.ts";
import { expect, replaceAssets, test } from "../../support/reader.ts";

const KEPT = "Not saved, kept on this device";

test.beforeEach(async ({ page }) => {
  await replaceAssets(page);
});

/** Opens a browser for another user. */
async function person(browser: Browser, options: object = { extraHTTPHeaders: headers }): Promise<[BrowserContext, Page]> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await replaceAssets(page);
  return [context, page];
}

test("a server that is killed and started again gets all of it", async ({ page }) => {
  test.setTimeout(180_000);
  const deployment = await startDeployment();
  try {
    await page.goto(deployment.welcome);
    for (const [label, value] of Object.entries({ Organization: "Acme", "Your name": "Ada", "E-mail address": "ada@example.com", Password: "ferry lantern quilt" })) {
      await page.getByLabel(label).fill(value);
    }
    await page.getByRole("button", { name: "Create organization" }).click();
    await page.getByRole("button", { name: "Write the first page" }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: "Title" }).fill("Killed");
    await page.getByRole("button", { name: "Write it" }).click();
    await expect(page.getByRole("textbox", { name: "Killed", exact: true })).toBeFocused();
    await page.keyboard.type("Before the end");
    await expect(status(page)).toHaveText("Saved");
    await deployment.kill();
    await page.keyboard.type(", and after it");
    await expect(status(page)).toHaveText(KEPT);
    await page.keyboard.type(", and still");
    await deployment.start();
    await expect(status(page)).toHaveText("Saved", { timeout: 5_000 });
    await page.reload();
    await expect(page.getByRole("main")).toContainText("Before the end, and after it, and still");
    await expect(page.getByText("You have unsaved text")).toBeHidden();
  } finally {
    await deployment.stop();
  }
});

test("500 keys without a network are kept and sent", async ({ page, context }) => {
  await page.setExtraHTTPHeaders(headers);
  const at = await draft("Offline", "Start.");
  await edit(page, at);
  await context.setOffline(true);
  const text = " Typed without a network, word for word.".repeat(13).slice(0, 500);
  await typeAfter(page, "Start.", text);
  await expect(status(page)).toHaveText(KEPT);
  await context.setOffline(false);
  await expect(status(page)).toHaveText("Saved");
  expect(await blocksOf(at)).toEqual([`paragraph: Start.${text}`]);
});

test("text of an ended session is sent after signing in again", async ({ browser }) => {
  const email = unused("edith@example.org");
  const { invites } = await call("POST", `/orgs/${organization}/invites`, { emails: [email], role: "edit" });
  const [context, page] = await person(browser, {});
  await page.goto(`${base}/~/invite/${invites[0].id}?secret=${invites[0].secret}`);
  await page.getByLabel("Your name").fill("Edith Clarke");
  await page.getByLabel("Password").fill("ferry lantern quilt");
  await page.getByRole("button", { name: "Join" }).click();
  await expect(page).toHaveURL(`${base}/`);
  const at = await draft("Session", "Start.");
  await edit(page, at);
  const account = await context.newPage();
  await account.goto(`${base}/~/account`);
  await account.getByRole("button", { name: "Sign out", exact: true }).first().click();
  await expect(account).toHaveURL(/sign-in/);
  await typeAfter(page, "Start.", " And more");
  await expect(page.getByText("You are signed out. Your text is on this device.")).toBeVisible();
  const [tab] = await Promise.all([context.waitForEvent("page"), page.getByRole("dialog", { name: "Sign in" }).getByRole("link", { name: "Sign in in a new tab" }).click()]);
  await tab.getByLabel("E-mail address").fill(email);
  await tab.getByRole("button", { name: "Continue" }).click();
  await tab.getByLabel("Password").fill("ferry lantern quilt");
  await tab.getByRole("button", { name: "Sign in", exact: true }).click();
  // The page is then open in the new tab, and this one hands its text over.
  await expect(tab).toHaveURL(at.address);
  await expect(status(page)).toHaveText("Saved");
  await expect(page.getByText("You edit this page in another tab.")).toBeVisible();
  expect(await stored(at)).toContain("Start. And more");
  await context.close();
});

test("a program that writes meanwhile replaces nothing silently", async ({ page }) => {
  await page.setExtraHTTPHeaders(headers);
  const at = await draft("Program", "One.\n\nTwo.");
  await edit(page, at);
  const request = `/spaces/${at.space}/change-requests/${at.number}`;
  const write = async (markdown: string, more: object) => {
    const changes = [{ operation: "update_page", page: at.pageId, document: { markdown } }];
    return call("POST", `${request}/content`, { changes, ...more });
  };
  // With a base, the paragraphs of the program and of the user are both there.
  const { revision } = await call("GET", request);
  await write("One.\n\nTwo, of a program.", { base: revision, onStale: "merge" });
  await typeAfter(page, "One.", " Of a person");
  await expect(status(page)).toHaveText("Saved");
  expect(await blocksOf(at)).toEqual(["paragraph: One. Of a person", "paragraph: Two, of a program."]);
  await expect(page.getByRole("main")).toContainText("Two, of a program.");
  // Without a base, the program's text replaces everything, and the user sees that. It is written while the person's
  // text is on its way.
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/change-requests/*/content", async (route) => {
    await held;
    await route.continue();
  }, { times: 1 });
  const sent = page.waitForRequest((sent) => sent.method() === "POST" && sent.url().endsWith("/content"));
  await typeAfter(page, "One. Of a person", " again");
  await sent;
  await write("One, of a program.\n\nTwo, of a program.", {});
  release();
  await expect(page.getByText("Somebody else changed the same paragraph")).toBeVisible();
  await page.getByRole("button", { name: "Add mine below it" }).click();
  await expect(status(page)).toHaveText("Saved");
  const text = await stored(at);
  expect(text).toContain("One, of a program.");
  expect(text).toContain("One. Of a person again");
});

test("a browser that can't keep the text says so, and offers it", async ({ page }) => {
  await page.setExtraHTTPHeaders(headers);
  await page.addInitScript(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    };
  });
  const at = await draft("Full", "Start.");
  await edit(page, at);
  await page.route("**/content", (route) => route.abort());
  await typeAfter(page, "Start.", " And more");
  const notice = page.getByText("This browser can't keep the text: The quota has been exceeded.");
  await expect(notice).toBeVisible();
  // The notice remains, because the server does not respond.
  await page.waitForRequest("**/content");
  await page.waitForRequest("**/content");
  await expect(notice).toBeVisible();
  await expect(status(page)).toHaveText("This browser can't keep the text: save a copy");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download it" }).click()]);
  expect(download.suggestedFilename()).toBe("Full.json");
  await page.unroute("**/content");
  await expect(status(page)).toHaveText("Saved", { timeout: 30_000 });
  expect(await stored(at)).toContain("Start. And more");
});

/**
 * Two users type, delete, lose the network and reload the page at random, each in paragraphs of their own. In the end,
 * the stored text equals that of a model.
 */
async function typeAtRandom(browser: Browser, seed: number, actions: number): Promise<void> {
  const random = randomFrom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const names = ["A0", "B0", "A1", "B1", "A2", "B2"];
  const model = new Map(names.map((name) => [name, [] as string[]]));
  const at = await draft("Random", names.join("\n\n"));
  const people = await Promise.all(["A", "B"].map(async (name) => ({ name, isOff: false, opened: await person(browser) })));
  for (const { opened: [, page] } of people) await edit(page, at);

  const leadTo = async (page: Page, name: string) => {
    await page.getByRole("textbox", { name: "Random", exact: true }).getByText(new RegExp(`^${name}( |$)`)).click();
    await page.keyboard.press("End");
  };
  const type = async (page: Page, name: string, word: string) => {
    await leadTo(page, name);
    await page.keyboard.type(` ${word}`);
    model.get(name)!.push(word);
  };
  for (let action = 0; action < actions; action += 1) {
    const one = people[below(2)]!;
    const [context, page] = one.opened;
    const name = `${one.name}${below(3)}`;
    const words = model.get(name)!;
    const kind = below(100);
    if (kind < 4) {
      one.isOff = !one.isOff;
      await context.setOffline(one.isOff);
    } else if (kind < 6 && !one.isOff) {
      // Reloads the page while the server lacks a word.
      await page.route("**/content", (route) => route.abort());
      await type(page, name, `w${action}`);
      await expect(status(page)).toHaveText(KEPT);
      await page.reload();
      await page.getByRole("button", { name: "Restore" }).click();
      await page.unroute("**/content");
    } else if (kind < 30 || words.length > 6) {
      await leadTo(page, name);
      const last = words.pop();
      for (let left = last === undefined ? 0 : last.length + 1; left > 0; left -= 1) await page.keyboard.press("Backspace");
    } else {
      await type(page, name, `w${action}`);
    }
  }
  for (const { opened: [context, page] } of people) {
    await context.setOffline(false);
    await expect(status(page), `seed ${seed}`).toHaveText("Saved", { timeout: 60_000 });
  }
  const expected = [...model].map(([name, words]) => `paragraph: ${[name, ...words].join(" ")}`);
  expect(await blocksOf(at), `seed ${seed}`).toEqual(expected);
  for (const { opened: [context] } of people) await context.close();
}

test("two people at random leave the text of a model", async ({ browser }) => {
  test.setTimeout(180_000);
  await typeAtRandom(browser, 1, 80);
});

test("two people at random leave the text of a model, for long @full", async ({ browser }) => {
  test.setTimeout(1_800_000);
  await typeAtRandom(browser, Number(process.env.QUIRE_SEED ?? 2), 2_000);
});
