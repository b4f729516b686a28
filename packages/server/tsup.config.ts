import type { Options } from "tsup"

/** The whole server in one folder, for containers: `node bundle/main.js serve`. */
export default {
  entry: ["src/main.ts"],
  format: ["esm"],
  platform: "node",
  target: "node22",
  outDir: "bundle",
  clean: true,
  dts: false,
  sourcemap: true,
  publicDir: "../postgres/empty", // the embedded database's first start looks for it beside the program
  noExternal: [/^(?!@electric-sql\/)/], // PGlite loads its wasm from beside its own files
  banner: { js: 'import { createRequire as __cr } from "node:module"; const require = __cr(import.meta.url);' }
} satisfies Options
