// Bundles the editor and the Markdown pane into the folder that is named as the argument: see scripts/vendor-editor.
import { build } from "esbuild";

await build({
  entryPoints: { editor: "edit.js", source: "source.js" },
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "none",
  outdir: process.argv[2],
});
