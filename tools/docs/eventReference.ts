import { EventData } from "../../packages/core/src/foundation/event/EventData.ts"
import { annotation, type Ast, descriptionOf, notNull, unreadable } from "./schemaTree.ts"

interface Field {
  readonly name: string
  readonly type: string
  readonly description: string
}

const typeOf = (ast: Ast): string => {
  const other = notNull(ast)
  if (other !== null) return `${typeOf(other)} or null`
  switch (ast._tag) {
    case "String":
      return annotation(ast, "format") === "date-time" ? "time" : "string"
    case "Number":
      return "number"
    case "Boolean":
      return "boolean"
    case "Literal":
      return `\`${String(ast.literal)}\``
    case "Union":
      return (ast.types ?? []).map(typeOf).join(", ")
    case "Arrays":
      return "list"
    default:
      throw unreadable(ast)
  }
}

const fieldsOf = (ast: Ast, path = ""): ReadonlyArray<Field> =>
  (ast.propertySignatures ?? []).flatMap(({ name, type }) => {
    const field = { name: `${path}${String(name)}`, type: typeOf(type), description: descriptionOf(type) }
    const item = type._tag === "Arrays" ? type.rest?.[0] : undefined
    return item === undefined ? [field] : [field, ...fieldsOf(item, `${field.name}[].`)]
  })

/** A value that the schema takes: its own example, or the first that there is. */
const exampleOf = (ast: Ast): unknown => {
  const examples = annotation(ast, "examples")
  if (Array.isArray(examples)) return examples[0]
  switch (ast._tag) {
    case "Objects":
      return Object.fromEntries((ast.propertySignatures ?? []).map(({ name, type }) => [name, exampleOf(type)]))
    case "Arrays":
      return (ast.rest ?? []).map(exampleOf)
    case "Union": {
      const other = notNull(ast)
      // Null is the example of what is usually absent.
      if (other !== null) return annotation(other, "examples") === undefined ? null : exampleOf(other)
      return ast.types?.[0] === undefined ? null : exampleOf(ast.types[0])
    }
    case "Literal":
      return ast.literal
    case "Boolean":
      return true
    case "String":
      return "…"
    case "Number":
      return 1
    default:
      throw unreadable(ast)
  }
}

const cell = (text: string) => text.replaceAll("|", "\\|")

const section = (type: string, ast: Ast): string => {
  const event = {
    id: "evt_01kgbq1vr0c4m8x2t6w0z5n9ek",
    type,
    createdAt: "2026-01-31T09:30:00.000Z",
    environment: "live",
    data: exampleOf(ast)
  }
  return [
    `### ${type}`,
    "",
    descriptionOf(ast),
    "",
    "| `data` | type | |",
    "| --- | --- | --- |",
    ...fieldsOf(ast).map((field) => `| \`${field.name}\` | ${cell(field.type)} | ${cell(field.description)} |`),
    "",
    "```json",
    JSON.stringify(event, null, 2),
    "```"
  ].join("\n")
}

/** Every type of event with its fields and an example, as Markdown. */
export const eventReference = (): string =>
  Object.entries(EventData)
    .map(([type, schema]) => section(type, schema.ast))
    .join("\n\n")
