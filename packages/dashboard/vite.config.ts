import { defineConfig } from "vite"

/** Where `pnpm dev` finds a running service. */
const service = process.env["COUNTERSIGN_URL"] ?? "http://127.0.0.1:8080"

/**
 * What every screen needs, in one file: it compresses better than one file for each part, and takes one request. A file
 * that the frame loads later must not be named here.
 */
const frame =
  /node_modules\/.*preact|src\/(api|live|keys)\/|src\/session\/(arrival|lastUser|may|recent|session|signInLink|startOf)\.|src\/address\/(filtersIn|here|match|paths|useFilters)\.|src\/words\/(say|en|hi|language|format|channels|zone)\.|src\/query\/(useQuery|useSend)\.|src\/parts\/(Button|Choice|Dialog|Loaded|Pill|Time|Toast)\.|src\/shell\/(Account|Announcer|Boundary|KeyList|Menu|Needs|Palette|Screen|badges|badgesOf|device|filterSheet|keptTheme|lazyDialog|lazyScreen|menu|narrow|newer|opening|theme|titleOf|tryIt)\./

/** What lists share. */
const lists =
  /src\/address\/(days|filters)\.|src\/query\/(joined|useEvery|usePages)\.|src\/parts\/(LongTable|windowOf|footOf)\./

/** What screens with cards share. */
const cards = /src\/query\/useChannels\.|src\/parts\/(Card|Fact|Snippet|Table)\./

export default defineConfig({
  base: "/dashboard/",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2024",
    cssTarget: ["chrome123", "firefox128", "safari17.5"], // the first with `light-dark()` and nesting, as in the sources
    manifest: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0, // the content policy allows no `data:` but in images
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "frame", test: frame },
            { name: "lists", test: lists },
            { name: "cards", test: cards }
          ]
        }
      }
    }
  },
  server: { proxy: { "^/(v1|dev)/": { target: service, changeOrigin: false } } }
})
