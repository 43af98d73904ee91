// Flows of the user guide (docs/guide) in one organization, with the screenshots of its pages.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { type Deployment, startDeployment } from "../../support/deployment.ts";
import { expect, replaceAssets, test } from "../../support/reader.ts";

const VIEWPORT = { width: 1280, height: 800 };
const PASSWORD = "ferry lantern quilt";
const folder = join(process.env.QUIRE_SCREENS ?? "", "guide");
const project = process.env.QUIRE_PROJECT ?? "";

const textbox = (page: Page, title: string) => page.getByRole("textbox", { name: title, exact: true });
const saved = (page: Page) => expect(page.getByRole("main").getByRole("status").first()).toHaveText("Saved");
const picture = (page: Page, name: string) => page.screenshot({ path: join(folder, `${name}.png`), animations: "disabled" });

/** Returns the pages of a folder as a zip archive. */
function zipped(path: string, out: string): Buffer {
  execFileSync("python3", ["-m", "zipfile", "-c", out, path]);
  return readFileSync(out);
}

/** Opens a page in a separate browser. */
async function opened(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext({ viewport: VIEWPORT })).newPage();
  await replaceAssets(page);
  return page;
}

/** Creates an account from an invite link. */
async function joined(browser: Browser, link: string, name: string): Promise<Page> {
  const page = await opened(browser);
  await page.goto(link);
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Join" }).click();
  await expect(page.getByRole("heading", { name: `Welcome, ${name}` })).toBeVisible();
  return page;
}

async function merge(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Merge", exact: true }).click();
  await page.getByRole("button", { name: "Merge it" }).click();
  await expect(page.getByRole("main").getByText("Merged", { exact: true })).toBeVisible();
}

const tree = (page: Page, title: string) => page.getByRole("navigation", { name: "Space" }).getByRole("link", { name: title, exact: true });

test.use({ actionTimeout: 15_000 });

