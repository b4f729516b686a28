import { parseSync } from "vite"

/** A node of the syntax tree, as ESTree with TypeScript has it. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as { readonly type?: unknown }).type === "string"

/** The tree, or what is wrong with the text. */
export const parse = (file: string, text: string): Node | string => {
  const { errors, program } = parseSync(file, text)
  const [error] = errors
  return error === undefined ? (program as unknown as Node) : error.message
}

/** Every node with those it is in, the outermost first. */
export const walk = (
  node: Node,
  visit: (node: Node, around: ReadonlyArray<Node>) => void,
  around: ReadonlyArray<Node> = []
): void => {
  visit(node, around)
  const inside = [...around, node]
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, visit, inside)
}

/** Without what changes nothing when it runs: parentheses, `!`, `as`. */
export const bare = (node: unknown): Node | null => {
  if (!isNode(node)) return null
  return /^(TSNonNullExpression|TSAsExpression|TSSatisfiesExpression|ParenthesizedExpression|ChainExpression)$/.test(
    node.type
  )
    ? bare(node["expression"])
    : node
}

export const nameOf = (node: unknown): string | null => {
  const plain = bare(node)
  return plain?.type === "Identifier" ? String(plain["name"]) : null
}

/** `object.name`, or null. */
export const member = (node: unknown): { readonly object: Node; readonly name: string } | null => {
  const plain = bare(node)
  if (plain?.type !== "MemberExpression" || plain["computed"] === true) return null
  const [object, name] = [bare(plain["object"]), nameOf(plain["property"])]
  return object === null || name === null ? null : { object, name }
}

export const call = (node: unknown): { readonly callee: Node; readonly args: ReadonlyArray<Node> } | null => {
  const plain = bare(node)
  const callee = plain?.type === "CallExpression" ? bare(plain["callee"]) : null
  return callee === null ? null : { callee, args: plain?.["arguments"] as ReadonlyArray<Node> }
}

/** The plain properties of an object literal, as name and value. Null where there is anything else in it. */
export const properties = (node: unknown): ReadonlyMap<string, Node> | null => {
  const plain = bare(node)
  if (plain?.type !== "ObjectExpression") return null
  const found = new Map<string, Node>()
  for (const one of plain["properties"] as ReadonlyArray<Node>) {
    const [name, value] = [nameOf(one["key"]), one["value"]]
    if (one.type !== "Property" || one["computed"] === true || name === null || !isNode(value)) return null
    found.set(name, value)
  }
  return found
}

export const textOf = (node: unknown): string | null => {
  const plain = bare(node)
  return plain?.type === "Literal" && typeof plain["value"] === "string" ? plain["value"] : null
}
