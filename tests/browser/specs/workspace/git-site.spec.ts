// A site is connected to a repository with a site file, synchronized, and disconnected.
import { startDeployment } from "../../support/deployment.ts";
import { startGitServer } from "../../support/git.ts";
import { expect, MEDIUM, NARROW, reloaded, test, WIDE } from "../../support/reader.ts";

const folder = process.env.QUIRE_SCREENS ?? "";

const FILE = `version: 1
site:
  title: Acme
  structure:
    - {type: space, key: tides, title: Tides, path: tides, default: true, content: {directory: ./tides}}
    - {type: space, key: buoys, title: Buoys, path: buoys, content: {directory: ./buoys}}
`;

test("a site is connected to a repository, and its file makes the spaces", async ({ reader }) => {
  const git = await startGitServer();
  test.skip(git === undefined && !process.env.CI, "Git is not installed");
  if (git === undefined) throw new Error("Git is not installed");
  git.commit({ "tides/README.md": "# Tides\n\nHigh and low.\n", "buoys/README.md": "# Buoys\n\nRed and green.\n" });
  const deployment = await startDeployment({ QUIRE_FETCH_ALLOW: git.host });
  try {
    const { base } = deployment;
    const { page } = reader;
    const screens = async (name: string) => {
      for (const [width, viewport] of [["390", NARROW], ["820", MEDIUM], ["1440", WIDE]] as const) {
        await page.setViewportSize(viewport);
        await page.screenshot({ path: `${folder}/workspace-git-site-${name}-${width}.png`, fullPage: true });
        await reader.isAccessible(`${name} ${width}`);
        await reader.fits();
      }
    };
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
      return answer.json();
    };
    const organization = (await send("get", "/orgs")).items[0].id;
    const site = (await send("post", `/orgs/${organization}/sites`, { title: "Acme" })).id;

    // Connect.
    const address = `${base}/o/${organization}/sites/${site}/git`;
    await reader.open(`${base}/o/${organization}/sites/${site}`);
    await page.getByRole("link", { name: "Git", exact: true }).click();
    await expect(page).toHaveURL(address);
    await screens("unconnected");
    await page.getByLabel("Server of the repository").selectOption("Another server with https");
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await expect(page.getByText("The connection has no repository yet.")).toBeVisible();
    const id = (await send("get", `/orgs/${organization}/sites/${site}`)).gitSync.installationId;

    // A repository without a site file is refused, and the message names the file.
    await page.getByLabel("Address").fill(git.url);
    await page.getByLabel("Access token or password").fill(git.token);
    await page.getByLabel("User name").fill(git.username);
    reader.awaits(`${base}/v1/git/installations/${id}`);
    await page.getByRole("button", { name: "Save repository" }).click();
    await expect(page.getByRole("alert")).toContainText("gitbook-docs.yaml");
    await screens("without-file");
    git.commit({ "gitbook-docs.yaml": FILE });
    await page.getByRole("button", { name: "Save repository" }).click();
    await expect(page.getByText("The connection has no repository yet.")).toHaveCount(0);

    // State, spaces and log.
    const spaces = page.getByRole("region", { name: "Connected spaces" });
    await expect(async () => {
      await page.reload();
      await expect(spaces.getByText("Up to date")).toHaveCount(2, { timeout: 100 });
    }).toPass();
    await expect(page.getByText("The spaces were connected")).toBeVisible();
    await expect(spaces.getByRole("row", { name: /Tides/ })).toContainText("tides");
    await expect(page.getByRole("region", { name: "Log" })).toContainText("The space “Buoys” was created.");
    await screens("connected");

    // The side whose version of a page stays in conflicts.
    await page.getByText("Conflicts", { exact: true }).click();
    await page.getByLabel("Version of a page that stays").selectOption("The spaces");
    await screens("conflicts");
    await reloaded(page, () => page.getByRole("button", { name: "Save", exact: true }).click());
    expect((await send("get", `/git/installations/${id}`)).defaultMergeAuthorityPolicy).toBe("gitbook");
    await expect(page.getByLabel("Version of a page that stays")).toHaveValue("gitbook");

    // The branch field suggests the branches of the repository.
    await page.getByText("Repository", { exact: true }).click();
    await page.getByRole("link", { name: "Offer the branches of the repository" }).click();
    await expect(page.getByText("The field offers 1 branch of the repository.")).toBeVisible();

    // A commit is imported on request.
    await reader.open(address);
    git.commit({ "tides/README.md": "# Tides\n\nSpring and neap.\n" });
    await page.getByRole("button", { name: "Sync now" }).click();
    await expect(page.getByText("A synchronization is under way.")).toBeVisible();
    await spaces.getByRole("link", { name: "Tides" }).click();
    await expect(async () => {
      await page.reload();
      await expect(page.getByRole("region", { name: "Log" }).getByText("was imported.")).toHaveCount(2, { timeout: 100 });
    }).toPass();
    await expect(page.getByText("The Git page of a site manages this connection")).toBeVisible();

    // After disconnecting, the site keeps its spaces.
    await reader.open(address);
    await page.getByRole("button", { name: "Disconnect the repository" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await expect(page.getByRole("button", { name: "Connect", exact: true })).toBeVisible();
    expect((await send("get", `/orgs/${organization}/sites/${site}`)).gitSync).toBeUndefined();
    await reader.open(`${base}/o/${organization}/sites/${site}/structure`);
    await expect(page.getByRole("main")).toContainText("Buoys");
    await page.goto("about:blank");
  } finally {
    await deployment.stop();
    git.stop();
  }
});
