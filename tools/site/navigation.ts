import { readFileSync } from "node:fs"
import { join } from "node:path"
import { contents, type SitePage, sitePages, targetOf, titleOf } from "./pages.ts"

export interface Entry {
  readonly text: string
  readonly link: string
}

export interface Section {
  readonly text: string
  readonly items: ReadonlyArray<Entry>
  readonly collapsed: boolean
}

/** The first link of each item of a list, under the heading before it. */
const listed = (root: string, pages: ReadonlyArray<SitePage>): ReadonlyArray<Section> => {
  const sections: Array<{ text: string; items: Array<Entry>; collapsed: boolean }> = []
  for (const line of readFileSync(join(root, contents), "utf8").split("\n")) {
    const heading = /^## (.*)$/.exec(line)?.[1]
    if (heading !== undefined) sections.push({ text: heading, items: [], collapsed: sections.length > 5 })
    const [, text = "", href = ""] = /^- \[([^\]]+)\]\(([^)\s]+)\)/.exec(line) ?? []
    if (href === "" || /^[a-z]+:/i.test(href)) continue
    const target = targetOf(root, pages, contents, href)
    if (target.is === "page") sections.at(-1)?.items.push({ text, link: target.path })
  }
  return sections
}

const folder = (root: string, pages: ReadonlyArray<SitePage>, text: string, under: string): Section => ({
  text,
  collapsed: true,
  items: pages
    .filter(({ file }) => file.startsWith(under) && file !== `${under}README.md`)
    .map(({ file }) => {
      const target = targetOf(root, pages, file, "")
      return { text: titleOf(root, file), link: target.is === "page" ? target.path : "" }
    })
    .sort((a, b) => a.text.localeCompare(b.text, "en", { numeric: true }))
})

/** The side of every page: what the table of contents lists, in its order, and three folders as they are. */
export const navigation = (root: string): ReadonlyArray<Section> => {
  const pages = sitePages(root)
  return [
    ...listed(root, pages),
    folder(root, pages, "Examples", "examples/"),
    folder(root, pages, "Packages", "packages/"),
    folder(root, pages, "Decisions", "docs/decisions/")
  ].filter(({ items }) => items.length > 0)
}
