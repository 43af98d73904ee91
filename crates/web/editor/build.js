// Bundles the editor and the Markdown pane into the folder in the argument. See scripts/vendor-editor.
import { build } from "esbuild";

const options = { bundle: true, format: "esm", target: "es2022", minify: true, legalComments: "none", loader: { ".css": "text" }, outdir: process.argv[2] };

// A page first loads editor.js and editor-chunk.js. It loads editor-parts.js, and editor-signs.js for emoji and icons,
// on demand. The server's build adds hashes to the names.
await build({ ...options, entryPoints: { editor: "edit.js" }, splitting: true, chunkNames: "editor-[name]", external: ["./editor-signs.js"] });
await build({ ...options, entryPoints: { source: "source.js", "editor-signs": "signs.js" } });
