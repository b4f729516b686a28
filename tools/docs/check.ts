import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join, posix, relative, sep } from "node:path"
import { compile, filesUnder, members, readManifest } from "../workspace.ts"
import { anchors, codeBlocks, links } from "./markdown.ts"

export interface Fault {
  readonly file: string
  readonly line: number
  readonly message: string
}

export interface Page {
  /** Relative to the root, with `/`. */
  readonly file: string
  readonly text: string
}

export const readPages = (root: string): ReadonlyArray<Page> =>
  filesUnder(root)
    .filter((path) => path.endsWith(".md"))
    .map((path) => ({ file: relative(root, path).split(sep).join("/"), text: readFileSync(path, "utf8") }))
    .sort((a, b) => (a.file < b.file ? -1 : 1))

/** Relative links whose file, or whose heading in a page, does not exist. */
export const brokenLinks = (root: string, pages: ReadonlyArray<Page>): ReadonlyArray<Fault> => {
  const anchorsOf = new Map(pages.map(({ file, text }) => [file, anchors(text)]))
  return pages.flatMap(({ file, text }) =>
    links(text).flatMap(({ line, target }): ReadonlyArray<Fault> => {
      if (/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(target)) return []
      const fault = (message: string) => [{ file, line, message }]
      if (target.startsWith("/")) return fault(`"${target}" is not relative to this page`)
      const [path = "", anchor] = decodeURIComponent(target).split("#")
      const to = path === "" ? file : posix.join(posix.dirname(file), path)
      if (!existsSync(join(root, to))) return fault(`"${target}" does not exist`)
      const known = anchorsOf.get(to)
      return anchor === undefined || known === undefined || known.has(anchor) || /^L\d+/.test(anchor)
        ? []
        : fault(`"${target}": no such heading in ${to}`)
    })
  )
}

const checked = (file: string) =>
  file === "README.md" || file.startsWith("docs/") || /^(packages|examples)\/[^/]+\/README\.md$/.test(file)

/** The pages' TypeScript, each block as a file whose line numbers are the page's own. */
export const snippets = (pages: ReadonlyArray<Page>) =>
  pages
    .filter(({ file }) => checked(file))
    .flatMap(({ file, text }) =>
      codeBlocks(text)
        .filter(({ language, options }) => /^(ts|typescript)$/.test(language) && !options.includes("no-check"))
        .map(({ code, line }) => ({
          file,
          line,
          name: `${file.replaceAll("/", "__")}.${line}.ts`,
          source: `${"\n".repeat(line)}${code}\n`
        }))
    )

/** Lets a snippet import whatever any workspace package may import, and the packages themselves. */
const linkModules = (root: string, folder: string) => {
  const link = (name: string, target: string) => {
    const path = join(folder, "node_modules", name)
    if (existsSync(path) || !existsSync(target)) return
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(target, path, "junction")
  }
  const all = members(root)
  for (const { folder: member, manifest } of all)
    if (manifest.exports !== undefined) link(manifest.name, join(root, member))
  for (const member of [".", ...all.map((each) => each.folder)]) {
    const { dependencies, devDependencies, optionalDependencies, peerDependencies } = readManifest(join(root, member))
    for (const name of Object.keys({
      ...dependencies,
      ...devDependencies,
      ...optionalDependencies,
      ...peerDependencies
    }))
      link(name, join(root, member, "node_modules", name))
  }
}

/** Type-checks the pages' TypeScript in one run of tsc, in a folder that git ignores. */
export const wrongSnippets = (root: string, pages: ReadonlyArray<Page>) => {
  const all = snippets(pages)
  const folder = join(root, ".tsbuild", "docs")
  rmSync(folder, { recursive: true, force: true })
  if (all.length === 0) return { count: 0, faults: [] }
  mkdirSync(folder, { recursive: true })
  linkModules(root, folder)
  for (const { name, source } of all) writeFileSync(join(folder, name), source)
  const references = members(root)
    .map((member) => `${member.folder}/tsconfig.src.json`)
    .filter((path) => existsSync(join(root, path)))
    .map((path) => ({ path: `../../${path}` }))
  const compilerOptions = {
    composite: false,
    declaration: false,
    declarationMap: false,
    noEmit: true,
    rewriteRelativeImportExtensions: false,
    allowImportingTsExtensions: true,
    noUnusedLocals: false,
    noImplicitReturns: false
  }
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      extends: "../../tsconfig.base.json",
      include: ["*.ts"],
      references,
      compilerOptions
    })
  )
  return { count: all.length, faults: faultsOf(folder, new Map(all.map((each) => [each.name, each.file]))) }
}

const faultsOf = (folder: string, pageOf: ReadonlyMap<string, string>): ReadonlyArray<Fault> => {
  const { ok, output } = compile([folder])
  if (ok) return []
  const faults: Array<{ file: string; line: number; message: string }> = []
  const elsewhere: Array<string> = []
  for (const text of output.split("\n")) {
    const [, name = "", line, message = ""] = /^(?:.*[\\/])?([^\\/]+)\((\d+),\d+\): error (.*)$/.exec(text) ?? []
    const page = pageOf.get(name)
    const last = faults.at(-1)
    if (page !== undefined) faults.push({ file: page, line: Number(line), message })
    else if (text.startsWith(" ") && last !== undefined) last.message += `\n  ${text}`
    else if (text.trim() !== "") elsewhere.push(text)
  }
  if (elsewhere.length > 0)
    faults.push({
      file: "packages",
      line: 0,
      message: `do not compile, so the pages cannot be checked against them\n  ${elsewhere[0]}`
    })
  return faults
}
