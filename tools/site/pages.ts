import { existsSync, readFileSync, readdirSync, statSync } from "node:fs"
import { join, posix } from "node:path"
import { filesUnder } from "../workspace.ts"

/** The page that lists all others: on GitHub a table of contents, on the site what its navigation is made of. */
export const contents = "docs/README.md"

export interface SitePage {
  /** In the repository: `docs/channels/twilio.md`. */
  readonly file: string
  /** On the site, without a leading slash: `channels/twilio.md`. */
  readonly page: string
}

/** Readmes that are no folder's, and what they are called on the site. */
const named: Readonly<Record<string, string>> = {
  "site/index.md": "index.md",
  "README.md": "overview.md",
  "CONTRIBUTING.md": "contributing.md",
  "SECURITY.md": "reporting.md",
  [contents]: "contents.md"
}

const onSite = (file: string) => named[file] ?? file.replace(/^docs\//, "").replace(/(^|\/)README\.md$/, "$1index.md")

/** All pages of the site: everything in docs, the readmes of packages and examples, and what stands in the root. */
export const sitePages = (root: string): ReadonlyArray<SitePage> => {
  const readmes = ["packages", "examples"].flatMap((parent) =>
    readdirSync(join(root, parent)).map((folder) => `${parent}/${folder}/README.md`)
  )
  const docs = filesUnder(join(root, "docs"))
    .map((path) => posix.join("docs", path.slice(join(root, "docs").length + 1).replaceAll("\\", "/")))
    .filter((file) => file.endsWith(".md"))
  return [...Object.keys(named).filter((file) => file !== contents), ...docs, ...readmes]
    .filter((file) => existsSync(join(root, file)))
    .map((file) => ({ file, page: onSite(file) }))
}

/** Markdown in the repository that is no page: changesets, templates. */
export const otherPages = (root: string): ReadonlyArray<string> => {
  const pages = new Set(sitePages(root).map(({ file }) => file))
  return filesUnder(root)
    .map((path) => path.slice(root.length + 1).replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".md") && !pages.has(file))
}

/** Where a relative link of a page leads: to a page of the site, to a file that only the repository has, or nowhere. */
export type Target =
  | { readonly is: "page"; readonly path: string }
  | { readonly is: "file"; readonly file: string }
  | { readonly is: "missing"; readonly file: string }

export const targetOf = (root: string, pages: ReadonlyArray<SitePage>, from: string, href: string): Target => {
  const [path = "", anchor] = decodeURIComponent(href).split("#")
  const to = path === "" ? from : posix.join(posix.dirname(from), path).replace(/\/$/, "")
  const page = pages.find(({ file }) => file === to || file === `${to}/README.md`)
  if (page !== undefined) {
    const address = page.page.replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, "")
    return { is: "page", path: `/${address}${anchor === undefined ? "" : `#${anchor}`}` }
  }
  if (!existsSync(join(root, to))) return { is: "missing", file: to }
  return { is: "file", file: `${to}${statSync(join(root, to)).isDirectory() ? "/" : ""}` }
}

export const titleOf = (root: string, file: string) =>
  /^# (.*)$/m.exec(readFileSync(join(root, file), "utf8"))?.[1] ?? file
