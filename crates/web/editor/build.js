// Bundles the editor and the Markdown pane into the folder that is named as the argument: see scripts/vendor-editor.
import { build } from "esbuild";

const options = { bundle: true, format: "esm", target: "es2022", minify: true, legalComments: "none", outdir: process.argv[2] };

// The editor is what a page loads first (editor.js and editor-chunk.js), and what it loads on demand (editor-parts.js). The
// build of the server puts hashes into their names.
await build({ ...options, entryPoints: { editor: "edit.js" }, splitting: true, chunkNames: "editor-[name]" });
await build({ ...options, entryPoints: { source: "source.js" } });
