import { existsSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { filesUnder } from "../workspace.ts"
import type { Section } from "./navigation.ts"
import { contents, type SitePage } from "./pages.ts"

const pathOf = ({ page }: SitePage) => `/${page.replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, "")}`

/** Pages of `docs` that the navigation has not exactly once, and what it names that does not exist. */
export const navigationFaults = (
  pages: ReadonlyArray<SitePage>,
  sections: ReadonlyArray<Section>
): ReadonlyArray<string> => {
  const links = sections.flatMap(({ items }) => items.map(({ link }) => link))
  return pages
    .filter(({ file }) => file.startsWith("docs/") && file !== contents)
    .flatMap((page) => {
      const times = links.filter((link) => link === pathOf(page)).length
      if (times === 1) return []
      return [`${page.file} is in the navigation ${times} times: ${contents} lists each page of docs once`]
    })
}

const decoded = (text: string) => text.replaceAll("&amp;", "&").replaceAll("&#39;", "'").replaceAll("&quot;", '"')

/** The tags of a page that make a browser fetch something, and the address of each. */
const fetched = (html: string) =>
  [...html.matchAll(/<(?:script|link|img|source|iframe|video|audio)\b[^>]*?\s(?:src|href|srcset)="([^"]*)"/g)].map(
    ([, address = ""]) => decoded(address)
  )

/** What the built pages ask others for, and links, anchors and files of theirs that are not there. */
export const builtFaults = (out: string, base: string, pages: ReadonlyArray<SitePage>): ReadonlyArray<string> => {
  const files = filesUnder(out).map((path) => path.slice(out.length + 1).replaceAll("\\", "/"))
  const html = new Map(
    files.filter((file) => file.endsWith(".html")).map((file) => [file, readFileSync(join(out, file), "utf8")])
  )
  const ids = new Map(
    [...html].map(([file, text]) => [
      file,
      new Set([...text.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => decoded(id ?? "")))
    ])
  )
  const faults = pages
    .filter(({ page }) => !html.has(page.replace(/\.md$/, ".html")))
    .map(({ file }) => `${file} was not built`)
  const led = (from: string, address: string): string | null => {
    const [path = "", anchor] = address.split("#")
    if (!path.startsWith(base) && path !== "") return `"${address}" leaves the site's path`
    const to = path === "" ? from : path.slice(base.length)
    const file = to === "" || to.endsWith("/") ? `${to}index.html` : to
    if (!existsSync(join(out, decodeURIComponent(file)))) return `"${address}" is not there`
    if (anchor === undefined || anchor === "" || ids.get(file)?.has(decodeURIComponent(anchor)) !== false) return null
    return `"${address}": no such heading`
  }
  for (const [file, text] of html) {
    if (file === "404.html") continue
    for (const address of fetched(text))
      if (/^([a-z][a-z0-9+.-]*:)?\/\//i.test(address)) faults.push(`${file} fetches ${address}`)
    for (const [, href = ""] of text.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)) {
      if (/^[a-z][a-z0-9+.-]*:/i.test(href)) continue
      const fault = led(file, decoded(href))
      if (fault !== null) faults.push(`${file}: ${fault}`)
    }
  }
  for (const file of files.filter((one) => one.endsWith(".css")))
    for (const [, address = ""] of readFileSync(join(out, file), "utf8").matchAll(/url\(["']?([^"')]+)/g))
      if (/^([a-z]+:)?\/\//i.test(address)) faults.push(`${posix.basename(file)} fetches ${address}`)
  return [...new Set(faults)]
}
