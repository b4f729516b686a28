import { dashboardOrder, decides, knownToParts, sharedByScreens } from "./rules.ts"
import type { Import } from "./scan.ts"

interface Problem {
  readonly message: string
  readonly instead: string
}

const root = "packages/dashboard/src/"

/** The path inside the page's sources, for those that are there. */
const inside = (file: string) => (file.startsWith(root) ? file.slice(root.length) : undefined)

const folderOf = (path: string) => (path.includes("/") ? (path.split("/")[0] as string) : "")

/** The screen that a file belongs to. */
const screenOf = (path: string) => /^screens\/([^/]+)\//.exec(path)?.[1]

const againstOrder = (from: string, to: string): Problem | undefined => {
  const [here, there] = [folderOf(from), folderOf(to)]
  if (here === "" || here === there) return undefined
  if (there === "")
    return {
      message: `${here} may not import ${to}: it gathers the others`,
      instead: "import from the folder that has it"
    }
  const [at, later] = [dashboardOrder.indexOf(here), dashboardOrder.indexOf(there)]
  if (at === -1 || later === -1 || later < at) return undefined
  return {
    message: `${here} may not import ${there}: in the dashboard, ${there} comes after ${here}`,
    instead: `hand it over as a property or a parameter, or move the code that needs both to ${there} (order: ${dashboardOrder.join(", ")})`
  }
}

const betweenScreens = (from: string, to: string): Problem | undefined => {
  const [here, there] = [screenOf(from), screenOf(to)]
  if (here === undefined || there === undefined || here === there || sharedByScreens.includes(there)) return undefined
  return {
    message: `the screen ${here} may not import the screen ${there}: each is a chunk of its own`,
    instead: "move what both need to parts, or to the folder above that it belongs to"
  }
}

const unknownToParts = (from: string, to: string, isType: boolean): Problem | undefined => {
  if (folderOf(from) !== "parts" || folderOf(to) === "parts" || isType) return undefined
  if (knownToParts.some((known) => known.test(to))) return undefined
  return {
    message: `parts may not import ${to}: a part draws what it is given, and knows no interface`,
    instead: "take what it needs as properties, or name a type with `import type`"
  }
}

/** What an import inside the page breaks of its rules. `target` is the file that it names, if it is one of ours. */
export const insideDashboard = (file: string, { isType, specifier }: Import, target?: string): Problem | undefined => {
  const from = inside(file)
  if (from === undefined) return undefined
  if (specifier.endsWith(".css"))
    return {
      message: `${from} may not import a style sheet`,
      instead: "import it in src/style/index.css, which is the whole order of all styles"
    }
  if (decides.test(from) && /^@?preact(\/|$)/.test(specifier))
    return {
      message: `${from} may not import "${specifier}": it decides, and is tested by Node`,
      instead: "keep what draws or remembers in the .tsx file beside it, or in a hook (useX.ts)"
    }
  const to = target === undefined ? undefined : inside(target)
  if (to === undefined) return undefined
  return againstOrder(from, to) ?? betweenScreens(from, to) ?? unknownToParts(from, to, isType)
}

/** Folders that have no place in the order. */
export const unplaced = (file: string): Problem | undefined => {
  const folder = folderOf(inside(file) ?? "")
  if (folder === "" || dashboardOrder.includes(folder)) return undefined
  return {
    message: `${root}${folder} has no place in the order of the dashboard's folders`,
    instead: `use one of ${dashboardOrder.join(", ")}, or give it a place in dashboardOrder in tools/imports/rules.ts`
  }
}
