import { parseSync } from "vite"

export interface Import {
  readonly specifier: string
  readonly line: number
  /** The whole of it is erased: `import type`, `export type`. A `type` inside braces leaves an import behind. */
  readonly isType: boolean
}

/** A node of the syntax tree. */
interface Node {
  readonly type: string
  readonly start: number
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value

/** Calls `each` with every node, in the order of the text. */
const visit = (node: Node, each: (node: Node) => void): void => {
  each(node)
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, each)
}

/** The string in which a node names a module, if it does. */
const namedBy = (node: Node): unknown => {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
    case "ImportExpression":
    case "TSImportType":
      return node["source"]
    case "TSExternalModuleReference":
      return node["expression"]
    case "CallExpression":
      return (node["callee"] as Node)["name"] === "require" ? (node["arguments"] as ReadonlyArray<Node>)[0] : null
    default:
      return null
  }
}

/** The text of a string, or of a template without places. */
const textOf = ({ quasis, value }: Node): string | undefined => {
  if (typeof value === "string") return value
  const [first, ...others] = (quasis ?? []) as ReadonlyArray<{ readonly value: { readonly cooked: string } }>
  return others.length === 0 ? first?.value.cooked : undefined
}

/** Without these words nothing below the top of a file names a module. */
const mayBeBelow = /\b(import|require)\b[^'"`\n]*\(|\b(module|namespace)\b/

/**
 * Every module a TypeScript file names: `import`, `import type`, `export … from`, `import("…")` as value or as type,
 * and `require("…")`. A file that cannot be parsed fails.
 */
export const scanImports = (source: string, file = "file.tsx"): ReadonlyArray<Import> => {
  const { errors, program } = parseSync(file, source)
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`)
  const found: Array<Import> = []
  const take = (node: Node) => {
    const named = namedBy(node)
    const specifier = isNode(named) ? textOf(named) : undefined
    if (!isNode(named) || specifier === undefined) return
    const isType = node["importKind"] === "type" || node["exportKind"] === "type"
    found.push({ specifier, line: source.slice(0, named.start).split("\n").length, isType })
  }
  const root = program as unknown as Node & { readonly body: ReadonlyArray<Node> }
  if (mayBeBelow.test(source)) visit(root, take)
  else root.body.forEach(take)
  return found
}
