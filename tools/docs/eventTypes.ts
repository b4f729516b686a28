import { annotation, type Ast, descriptionOf, notNull, unreadable } from "./schemaTree.ts"

/** A word of a closed list stays open in the SDK: a service that is newer than it may say another. */
const typeOf = (ast: Ast, indent: string): string => {
  const other = notNull(ast)
  if (other !== null) return `${typeOf(other, indent)} | null`
  switch (ast._tag) {
    case "String":
      return "string"
    case "Number":
      return "number"
    case "Boolean":
      return "boolean"
    case "Literal":
      return `Word<${JSON.stringify(ast.literal)}>`
    case "Union":
      if (ast.types?.every(({ _tag }) => _tag === "Literal") !== true) throw unreadable(ast)
      return `Word<${ast.types.map(({ literal }) => JSON.stringify(literal)).join(" | ")}>`
    case "Arrays": {
      const [item, ...more] = ast.rest ?? []
      if (item === undefined || more.length > 0) throw unreadable(ast)
      return `ReadonlyArray<${typeOf(item, indent)}>`
    }
    case "Objects":
      return `{\n${fieldsOf(ast, `${indent}  `)}\n${indent}}`
    default:
      throw unreadable(ast)
  }
}

const isTime = (ast: Ast): boolean => annotation(notNull(ast) ?? ast, "format") === "date-time"

const comment = (ast: Ast, indent: string): string => {
  const text = [descriptionOf(ast), isTime(ast) ? "ISO 8601" : ""].filter((part) => part !== "").join("; ")
  return text === "" ? "" : `${indent}/** ${text.replace(/[.]?$/, ".")} */\n`
}

const fieldsOf = (ast: Ast, indent: string): string =>
  (ast.propertySignatures ?? [])
    .map(({ name, type }) => `${comment(type, indent)}${indent}readonly ${String(name)}: ${typeOf(type, indent)}`)
    .join("\n")

/** The fields of an interface that tells of each type of event what its `data` is. */
export const eventTypes = (events: { readonly [type: string]: { readonly ast: Ast } }): string =>
  Object.entries(events)
    .map(([type, { ast }]) => `${comment(ast, "  ")}  readonly "${type}": ${typeOf(ast, "  ")}`)
    .join("\n")
