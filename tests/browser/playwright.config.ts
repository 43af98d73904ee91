import { defineConfig } from "@playwright/test";

const { QUIRE_BROWSER_OUT: out, QUIRE_CHROMIUM: chromium, QUIRE_SITES: sites } = process.env;
if (!out || !chromium || !sites) throw new Error("run these tests with `make browser`");

export default defineConfig({
  testDir: "specs",
  outputDir: `${out}/results`,
  globalSetup: "./support/seed.ts",
  fullyParallel: true,
  workers: 2,
  // A busy machine delays Chromium too. A test that needs another run is reported as flaky.
  retries: process.env.CI ? 2 : 0,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  reporter: [["list", { printSteps: false }]],
  use: {
    browserName: "chromium",
    viewport: { width: 1440, height: 900 },
    colorScheme: "light",
    trace: "off",
    launchOptions: {
      executablePath: chromium,
      args: [
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--no-proxy-server",
        // Tests must not reach other machines.
        "--host-resolver-rules=MAP docs.ferry.example 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
      ],
    },
  },
});
