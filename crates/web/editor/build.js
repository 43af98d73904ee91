// Bundles the editor into the file that is named as the argument: see scripts/vendor-editor.
import { build } from "esbuild";

await build({
  entryPoints: ["edit.js"],
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "none",
  outfile: process.argv[2],
});
