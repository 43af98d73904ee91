// Bundles the editor and the Markdown pane into the folder that is named as the argument: see scripts/vendor-editor.
import { build } from "esbuild";

const options = { bundle: true, format: "esm", target: "es2022", minify: true, legalComments: "none", loader: { ".css": "text" }, outdir: process.argv[2] };

// The editor is what a page loads first (editor.js and editor-chunk.js), and what it loads on demand (editor-parts.js, and
// editor-signs.js for emoji and icons). The build of the server puts hashes into their names.
await build({ ...options, entryPoints: { editor: "edit.js" }, splitting: true, chunkNames: "editor-[name]", external: ["./editor-signs.js"] });
await build({ ...options, entryPoints: { source: "source.js", "editor-signs": "signs.js" } });
