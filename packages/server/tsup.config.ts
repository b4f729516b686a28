import { defineConfig } from "tsup"

/** The whole server in one folder, for containers: `node bundle/main.js serve`. */
export default defineConfig({
  entry: ["src/main.ts"],
  format: ["esm"],
  platform: "node",
  target: "node22",
  outDir: "bundle",
  clean: true,
  dts: false,
  sourcemap: true,
  noExternal: [/^(?!@electric-sql\/)/], // PGlite loads its wasm from beside its own files
  banner: { js: 'import { createRequire as __cr } from "node:module"; const require = __cr(import.meta.url);' }
})
