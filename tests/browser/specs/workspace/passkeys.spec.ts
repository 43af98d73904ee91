// Passkeys with Chromium's virtual authenticator.
import type { Page } from "@playwright/test";
import { startDeployment, type Deployment } from "../../support/deployment.ts";
import { expect, MEDIUM, NARROW, Reader, test, WIDE } from "../../support/reader.ts";
import { codeOf } from "../../support/totp.ts";

const PASSWORD = "ferry lantern quilt";

/** Adds an authenticator with user verification to the browser of a page. */
const authenticator = async (page: Page) => {
  const devices = await page.context().newCDPSession(page);
  await devices.send("WebAuthn.enable");
  const { authenticatorId } = await devices.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  return { devices, authenticatorId };
};

/** Creates the organization and its administrator. */
const firstRun = async (reader: Reader, { base, welcome }: Deployment) => {
  const { page } = reader;
  await reader.open(welcome);
  await page.getByLabel("Organization").fill("Acme");
  await page.getByLabel("Your name").fill("Ada Lovelace");
  await page.getByLabel("E-mail address").fill("ada@example.com");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create organization" }).click();
  await expect(page).toHaveURL(`${base}/`);
};

const addPasskey = async (page: Page, name: string) => {
  const passkeys = page.getByRole("region", { name: "Passkeys" });
  await passkeys.getByLabel("Name of the new passkey").fill(name);
  await passkeys.getByRole("button", { name: "Add a passkey" }).click();
  await expect(passkeys.getByText("not used yet")).toBeVisible();
};

test("a passkey is added, renamed, signs in and is removed", async ({ reader, browser }) => {
  // Passkeys need a host name.
  const deployment = await startDeployment({}, "localhost");
  try {
    const { base } = deployment;
    const { page } = reader;
    const { devices, authenticatorId } = await authenticator(page);
    await firstRun(reader, deployment);
    await reader.open(`${base}/~/account`);
    const passkeys = page.getByRole("region", { name: "Passkeys" });
    await addPasskey(page, "Phone");
    // The same device cannot register a second passkey.
    await passkeys.getByLabel("Name of the new passkey").fill("Again");
    await passkeys.getByRole("button", { name: "Add a passkey" }).click();
    await expect(passkeys.getByRole("alert")).toHaveText("This device already has a passkey of yours.");
    await reader.isAccessible("a refusal");
    await passkeys.getByText("Rename Phone").click();
    await passkeys.getByLabel("New name").fill("Laptop");
    await reader.isAccessibleEverywhere();
    for (const size of [NARROW, MEDIUM, WIDE]) {
      await page.setViewportSize(size);
      await reader.fits();
    }
    await passkeys.getByRole("button", { name: "Save" }).click();
    await expect(passkeys.getByRole("listitem")).toContainText("Laptop");
    await page.screenshot({ path: `${process.env.QUIRE_SCREENS}/passkeys.png`, fullPage: true });
    await page.getByRole("button", { name: "Sign out", exact: true }).click();

    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
    const signIn = page.getByRole("button", { name: "Sign in with a passkey" });
    await reader.isAccessibleEverywhere();
    await page.screenshot({ path: `${process.env.QUIRE_SCREENS}/sign-in-with-passkey.png`, fullPage: true });
    await devices.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
    await signIn.click();
    await expect(page.getByRole("alert")).toHaveText("The passkey was not used.");
    await devices.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });
    await signIn.click();
    await expect(page).toHaveURL(`${base}/~/account`);
    await expect(passkeys.getByText("last used")).toBeVisible();
    await passkeys.getByRole("button", { name: "Remove Laptop" }).click();
    await expect(passkeys.getByRole("listitem")).toHaveCount(0);

    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    reader.awaits(`${base}/v1/auth/passkey`);
    await signIn.click();
    await expect(page.getByRole("alert")).toHaveText("The passkey is not accepted.");
    await reader.settled();

    // Without scripts, or if the address does not support passkeys, the pages offer none.
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const second = await plain.newPage();
    await second.goto(`${base}/~/sign-in`);
    await expect(second.getByRole("button", { name: "Continue" })).toBeVisible();
    await expect(second.getByRole("button", { name: "Sign in with a passkey" })).toHaveCount(0);
    await plain.close();
    await page.goto("about:blank");
  } finally {
    await deployment.stop();
  }
});

