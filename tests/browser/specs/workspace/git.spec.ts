// A space is connected to a repository, synchronized, repaired after a failure, and disconnected.
import type { Page } from "@playwright/test";
import { startDeployment } from "../../support/deployment.ts";
import { startGitServer } from "../../support/git.ts";
import { expect, MEDIUM, NARROW, type Reader, test, WIDE } from "../../support/reader.ts";

const folder = process.env.QUIRE_SCREENS ?? "";

/** Takes screenshots of a page in each width, and checks the page. */
async function screens(page: Page, reader: Reader, name: string): Promise<void> {
  for (const [width, viewport] of [["390", NARROW], ["820", MEDIUM], ["1440", WIDE]] as const) {
    await page.setViewportSize(viewport);
    await page.screenshot({ path: `${folder}/workspace-git-${name}-${width}.png`, fullPage: true });
    await reader.isAccessible(`${name} ${width}`);
    await reader.fits();
  }
}

test("a space is connected to a repository, and both sides stay the same", async ({ reader }) => {
  const git = await startGitServer();
  test.skip(git === undefined && !process.env.CI, "Git is not installed");
  if (git === undefined) throw new Error("Git is not installed");
  git.commit({
    "README.md": "# Welcome\n\nFrom the repository.\n",
    "SUMMARY.md": "# Table of contents\n\n* [Welcome](README.md)\n* [Tides](tides.md)\n",
    "tides.md": "# Tides\n\nHigh and low.\n",
  });
  const deployment = await startDeployment({ QUIRE_FETCH_ALLOW: git.host });
  try {
    const { base } = deployment;
    const { page } = reader;
    await reader.open(deployment.welcome);
    await page.getByLabel("Organization").fill("Acme");
    await page.getByLabel("Your name").fill("Ada Lovelace");
    await page.getByLabel("E-mail address").fill("ada@example.com");
    await page.getByLabel("Password").fill("ferry lantern quilt");
    await page.getByRole("button", { name: "Create organization" }).click();
    await expect(page).toHaveURL(`${base}/`);
    const send = async (method: "get" | "post", path: string, data?: unknown) => {
      const answer = await page.request[method](`${base}/v1${path}`, { data, headers: { origin: base } });
      expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
      return (await answer.text()) ? answer.json() : undefined;
    };
    const organization = (await send("get", "/orgs")).items[0].id;
    const space = (await send("post", `/orgs/${organization}/spaces`, { title: "Harbour" })).id;
    const change = { operation: "insert_page", title: "Buoys", document: { markdown: "Red and green." } };
    await send("post", `/spaces/${space}/content`, { changes: [change] });

    // Connects and enters the repository. An error is shown at its field.
    const address = `${base}/s/${space}/~/git`;
    await reader.open(`${base}/s/${space}/~/settings`);
    await page.getByRole("link", { name: "Git" }).click();
    await expect(page).toHaveURL(address);
    await screens(page, reader, "unconnected");
    await page.getByLabel("Server of the repository").selectOption("Gitea or Forgejo");
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await expect(page.getByText("The connection has no repository yet.")).toBeVisible();
    await screens(page, reader, "repository");
    await page.getByLabel("Address").fill(git.url);
    await page.getByLabel("Access token or password").fill(git.token);
    await page.getByLabel("User name").fill(git.username);
    await page.getByLabel("Branch").fill("main");
    const id = (await send("get", `/spaces/${space}`)).gitSync.installationId;
    reader.awaits(`${base}/v1/git/installations/${id}`);
    await page.getByRole("button", { name: "Save repository" }).click();
    await expect(page.getByRole("alert")).toContainText("must be the full name of a branch");
    await expect(page.getByLabel("Branch")).toHaveAttribute("aria-invalid", "true");
    await page.getByLabel("Branch").fill("refs/heads/main");
    await page.getByRole("button", { name: "Save repository" }).click();

    // The page asks for the first direction, with numbers of pages.
    await expect(page.getByText(/1 page here, 2 there, \d of both paths\./)).toBeVisible();
    await screens(page, reader, "decision");

    // The branch field suggests the branches of the repository.
    await page.getByText("Change the repository", { exact: true }).click();
    await expect(page.getByLabel("Branch")).toBeVisible();
    await expect(page.getByText("The field offers 1 branch of the repository.")).toBeVisible();
    const offered = () => page.getByLabel("Branch").evaluate((field: HTMLInputElement) => [...(field.list?.options ?? [])].map((option) => option.value));
    expect(await offered()).toEqual(["refs/heads/main"]);
    await screens(page, reader, "branches");
    await page.getByRole("button", { name: "Take the repository" }).click();
    const asked = page.getByRole("dialog");
    await expect(asked).toContainText("The pages of this space are replaced.");
    await asked.getByRole("button").last().click();
    await expect(page).toHaveURL(address);
    await expect(async () => {
      await page.reload();
      await expect(page.getByText("Both sides were last in sync")).toBeVisible({ timeout: 100 });
    }).toPass();
    const log = page.getByRole("region", { name: "Log" });
    await expect(log).toContainText("was imported.");
    await screens(page, reader, "connected");

    // The space links to the Git page, and its history to the commits.
    await reader.open(`${base}/s/${space}/tides`);
    await expect(page.getByRole("main")).toContainText("High and low.");
    await expect(page.getByRole("navigation").getByRole("link", { name: "Git" })).toBeVisible();
    await reader.open(`${base}/s/${space}/~/history`);
    await expect(page.getByRole("main")).toContainText(/From commit [0-9a-f]{7}/);
    // The author of the commit is no user.
    await expect(page.getByRole("main")).toContainText("Ada Example, by Git");
    await screens(page, reader, "history");
    await page.getByRole("main").getByRole("link", { name: "Edited" }).first().click();
    await expect(page.getByRole("main").getByRole("heading", { name: "Commits" })).toBeVisible();
    await expect(page.getByRole("main").getByRole("link", { name: "Edit files" })).toHaveAttribute("href", /\/docs\/commit\/[0-9a-f]{40}$/);
    await screens(page, reader, "revision");

    // An open pull request has a preview. The commit status links to it.
    const proposed = git.propose(7, { "tides.md": "# Tides\n\nEbb and flood.\n" });
    await reader.open(address);
    await page.getByRole("button", { name: "Synchronize now" }).click();
    const previews = page.getByRole("region", { name: "Previews" });
    await expect(async () => {
      await page.reload();
      await expect(previews).toContainText(proposed.slice(0, 7), { timeout: 100 });
      await expect(previews.getByRole("link", { name: "Preview of #7 Explain the tides" })).toBeVisible({ timeout: 100 });
    }).toPass();
    expect(git.statuses).toEqual(["pending", "success"]);
    await screens(page, reader, "previews");
    await previews.getByRole("link", { name: "Preview of #7 Explain the tides" }).click();
    await expect(page).toHaveURL(/~\/history\//);
    await expect(page.getByRole("main")).toContainText("Changed pages");
    await reader.open(`${page.url()}/tides`);
    await expect(page.getByRole("main")).toContainText("Ebb and flood.");
    await reader.open(`${base}/s/${space}/tides`);
    await expect(page.getByRole("main")).toContainText("High and low.");

    // Later, the branches are requested by a link.
    await reader.open(address);
    await page.getByText("Change the repository", { exact: true }).click();
    await page.getByRole("link", { name: "Offer the branches of the repository" }).click();
    expect(await offered()).toEqual(["refs/heads/main"]);

    // The webhook secret is shown only once.
    await reader.open(address);
    await page.getByText("Webhook", { exact: true }).click();
    await expect(page.getByRole("textbox", { name: "Address of the webhook" })).toHaveValue(`${base}/v1/git/hooks/${id}`);
    await page.getByRole("button", { name: "Create secret" }).click();
    const secret = page.getByRole("textbox", { name: "secret", exact: true });
    await expect(secret).toHaveValue(/^whsec_/);
    const token = encodeURIComponent(await secret.inputValue());
    await screens(page, reader, "webhook");
    git.commit({ "tides.md": "# Tides\n\nSpring and neap.\n" });
    await send("post", `/git/hooks/${id}?token=${token}`, { ref: "refs/heads/main" });
    await expect(async () => {
      await reader.open(address);
      await expect(log).toContainText("Webhook", { timeout: 100 });
    }).toPass();

    // A failure shows what to do, and is repaired.
    await page.getByText("Change the repository", { exact: true }).click();
    await page.getByLabel("Access token or password").fill("wrong");
    await page.getByRole("button", { name: "Save repository" }).click();
    await expect(async () => {
      await page.reload();
      await expect(page.getByText("save another token below")).toBeVisible({ timeout: 100 });
    }).toPass();
    await screens(page, reader, "failed");
    await reader.open(`${base}/s/${space}`);
    await expect(page.getByRole("navigation").getByRole("link", { name: "Git Failed" })).toBeVisible();
    await reader.open(address);
    await page.getByText("Change the repository", { exact: true }).click();
    await page.getByLabel("Access token or password").fill(git.token);
    await page.getByRole("button", { name: "Save repository" }).click();
    await expect(async () => {
      await page.reload();
      await expect(page.getByText("Both sides were last in sync")).toBeVisible({ timeout: 100 });
    }).toPass();

    await page.getByRole("button", { name: "Disconnect the repository" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await expect(page.getByRole("button", { name: "Connect", exact: true })).toBeVisible();
    expect((await send("get", `/spaces/${space}`)).gitSync).toBeUndefined();
    await page.goto("about:blank");
  } finally {
    await deployment.stop();
    git.stop();
  }
});
