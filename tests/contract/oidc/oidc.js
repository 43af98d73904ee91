// Signs in to a server with oidc-provider and with oauth2-mock-server, signs out and in again, and checks that answers
// that were changed on the way sign nobody in, each with the problem that the page names. Reads QUIRE_BASE_URL, the
// organization and token of QUIRE_WALK, and the ports of the providers in QUIRE_OIDC_PORTS.
import assert from "node:assert/strict";
import { OAuth2Server } from "oauth2-mock-server";
import { Provider } from "oidc-provider";

const base = process.env.QUIRE_BASE_URL;
const { organization, token } = JSON.parse(process.env.QUIRE_WALK);
const [real, mock] = process.env.QUIRE_OIDC_PORTS.split(" ").map(Number);
const GRACE = { email: "grace@example.com", email_verified: true, name: "Grace Hopper" };
const SECRET = "a secret of the client";

/** Keeps the cookies of each origin, as a browser does, and follows no redirect by itself. */
class Browser {
  #cookies = new Map();

  async ask(url, options = {}) {
    const { origin } = new URL(url);
    const own = this.#cookies.get(origin) ?? new Map();
    this.#cookies.set(origin, own);
    const cookie = [...own].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(url, { redirect: "manual", ...options, headers: { ...options.headers, cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      if (value === "" || /max-age=0|expires=thu, 01 jan 1970/i.test(line)) own.delete(name);
      else own.set(name, value);
    }
    return answer;
  }

  /** Follows redirects while `goesOn`, and returns the last answer with its address. */
  async follow(url, goesOn = () => true) {
    for (let hops = 0; hops < 20; hops += 1) {
      if (!goesOn(url)) return { url, answer: undefined };
      const answer = await this.ask(url);
      const location = answer.headers.get("location");
      if (!location) return { url, answer };
      url = new URL(location, url).href;
    }
    throw new Error(`too many redirects: ${url}`);
  }

  /** Sends the form of a page. */
  async submit({ url, answer }, values) {
    const page = await answer.text();
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1] ?? url;
    const hidden = [...page.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]) => [
      /name="([^"]*)"/.exec(input)[1],
      /value="([^"]*)"/.exec(input)?.[1] ?? "",
    ]);
    const body = new URLSearchParams([...hidden, ...Object.entries(values)]);
    const sent = await this.ask(new URL(action, url).href, { method: "POST", body });
    return this.follow(new URL(sent.headers.get("location"), url).href);
  }

  async user() {
    return (await this.ask(`${base}/v1/user`)).json();
  }

  async signOut() {
    const answer = await this.ask(`${base}/v1/auth/sign-out`, { method: "POST", headers: { origin: base } });
    assert.equal(answer.status, 204);
    assert.equal((await this.ask(`${base}/v1/user`)).status, 401);
  }
}

async function addProvider(label, issuer, clientId) {
  const body = { label, issuer, clientID: clientId, clientSecret: SECRET, defaultRole: "read" };
  const answer = await fetch(`${base}/v1/orgs/${organization}/oidc`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const made = await answer.json();
  assert.equal(answer.status, 201, JSON.stringify(made));
  return made;
}

/** oidc-provider, with its own pages for the sign-in and the consent. */
async function withOidcProvider() {
  const issuer = `http://127.0.0.1:${real}`;
  const { service } = await addProvider("oidc-provider", issuer, "quire");
  const provider = new Provider(issuer, {
    clients: [{ client_id: "quire", client_secret: SECRET, redirect_uris: [service.callbackURL], response_types: ["code"] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: false,
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...GRACE }) }),
    cookies: { keys: ["a key of the cookies"] },
  });
  const server = provider.listen(real, "127.0.0.1");
  try {
    const browser = new Browser();
    const enter = async () => {
      let page = await browser.follow(service.startURL);
      if (page.answer.ok && page.url.startsWith(issuer)) page = await browser.submit(page, { login: "7f3a", password: "x" });
      if (page.answer.ok && page.url.startsWith(issuer)) page = await browser.submit(page, {});
      assert.ok(page.url.startsWith(base) && !page.url.includes("failed"), page.url);
      return browser.user();
    };
    const first = await enter();
    assert.equal(first.email, GRACE.email);
    assert.equal(first.displayName, GRACE.name);
    await browser.signOut();
    assert.equal((await enter()).id, first.id);
    return first.id;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** oauth2-mock-server, whose tokens can be changed before they are signed. */
async function withMockServer(known) {
  const server = new OAuth2Server();
  await server.issuer.keys.generate("RS256");
  await server.start(mock, "127.0.0.1");
  server.issuer.url = `http://127.0.0.1:${mock}`;
  try {
    const { service } = await addProvider("oauth2-mock-server", server.issuer.url, "quire");
    let change = () => {};
    let nonce;
    server.service.on("beforeTokenSigning", (signed) => {
      Object.assign(signed.payload, { sub: "9c1e", aud: "quire", nonce, ...GRACE });
      change(signed.payload);
    });
    const browser = new Browser();
    const isCallback = (url) => new URL(url).pathname.endsWith("/callback") && url.startsWith(base);
    /** Returns where a visit ends. `tamper` changes the address that the provider leads back to. */
    const visit = async (tamper = (url) => url) => {
      const started = await browser.follow(service.startURL, (url) => {
        nonce = new URL(url).searchParams.get("nonce") ?? nonce;
        return !isCallback(url);
      });
      return (await browser.follow(tamper(started.url))).url;
    };
    assert.ok(!(await visit()).includes("failed"));
    assert.equal((await browser.user()).id, known, "the verified address finds the account");
    await browser.signOut();
    assert.ok(!(await visit()).includes("failed"));
    await browser.signOut();

    const replaced = (name, value) => (url) => {
      const changed = new URL(url);
      changed.searchParams.set(name, value);
      return changed.href;
    };
    const hour = 3_600;
    const cases = [
      ["state", () => {}, replaced("state", "guessed")],
      ["nonce", (payload) => (payload.nonce = "guessed")],
      ["audience", (payload) => (payload.aud = "another")],
      ["issuer", (payload) => (payload.iss = "https://id.example.com")],
      ["expired", (payload) => Object.assign(payload, { iat: payload.iat - 2 * hour, exp: payload.iat - hour })],
    ];
    for (const [problem, changing, tamper] of cases) {
      change = changing;
      const ended = await visit(tamper);
      assert.ok(ended.includes(`problem=${problem}`), `${problem}: ${ended}`);
      const page = await browser.ask(ended);
      assert.ok(page.status < 500 && (await page.text()).includes('role="alert"'), ended);
      assert.equal((await browser.ask(`${base}/v1/user`)).status, 401, problem);
    }
    change = () => {};
    // A code that has expired, as the provider says it.
    server.service.once("beforeResponse", (response) => {
      response.statusCode = 400;
      response.body = { error: "invalid_grant" };
    });
    const ended = await visit();
    assert.ok(ended.includes("problem=code"), ended);
    return cases.length + 1;
  } finally {
    await server.stop();
  }
}

const known = await withOidcProvider();
const refused = await withMockServer(known);
console.log(`signed in with both providers; ${refused} changed answers refused`);
