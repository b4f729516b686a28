import { defineConfig } from "vite"

/** Where `pnpm dev` finds a running service. */
const service = process.env["COUNTERSIGN_URL"] ?? "http://127.0.0.1:8080"

/**
 * What every screen needs, in one file: it compresses better than one file for each part, and takes one request. A file
 * that the frame loads later must not be named here.
 */
const frame =
  /node_modules\/.*preact|src\/(api|live|keys|session)\/|src\/address\/(here|match|paths)\.|src\/words\/(say|en|hi|language|format)\.|src\/query\/useQuery\.|src\/parts\/(Button|Choice|Dialog|Loaded|Toast)\.|src\/shell\/(Account|Announcer|Boundary|KeyList|Menu|Needs|Palette|Screen|badges|badgesOf|device|filterSheet|lazyDialog|lazyScreen|menu|narrow|newer|theme|titleOf|tryIt)\./

export default defineConfig({
  base: "/dashboard/",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2024",
    manifest: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0, // the content policy allows no `data:` but in images
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "frame", test: frame }] } } }
  },
  server: { proxy: { "^/(v1|dev)/": { target: service, changeOrigin: false } } }
})
