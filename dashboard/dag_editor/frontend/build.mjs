// Bundles the editor into one ES module and one style sheet in the folder named, or `../assets`.
// The names carry a hash of the content, so that a browser never keeps an old one.
import { rm } from "node:fs/promises";
import { build } from "esbuild";

const folder = process.argv[2] ?? "../assets";
await rm(folder, { recursive: true, force: true });

await build({
  entryPoints: { dag_editor: "src/main.tsx", style: "src/styles.css" },
  outdir: folder,
  entryNames: "[name]-[hash]",
  bundle: true,
  format: "esm",
  platform: "browser",
  target: ["chrome111", "firefox113", "safari16.4"],
  minify: true,
  legalComments: "eof",
  define: { "process.env.NODE_ENV": '"production"' },
  jsx: "automatic",
  logLevel: "warning",
});
