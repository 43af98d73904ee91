// Separate deployment without an organization.
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "./api.ts";

export interface Deployment {
  base: string;
  /** Setup link that the server printed. */
  welcome: string;
  /** Kills the server like a crash. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

/** Starts a server with settings and a host on an empty database, and waits for the setup link. */
export async function startDeployment(settings: Record<string, string> = {}, host = "127.0.0.1"): Promise<Deployment> {
  const folder = mkdtempSync(join(tmpdir(), "quire-"));
  // As root, PostgreSQL runs under another account, which must be able to enter the folder.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const base = `http://${host}:${port}`;
  const env = { ...process.env, ...settings, QUIRE_DATA_DIR: join(folder, "data"), QUIRE_BIND: `127.0.0.1:${port}`, QUIRE_BASE_URL: base };
  const launch = (onText: (text: string) => void = () => {}) => {
    const server = spawn(process.env.QUIRE_BIN ?? "", ["serve"], { env, stdio: ["ignore", "pipe", "inherit"] });
    server.stdout.on("data", (text) => onText(String(text)));
    return { server, ended: new Promise<void>((resolve) => server.once("exit", () => resolve())) };
  };
  let printed = "";
  let found: (link: string) => void;
  const link = new Promise<string>((resolve) => (found = resolve));
  let running = launch((text) => {
    printed += text;
    const shown = /https?:\/\/\S+\/~\/welcome\/\S+/.exec(printed);
    if (shown) found(shown[0]);
  });
  const kill = async () => {
    running.server.kill("SIGKILL");
    await running.ended;
  };
  const start = async () => {
    running = launch();
    const isReady = () => fetch(`${base}/readyz`).then((answer) => answer.ok, () => false);
    await eventually("the server is ready", isReady, (ready) => ready);
  };
  const stop = async () => {
    running.server.kill("SIGTERM");
    await running.ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const ended = running.ended.then(() => Promise.reject(new Error(`the server ended: ${printed}`)));
  const welcome = await Promise.race([link, ended]);
  // A later exit is caused by the test.
  ended.catch(() => {});
  return { base, welcome, kill, start, stop };
}