test("members without a required second factor are led to the account, and go on with a passkey or an app", async ({ reader, browser }) => {
  const deployment = await startDeployment({}, "localhost");
  try {
    const { base } = deployment;
    const { page } = reader;
    await authenticator(page);
    await firstRun(reader, deployment);
    const organizations = await (await page.request.get(`${base}/v1/orgs`)).json();
    const organization = organizations.items[0].id;
    const invited = await page.request.post(`${base}/v1/orgs/${organization}/invites`, {
      headers: { Origin: base },
      data: { emails: ["grace@example.com", "radia@example.com"], role: "read" },
    });
    const { invites } = await invited.json();
    const made = await page.request.post(`${base}/v1/orgs/${organization}/spaces`, {
      headers: { Origin: base },
      data: { title: "Guide" },
    });
    const { id: space } = await made.json();
    await reader.open(`${base}/~/account`);
    await addPasskey(page, "Laptop");
    await reader.open(`${base}/o/${organization}/settings`);
    await page.getByLabel("Members need a second factor in browsers").check();
    await page.getByRole("button", { name: "Save" }).first().click();
    await expect(page.getByRole("main").getByRole("status")).toHaveText("Saved.");

    const other = await browser.newContext();
    const second = await other.newPage();
    const person = new Reader(second);
    await authenticator(second);
    const join = async (email: string, name: string) => {
      const { id, secret } = invites.find((invite: { email: string }) => invite.email === email);
      await second.goto(`${base}/~/invite/${id}?secret=${secret}`);
      await second.getByLabel("Your name").fill(name);
      await second.getByLabel("Password").fill(PASSWORD);
      await second.getByRole("button", { name: "Join" }).click();
      await expect(second).toHaveURL(`${base}/~/account`);
      await expect(second.getByRole("alert").first()).toContainText("requires a second factor");
    };
    await join("grace@example.com", "Grace Hopper");
    await second.goto(`${base}/s/${space}`);
    await expect(second).toHaveURL(`${base}/~/account`);
    await person.isAccessibleEverywhere();
    for (const size of [NARROW, MEDIUM, WIDE]) {
      await second.setViewportSize(size);
      await person.fits();
    }
    await second.screenshot({ path: `${process.env.QUIRE_SCREENS}/required-factor.png`, fullPage: true });
    await reader.open(`${base}/o/${organization}/people`);
    await expect(page.getByRole("row", { name: /Grace Hopper/ })).toContainText("No second factor");
    await reader.isAccessibleEverywhere();
    await addPasskey(second, "Phone");
    await expect(second.getByText("requires a second factor")).toHaveCount(0);
    await second.goto(`${base}/s/${space}`);
    await expect(second.getByRole("heading", { name: "Guide" }).first()).toBeVisible();
    await second.goto(`${base}/~/account`);
    await second.getByRole("button", { name: "Sign out", exact: true }).first().click();
    await expect(second.getByRole("heading", { name: "Sign in" })).toBeVisible();

    await join("radia@example.com", "Radia Perlman");
    await second.getByRole("button", { name: "Set up an app" }).click();
    const url = (await second.getByRole("link", { name: "Open in an app on this device" }).getAttribute("href"))!;
    await person.isAccessibleEverywhere();
    await second.getByLabel("Code").fill(codeOf(url));
    await second.getByRole("button", { name: "Turn on" }).click();
    await second.getByRole("link", { name: "Done" }).click();
    await expect(second.getByText("requires a second factor")).toHaveCount(0);
    await second.goto(`${base}/s/${space}`);
    await expect(second.getByRole("heading", { name: "Guide" }).first()).toBeVisible();
    expect(person.problems, "errors on the pages of the members").toEqual([]);
    await second.goto("about:blank");
    await other.close();
    await page.goto("about:blank");
  } finally {
    await deployment.stop();
  }
});
