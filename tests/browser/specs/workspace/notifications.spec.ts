// Mails about the inbox: settings on the account page, and unsubscribe links.
import { eventually } from "../../support/api.ts";
import { startDeployment } from "../../support/deployment.ts";
import { startMailSink } from "../../support/mail.ts";
import { expect, test } from "../../support/reader.ts";

const PASSWORD = "ferry lantern quilt";

test("a person is mailed about the inbox as the account page says, until a link ends it", async ({ reader }) => {
  // The server checks for entries once a minute.
  test.setTimeout(240_000);
  const sink = await startMailSink();
  const deployment = await startDeployment({ QUIRE_SMTP_URL: sink.url, QUIRE_MAIL_FROM: "Quire <quire@example.com>" });
  try {
    const { base } = deployment;
    const { page } = reader;
    await reader.open(deployment.welcome);
    await page.getByLabel("Organization").fill("Acme");
    await page.getByLabel("Your name").fill("Ada Lovelace");
    await page.getByLabel("E-mail address").fill("ada@example.com");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Create organization" }).click();
    await expect(page).toHaveURL(`${base}/`);

    await reader.open(`${base}/~/account`);
    await reader.isAccessibleEverywhere();
    const choices = page.getByRole("region", { name: "Notifications" });
    await expect(choices.getByLabel("Requests to review")).toHaveValue("at-once");
    await choices.getByLabel("Replies").selectOption("Once a day");
    await choices.getByRole("button", { name: "Save notifications" }).click();
    await expect(page.getByRole("status")).toHaveText("Saved.");
    await expect(choices.getByLabel("Replies")).toHaveValue("daily");

    const send = async (path: string, data: unknown, authorization?: string) => {
      const own = authorization ? { authorization } : { "Sec-Fetch-Site": "same-origin" };
      const answer = await page.request.post(`${base}/v1${path}`, { headers: own, data });
      expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
      return answer.json();
    };
    const get = async (path: string) => (await page.request.get(`${base}/v1${path}`)).json();
    const ada = (await get("/user")).id;
    const organization = (await get("/orgs")).items[0].id;
    const space = await send(`/orgs/${organization}/spaces`, { title: "Harbor manual" });
    const { invites } = await send(`/orgs/${organization}/invites`, { emails: ["mia@example.org"], role: "admin" });
    const body = { secret: invites[0].secret, displayName: "Mia Okafor" };
    const { token } = await send(`/invites/${invites[0].id}/register`, body);
    const mia = `Bearer ${token}`;
    const request = await send(`/spaces/${space.id}/change-requests`, { subject: "Tables of tides" }, mia);
    await send(`/spaces/${space.id}/change-requests/${request.id}/requested-reviewers`, { users: [ada] }, mia);

    const find = async () => sink.mails.find((mail) => mail.includes("To: ada@example.com"));
    const mail = await eventually("a mail about the request", find, (mail) => mail !== undefined, 150_000);
    const link = /Stop mails about requests to review:\n(\S+)/.exec(mail ?? "")?.[1] ?? "";
    expect(mail).toContain(`<${link}>`);
    await reader.open(link);
    await reader.isAccessibleEverywhere();
    await expect(page.getByRole("main")).toContainText("Ada Lovelace gets no more mails about requests to review.");
    await page.getByRole("button", { name: "Stop these mails" }).click();
    await expect(page.getByRole("heading", { name: "Mails stopped" })).toBeVisible();
    await reader.isAccessibleEverywhere();
    await page.getByRole("link", { name: "All notification settings" }).click();
    await expect(choices.getByLabel("Requests to review")).toHaveValue("never");
    await expect(choices.getByLabel("Mentions")).toHaveValue("at-once");
  } finally {
    await deployment.stop();
    sink.stop();
  }
});
