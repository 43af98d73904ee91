// OpenID Connect provider that signs in every visitor as the same user.
import { createHash, createSign, generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer } from "node:http";

export interface IdentityProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Claims about the user. */
  claims: Record<string, unknown>;
  stop(): void;
}

const base64 = (value: string | Buffer) => Buffer.from(value).toString("base64url");

/** Starts a provider on a free port of this machine. */
export async function startIdentityProvider(claims: Record<string, unknown>): Promise<IdentityProvider> {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const visits = new Map<string, { nonce: string; challenge: string }>();
  const provider: IdentityProvider = { issuer: "", clientId: "quire", clientSecret: "a secret", claims, stop: () => server.close() };
  const token = (nonce: string) => {
    const now = Math.floor(Date.now() / 1000);
    const payload = { iss: provider.issuer, aud: provider.clientId, nonce, iat: now, exp: now + 300, ...provider.claims };
    const signed = `${base64(JSON.stringify({ alg: "RS256", kid: "walk" }))}.${base64(JSON.stringify(payload))}`;
    return `${signed}.${base64(createSign("RSA-SHA256").update(signed).sign(privateKey))}`;
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", provider.issuer);
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    if (url.pathname === "/.well-known/openid-configuration") {
      const { issuer } = provider;
      answer(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
      });
    } else if (url.pathname === "/keys") {
      answer(200, { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "walk", use: "sig", alg: "RS256" }] });
    } else if (url.pathname === "/authorize") {
      const code = randomUUID();
      const parameter = (name: string) => url.searchParams.get(name) ?? "";
      visits.set(code, { nonce: parameter("nonce"), challenge: parameter("code_challenge") });
      const back = new URL(parameter("redirect_uri"));
      back.searchParams.set("code", code);
      back.searchParams.set("state", parameter("state"));
      response.writeHead(302, { location: back.href }).end();
    } else {
      let body = "";
      request.on("data", (text) => (body += text));
      request.on("end", () => {
        const parameters = new URLSearchParams(body);
        const visit = visits.get(parameters.get("code") ?? "");
        visits.delete(parameters.get("code") ?? "");
        const challenge = createHash("sha256").update(parameters.get("code_verifier") ?? "").digest("base64url");
        if (visit?.challenge !== challenge) return answer(400, { error: "invalid_grant" });
        answer(200, { access_token: "a", token_type: "Bearer", id_token: token(visit.nonce) });
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  provider.issuer = `http://127.0.0.1:${port}`;
  return provider;
}
