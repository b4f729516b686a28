import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { defineConfig } from "vitepress"
import type * as CloneCommand from "../../tools/site/cloneCommand.ts"
import type * as Markdown from "../../tools/docs/markdown.ts"
import type * as Navigation from "../../tools/site/navigation.ts"
import type * as Pages from "../../tools/site/pages.ts"
import type * as Relink from "../../tools/site/relink.ts"
import type * as Address from "../../tools/release/repository.ts"
import type * as Repository from "../../tools/site/repository.ts"

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..")

// Node reads these as they are: bundled with this file they would bring the workspace's compiler options along.
const tool = (file: string) => import(pathToFileURL(join(root, "tools", file)).href)
const { slug }: typeof Markdown = await tool("docs/markdown.ts")
const { navigation }: typeof Navigation = await tool("site/navigation.ts")
const { otherPages, sitePages }: typeof Pages = await tool("site/pages.ts")
const { relink }: typeof Relink = await tool("site/relink.ts")
const { cloneCommand }: typeof CloneCommand = await tool("site/cloneCommand.ts")
const { repository }: typeof Address = await tool("release/repository.ts")
const { addressOf }: typeof Repository = await tool("site/repository.ts")

const pages = sitePages(root)
/** The icon of the dashboard, in the page: so it needs no file of its own. */
const icon = `data:image/svg+xml,${encodeURIComponent(
  readFileSync(join(root, "packages", "dashboard", "public", "icon.svg"), "utf8").trim()
)}`
const nothing = join(root, "site", ".vitepress", "nothing.js")

export default defineConfig({
  lang: "en",
  title: "Countersign",
  description: "An open-source verification service: codes and links over SMS, WhatsApp, RCS and e-mail.",
  head: [["link", { rel: "icon", href: icon }]],
  base: process.env["SITE_BASE"] ?? "/",
  srcDir: "..",
  outDir: "dist",
  cacheDir: "node_modules/.cache",
  srcExclude: [...otherPages(root)],
  rewrites: Object.fromEntries(pages.map(({ file, page }) => [file, page])),
  // Pages speak of the server that the reader has just started.
  ignoreDeadLinks: "localhostLinks",
  vite: {
    // The hosted search is not installed; the theme names it all the same.
    resolve: { alias: { "@docsearch/css": nothing, "@docsearch/js": nothing } },
    plugins: [
      {
        // Pages outside this folder become components, which are made with what is installed here.
        name: "vue-for-every-page",
        enforce: "pre",
        resolveId(id, _importer, options) {
          return /^vue(\/|$)/.test(id) ? this.resolve(id, nothing, { ...options, skipSelf: true }) : null
        }
      }
    ]
  },
  markdown: {
    anchor: { slugify: slug },
    config: (md) => {
      md.use(cloneCommand(repository()))
      md.use(relink({ root, pages, address: addressOf(root) }))
    }
  },
  themeConfig: {
    nav: [
      { text: "Run", link: "/quickstart" },
      { text: "Embed", link: "/embedding" },
      { text: "Dashboard", link: "/dashboard" },
      { text: "Security", link: "/security" },
      { text: "Reference", link: "/http-api" },
      { text: "All pages", link: "/contents" }
    ],
    sidebar: navigation(root).map(({ collapsed, items, text }) => ({ text, collapsed, items: [...items] })),
    outline: [2, 3],
    search: { provider: "local" }
  }
})
