import { defineConfig } from "vite"

/** Where `pnpm dev` finds a running service. */
const service = process.env["COUNTERSIGN_URL"] ?? "http://127.0.0.1:8080"

export default defineConfig({
  base: "/dashboard/",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2024",
    manifest: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0, // the content policy allows no `data:` but in images
    reportCompressedSize: false
  },
  server: { proxy: { "^/(v1|dev)/": { target: service, changeOrigin: false } } }
})