test("the flows of the guide @full", async ({ browser }, info) => {
  test.setTimeout(300_000);
  const deployment: Deployment = await startDeployment();
  const ada = await opened(browser);
  let ben = ada;
  let space = "";
  try {
    await test.step("first run", async () => {
      await ada.goto(deployment.welcome);
      await ada.getByLabel("Organization").fill("Harbor");
      await ada.getByLabel("Your name").fill("Ada Lovelace");
      await ada.getByLabel("E-mail address").fill("ada@example.com");
      await ada.getByLabel("Password").fill(PASSWORD);
      await picture(ada, "first-run");
      await ada.getByRole("button", { name: "Create organization" }).click();
      await expect(ada.getByRole("heading", { name: "Welcome, Ada Lovelace" })).toBeVisible();
      await picture(ada, "start");
    });

    await test.step("import", async () => {
      await ada.getByRole("button", { name: /^Import what you have/ }).click();
      const dialog = ada.getByRole("dialog", { name: "A space for what you import" });
      await dialog.getByRole("textbox", { name: "Title" }).fill("Ferry");
      await dialog.getByRole("button", { name: "Choose the files" }).click();
      await ada.getByLabel("File", { exact: true }).setInputFiles({
        name: "ferry.zip",
        mimeType: "application/zip",
        buffer: zipped(`${project}/tests/ferry`, info.outputPath("ferry.zip")),
      });
      await picture(ada, "import");
      await ada.getByRole("button", { name: "Import", exact: true }).click();
      await expect(ada.getByText(/Imported \d+ of \d+/)).toBeVisible({ timeout: 60_000 });
      await picture(ada, "import-report");
      space = /\/s\/([^/]+)\//.exec(ada.url())![1];
      await ada.goto(`${deployment.base}/s/${space}`);
      await expect(ada.getByRole("heading", { name: "Why Ferry" })).toBeVisible();
      await picture(ada, "page");
    });

    await test.step("fix a sentence", async () => {
      await tree(ada, "Introduction").click();
      await ada.getByRole("button", { name: "Edit" }).click();
      await expect(textbox(ada, "Introduction")).toBeFocused();
      await ada.getByRole("main").getByText("Ferry does not synchronize").click();
      await ada.keyboard.press("Control+End");
      await ada.keyboard.type(" It needs no root rights.");
      await saved(ada);
      await picture(ada, "fix");
      await ada.getByRole("button", { name: "Request review" }).click();
      await merge(ada);
      await picture(ada, "merged");
    });

    await test.step("invite", async () => {
      await ada.goto(deployment.base);
      await ada.getByRole("link", { name: "People" }).first().click();
      await ada.getByLabel("E-mail addresses").fill("ben@example.com, cleo@example.com; dan@example.com\neve@example.com finn@example.com");
      await ada.getByLabel("Role", { exact: true }).selectOption("Review");
      await ada.getByRole("button", { name: "Invite", exact: true }).click();
      const link = ada.getByLabel("Link for ben@example.com");
      await expect(link).toBeVisible();
      await picture(ada, "invite");
      ben = await joined(browser, await link.inputValue(), "Ben Okri");
    });

    await test.step("write and ask for a review", async () => {
      await ada.goto(`${deployment.base}/s/${space}/getting-started/installation`);
      await ada.getByRole("button", { name: "New page" }).click();
      await ada.getByRole("dialog", { name: "New page" }).getByRole("textbox", { name: "Title" }).fill("Upgrade");
      await ada.getByRole("button", { name: "Add page" }).click();
      await expect(textbox(ada, "Upgrade")).toBeFocused();
      await ada.keyboard.type("Stop running jobs before you replace the binary.");
      await ada.keyboard.press("Enter");
      await ada.keyboard.type("/co");
      await expect(ada.getByRole("option", { name: "Code" })).toBeVisible();
      await picture(ada, "blocks");
      await ada.keyboard.press("Enter");
      await ada.keyboard.type("ferry jobs stop --all");
      await saved(ada);
      await picture(ada, "write");
      await ada.getByRole("button", { name: "Request review" }).click();
      await ada.getByText("Ask for a review", { exact: true }).click();
      await ada.getByRole("combobox", { name: "Reviewer" }).selectOption("Ben Okri");
      await ada.getByRole("button", { name: "Ask", exact: true }).click();
      await expect(ada.getByRole("main").getByText("Ben Okri").first()).toBeVisible();
      await picture(ada, "request-review");
    });

    await test.step("review", async () => {
      await ben.goto(deployment.base);
      await expect(ben.getByRole("heading", { name: "Waiting for your review" })).toBeVisible();
      await picture(ben, "waiting");
      await ben.getByRole("main").getByRole("link", { name: "Add Upgrade" }).first().click();
      await ben.getByRole("textbox", { name: "New comment" }).fill("Which versions does this hold for?");
      await ben.getByRole("button", { name: "Comment", exact: true }).click();
      await expect(ben.getByRole("article", { name: /^Comment by/ })).toBeVisible();
      await ben.getByRole("button", { name: "Approve", exact: true }).click();
      await ben.getByRole("button", { name: "Approve it" }).click();
      await expect(ben.getByRole("main")).toContainText("1 approval");
      await picture(ben, "review");
      await ada.reload();
      await merge(ada);
    });

    await test.step("conflict", async () => {
      const open = async (page: Page) => {
        await page.goto(`${deployment.base}/s/${space}/getting-started/upgrade`);
        await page.getByRole("button", { name: "Edit" }).click();
        await expect(textbox(page, "Upgrade")).toBeFocused();
        await page.getByRole("main").getByText("Stop running jobs").click();
        await page.keyboard.press("End");
      };
      await open(ada);
      await ada.keyboard.type(" Versions do not matter.");
      await saved(ada);
      const request = ada.url().replace(/\/getting-started.*/, "");
      await open(ben);
      await ben.keyboard.type(" This holds since version 2.");
      await saved(ben);
      await ben.getByRole("button", { name: "Request review" }).click();
      await merge(ben);
      await ada.goto(request);
      await ada.getByRole("button", { name: "Request review" }).click();
      await ada.getByRole("link", { name: "Resolve conflicts" }).click();
      await ada.getByRole("group", { name: /^A paragraph of/ }).getByRole("button", { name: "Use both" }).click();
      await ada.getByRole("group", { name: /^A paragraph of/ }).getByRole("heading", { level: 2 }).click();
      await picture(ada, "conflict");
      await ada.getByRole("button", { name: "Apply and update" }).click();
      await expect(ada.getByRole("main")).toContainText("No conflicts with the space");
      await merge(ada);
    });

    await test.step("publish", async () => {
      await ada.goto(`${deployment.base}/s/${space}`);
      await ada.getByRole("button", { name: "Publish" }).click();
      await picture(ada, "publish");
      await ada.getByRole("button", { name: "Publish it" }).click();
      const address = ada.getByRole("main").getByRole("link", { name: /\/sites\/harbor\/ferry$/ });
      await expect(address).toBeVisible();
      await picture(ada, "site-settings");
      await address.click();
      await expect(ada.getByRole("heading", { name: "Why Ferry" })).toBeVisible();
      await picture(ada, "site");
    });

    await test.step("bring a page back", async () => {
      await ada.goto(`${deployment.base}/s/${space}/~/history`);
      await picture(ada, "history");
      await ada.getByRole("link", { name: "Merged a change request" }).first().click();
      await picture(ada, "revision");
      await ada.getByRole("link", { name: "Revision before" }).click();
      await ada.getByRole("button", { name: "Restore this page" }).first().click();
      await expect(ada).toHaveURL(/\/~\/changes\/\d+$/);
      await picture(ada, "restored");
    });
  } finally {
    await deployment.stop();
  }
});
