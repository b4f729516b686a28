import { existsSync, readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { join, posix, relative, sep } from "node:path"
import { filesUnder } from "../workspace.ts"
import { insideDashboard, unplaced } from "./dashboard.ts"
import {
  coreMemory,
  coreOrder,
  islands,
  packages,
  portsOfStorage,
  readersOfTables,
  scope,
  tablesOfTop,
  testersOfTop,
  top,
  unscoped
} from "./rules.ts"
import { loopsOf } from "./cycles.ts"
import { type Import, scanImports } from "./scan.ts"

export interface Violation {
  readonly file: string
  readonly line: number
  /** What is forbidden, and why. */
  readonly message: string
  /** Where the code should go instead. */
  readonly instead: string
}

export const format = (violation: Violation) =>
  `${violation.file}:${violation.line}: ${violation.message}\n    Instead: ${violation.instead}.`

/** Where a file stands in the workspace. */
interface Place {
  /** `packages/core`, `examples/embedding`, `bench` or `tools`. */
  readonly home: string
  /** The name of a package under packages/, if it is one. */
  readonly package: string | undefined
  /** The path inside the package: `src/identity/Phone.ts`. */
  readonly path: string
}

interface Problem {
  readonly message: string
  readonly instead: string
}

const place = (file: string): Place => {
  const [first = "", second = "", ...rest] = file.split("/")
  if (first === "packages") return { home: `packages/${second}`, package: second, path: rest.join("/") }
  if (first === "examples") return { home: `examples/${second}`, package: undefined, path: rest.join("/") }
  return { home: first, package: undefined, path: [second, ...rest].join("/") }
}

const matches = (specifier: string, pattern: string) => {
  if (pattern === "node:*") return specifier.startsWith("node:") || isBuiltin(specifier)
  if (pattern.endsWith("*")) return specifier.startsWith(pattern.slice(0, -1))
  return specifier === pattern || specifier.startsWith(`${pattern}/`)
}
const matchesAny = (specifier: string, patterns: ReadonlyArray<string>) =>
  patterns.some((pattern) => matches(specifier, pattern))

/** What a specifier points at: a file of the workspace, or a module from outside or by package name. */
const targetOf = (file: string, specifier: string): string | undefined =>
  specifier.startsWith(".") ? posix.join(posix.dirname(file), specifier) : undefined

/** The package of ours a specifier names: `@countersign/core/x` gives `core` and `x`. */
const ownPackage = (specifier: string) => {
  const scoped = specifier.startsWith(scope)
  if (!scoped && specifier !== unscoped && !specifier.startsWith(`${unscoped}/`)) return undefined
  const [name = "", ...subpath] = specifier.slice(scoped ? scope.length : 0).split("/")
  return { name, subpath: subpath.join("/") }
}

const nameOf = (target: string) => (target === unscoped ? unscoped : `${scope}${target}`)

type Exports = (name: string) => ReadonlyArray<string> | undefined

const exported = (paths: ReadonlyArray<string>, subpath: string) => {
  const wanted = subpath === "" ? "." : `./${subpath}`
  return paths.some((path) => {
    const star = path.indexOf("*")
    if (star === -1) return path === wanted
    return wanted.startsWith(path.slice(0, star)) && wanted.endsWith(path.slice(star + 1))
  })
}

const nobodyImports = (target: string, from: Place): Problem | undefined =>
  target === top &&
  from.package !== top &&
  !(testersOfTop.includes(from.package ?? "") && from.path.startsWith("test/"))
    ? {
        message: `nobody imports ${scope}${top}: it is the program that joins the others`,
        instead: `move what you need out of packages/${top}: a rule to packages/core, HTTP to packages/http, a provider or a database to its adapter`
      }
    : undefined

const mayImport = (target: string, from: Place): Problem | undefined => {
  if (from.package === undefined || !from.path.startsWith("src/") || target === from.package) return undefined
  const rule = packages[from.package]
  if (rule === undefined || rule.ours.includes(target)) return undefined
  return { message: `packages/${from.package} may not import ${nameOf(target)}`, instead: rule.otherwise }
}

const deepImport = (target: string, subpath: string, from: Place, exportsOf: Exports): Problem | undefined => {
  const paths = exportsOf(target)
  if (paths === undefined || exported(paths, subpath)) return undefined
  return {
    message: `"${nameOf(target)}/${subpath}" reaches into packages/${target}, which does not export it`,
    instead: `export it from packages/${target}/src/index.ts if others should have it, or move the code of ${from.home} that needs it into packages/${target}`
  }
}

const outside = (specifier: string, from: Place): Problem | undefined => {
  const rule = from.package === undefined ? undefined : packages[from.package]
  if (rule === undefined || !from.path.startsWith("src/")) return undefined
  const never = rule.never.find(({ modules }) => matchesAny(specifier, modules))
  if (never !== undefined)
    return { message: `packages/${from.package} may not import "${specifier}"`, instead: never.instead }
  if (rule.only !== undefined && !matchesAny(specifier, rule.only.modules)) {
    const allowed = rule.only.modules.length === 0 ? "nothing from outside" : `only ${rule.only.modules.join(", ")}`
    return {
      message: `packages/${from.package} may not import "${specifier}": ${allowed}`,
      instead: rule.only.instead
    }
  }
  return undefined
}

/** A value where types alone may come in. */
const asValue = (specifier: string, isType: boolean, from: Place): Problem | undefined => {
  const rule = from.package === undefined ? undefined : packages[from.package]?.typesOnly
  if (rule === undefined || isType || !from.path.startsWith("src/") || !matchesAny(specifier, rule.modules))
    return undefined
  if (rule.tables.includes(specifier)) return undefined
  return {
    message: `packages/${from.package} may import types alone from "${specifier}": ${rule.why}`,
    instead: rule.instead
  }
}

const acrossPackages = (target: string, from: Place): Problem | undefined => {
  const to = place(target)
  if (to.home === from.home || to.package === undefined) return undefined
  if (target.startsWith(tablesOfTop) && from.home === "tools" && from.path.startsWith(readersOfTables)) return undefined
  return (
    nobodyImports(to.package, from) ??
    mayImport(to.package, from) ??
    (from.path.startsWith("src/")
      ? {
          message: `a relative import reaches into ${to.home}`,
          instead: `import it as "${nameOf(to.package)}", and export it from ${to.home}/src/index.ts if others should have it`
        }
      : undefined)
  )
}

const islandOf = (file: string) => islands.find(({ files }) => files.test(file))

const outOfIsland = (file: string, target: string): Problem | undefined => {
  const island = islandOf(file)
  if (island === undefined || island.files.test(target)) return undefined
  return { message: `${island.name} may not import ${target}: ${island.why}`, instead: island.instead }
}

const overTheWater = (file: string, specifier: string): Problem | undefined => {
  const island = islandOf(file)
  if (island === undefined || matchesAny(specifier, island.only)) return undefined
  return {
    message: `${island.name} may not import "${specifier}": only ${island.only.join(", ")}`,
    instead: island.instead
  }
}

const coreFolder = (file: string) => {
  const prefix = "packages/core/src/"
  const path = file.startsWith(prefix) ? file.slice(prefix.length) : undefined
  if (path === undefined) return undefined
  const folders = path.split("/").slice(0, -1)
  return folders[0] === coreMemory ? coreMemory : folders.slice(0, 2).join("/")
}

const againstCoreOrder = (file: string, target: string): Problem | undefined => {
  const from = coreFolder(file)
  const to = coreFolder(target)
  if (from === undefined || to === undefined || from === "" || from === to) return undefined
  // A storage binds every port, so it comes after all of them and after their list.
  if (to === "" && from === coreMemory && target === portsOfStorage) return undefined
  if (to === "")
    return {
      message: `${from} may not import ${target}: the files beside the folders gather them`,
      instead: `import from the folder that has it`
    }
  const [here, there] = [coreOrder.indexOf(from), coreOrder.indexOf(to)]
  if (here === -1 || there === -1 || there <= here) return undefined
  if (to === coreMemory)
    return {
      message: `${from} may not import ${to}: only packages/core/src/index.ts and tests do`,
      instead: `depend on the port in its own folder, and take the implementation as a layer`
    }
  return {
    message: `${from} may not import ${to}: in core, ${to} comes after ${from}`,
    instead: `move the code that needs both to ${to} or later, or what ${from} needs from ${to} to ${from} or earlier (order: ${coreOrder.join(", ")})`
  }
}

/** Checks one file's imports. `file` is relative to the workspace, with `/`. */
export const checkFile = (file: string, source: string, exportsOf: Exports): ReadonlyArray<Violation> =>
  checkImports(file, scanImports(source, file), exportsOf)

const checkImports = (file: string, imports: ReadonlyArray<Import>, exportsOf: Exports): ReadonlyArray<Violation> => {
  const from = place(file)
  return imports.flatMap((found) => {
    const { isType, line, specifier } = found
    const own = ownPackage(specifier)
    const target = targetOf(file, specifier)
    const problem =
      target !== undefined
        ? (acrossPackages(target, from) ??
          outOfIsland(file, target) ??
          againstCoreOrder(file, target) ??
          insideDashboard(file, found, target))
        : own !== undefined
          ? (nobodyImports(own.name, from) ??
            (own.name === from.package && from.path.startsWith("src/")
              ? { message: `packages/${own.name} imports itself by name`, instead: "use a relative import" }
              : undefined) ??
            mayImport(own.name, from) ??
            deepImport(own.name, own.subpath, from, exportsOf) ??
            asValue(specifier, isType, from))
          : (overTheWater(file, specifier) ??
            outside(specifier, from) ??
            asValue(specifier, isType, from) ??
            insideDashboard(file, found))
    return problem === undefined ? [] : [{ file, line, ...problem }]
  })
}

const exportsIn = (root: string): Exports => {
  const known = new Map<string, ReadonlyArray<string> | undefined>()
  return (name) => {
    if (!known.has(name)) {
      const manifest = join(root, "packages", name, "package.json")
      const paths = existsSync(manifest)
        ? Object.keys((JSON.parse(readFileSync(manifest, "utf8")) as { exports?: object }).exports ?? {})
        : undefined
      known.set(name, paths)
    }
    return known.get(name)
  }
}

/** A package without a rule and a core folder without a place are violations too: the table must stay complete. */
const unknownPlaces = (files: ReadonlyArray<string>): ReadonlyArray<Violation> => {
  const found = new Map<string, Violation>()
  for (const file of files) {
    const { package: name, path } = place(file)
    if (name === undefined || !path.startsWith("src/")) continue
    if (!Object.hasOwn(packages, name))
      found.set(`packages/${name}`, {
        file,
        line: 1,
        message: `packages/${name} has no import rule`,
        instead: "give it a row in tools/imports/rules.ts, or put the code in a package that has one"
      })
    const page = unplaced(file)
    if (page !== undefined) found.set(page.message, { file, line: 1, ...page })
    const folder = coreFolder(file)
    if (folder !== undefined && folder !== "" && !coreOrder.includes(folder))
      found.set(`core/${folder}`, {
        file,
        line: 1,
        message: `packages/core/src/${folder} has no place in the order of core's folders`,
        instead: `use one of ${coreOrder.join(", ")}, or give it a place in coreOrder in tools/imports/rules.ts`
      })
  }
  return [...found.values()]
}

/** Files of packages/x/src that import each other, types too: none of them can be read or moved without the others. */
const cycles = (imports: ReadonlyMap<string, ReadonlyArray<Import>>): ReadonlyArray<Violation> => {
  const graph = new Map(
    [...imports]
      .filter(([file]) => /^packages\/[^/]+\/src\//.test(file))
      .map(([file, found]) => [file, found.flatMap(({ specifier }) => targetOf(file, specifier) ?? [])])
  )
  return loopsOf(graph).map((loop) => {
    const [file, next] = loop as readonly [string, string]
    const { line } = imports.get(file)!.find(({ specifier }) => targetOf(file, specifier) === next)!
    return {
      file,
      line,
      message: `files import each other: ${loop.join(" → ")}`,
      instead: "move what they share, a type too, into the file that needs none of the others"
    }
  })
}

export interface Report {
  readonly files: number
  readonly violations: ReadonlyArray<Violation>
}

/** Checks every TypeScript file under packages, examples, bench and tools. */
export const checkTree = (root: string): Report => {
  const exportsOf = exportsIn(root)
  const files = ["packages", "examples", "bench", "tools"]
    .flatMap((folder) => filesUnder(join(root, folder)))
    .filter((path) => /\.[mc]?tsx?$/.test(path))
    .map((path) => relative(root, path).split(sep).join("/"))
    .sort()
  const imports = new Map(files.map((file) => [file, scanImports(readFileSync(join(root, file), "utf8"), file)]))
  const violations = [...imports].flatMap(([file, found]) => checkImports(file, found, exportsOf))
  return { files: files.length, violations: [...unknownPlaces(files), ...violations, ...cycles(imports)] }
}
