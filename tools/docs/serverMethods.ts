import { takesServerKey } from "../../packages/http/src/contract/Security.ts"
import { openApi } from "../../packages/http/src/openApi.ts"
import { contract, type Route } from "../../packages/http/src/Routes.ts"

/** A schema of the OpenAPI document: as much of JSON Schema as ours has. */
interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<Schema>
  readonly allOf?: ReadonlyArray<Schema>
  readonly items?: Schema
  readonly properties?: { readonly [name: string]: Schema }
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | Schema
  readonly description?: string
  readonly format?: string
}

type Content = { readonly [mediaType: string]: { readonly schema: Schema } }

interface Operation {
  readonly summary?: string
  readonly description?: string
  readonly parameters: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: Schema
  }>
  readonly requestBody?: { readonly content: Content; readonly required: boolean }
  readonly responses: { readonly [status: string]: { readonly content?: Content } }
}

interface Spec {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components: { readonly schemas: { readonly [name: string]: Schema } }
}

const json = "application/json"
const mostChecked = 8
/** How many fields an object without a name may have in a signature. */
const longestInline = 8

/** Writes schemas as TypeScript. Each that has a name is written once, where it is first asked for. */
class Types {
  readonly #schemas: Spec["components"]["schemas"]
  readonly #answers = new Set<string>()
  readonly #named = new Set<string>()
  readonly written: Array<string> = []

  constructor({ components }: Spec) {
    this.#schemas = components.schemas
  }

  resolve(schema: Schema): Schema {
    return schema.$ref === undefined ? schema : this.#schemas[this.#nameOf(schema.$ref)]!
  }

  #nameOf(ref: string): string {
    return ref.slice(ref.lastIndexOf("/") + 1)
  }

  /** A word of a closed list stays open in an answer: a service that is newer than the SDK may say another. */
  readAnswer(schema: Schema): void {
    if (schema.$ref !== undefined) {
      const name = this.#nameOf(schema.$ref)
      if (this.#answers.has(name)) return
      this.#answers.add(name)
      return this.readAnswer(this.#schemas[name]!)
    }
    for (const inner of [
      ...(schema.anyOf ?? []),
      ...Object.values(schema.properties ?? {}),
      ...(schema.items === undefined ? [] : [schema.items]),
      ...(typeof schema.additionalProperties === "object" ? [schema.additionalProperties] : [])
    ])
      this.readAnswer(inner)
  }

  of(schema: Schema, isAnswer: boolean, indent: string): string {
    if (schema.$ref !== undefined) return this.#define(this.#nameOf(schema.$ref))
    if (schema.anyOf !== undefined) {
      const each = [...new Set(schema.anyOf.map((one) => this.of(one, isAnswer, indent)))]
      return each.join(" | ")
    }
    if (schema.type === undefined && schema.allOf !== undefined)
      return this.of(Object.assign({}, ...schema.allOf) as Schema, isAnswer, indent)
    const { additionalProperties, allOf = [], items, properties, type } = schema
    const words = schema.enum ?? allOf.find((one) => one.enum !== undefined)?.enum
    if (words !== undefined) {
      const union = words.map((word) => JSON.stringify(word)).join(" | ")
      return isAnswer && type === "string" ? `Word<${union}>` : union
    }
    switch (type) {
      case "integer":
      case "number":
        return "number"
      case "string":
      case "boolean":
      case "null":
        return type
      case "array":
        return `ReadonlyArray<${this.of(items ?? {}, isAnswer, indent)}>`
      case "object":
        if (properties !== undefined) return `{\n${this.fields(schema, isAnswer, `${indent}  `)}\n${indent}}`
        return typeof additionalProperties === "object"
          ? `{ readonly [name: string]: ${this.of(additionalProperties, isAnswer, indent)} }`
          : "{ readonly [name: string]: unknown }"
      // What the contract calls a JSON object, and says no more of.
      default:
        return "{ readonly [name: string]: unknown }"
    }
  }

  /** An object that has no name of its own, and is too long to stand in a signature. */
  named(schema: Schema, isAnswer: boolean, indent: string, name: string): string {
    if (schema.$ref !== undefined || Object.keys(schema.properties ?? {}).length <= longestInline)
      return this.of(schema, isAnswer, indent)
    this.written.push(`export interface ${name} {\n${this.fields(schema, isAnswer, "  ")}\n}`)
    return name
  }

  fields({ properties = {}, required = [] }: Schema, isAnswer: boolean, indent: string): string {
    return Object.entries(properties)
      .map(([name, schema]) => {
        const optional = !required.includes(name)
        const type = this.of(schema, isAnswer, indent)
        return `${this.#comment(schema, indent)}${indent}readonly ${name}${optional ? "?" : ""}: ${type}${optional ? " | undefined" : ""}`
      })
      .join("\n")
  }

  /** What is said of a field, or of what it is besides null. */
  #comment(schema: Schema, indent: string): string {
    const [inner] = (schema.anyOf ?? []).filter(({ type }) => type !== "null")
    const time = (schema.format ?? inner?.format) === "date-time" ? "ISO 8601" : ""
    const text = [schema.description ?? inner?.description ?? "", time].filter((part) => part !== "").join("; ")
    return text === "" ? "" : comment(text, indent)
  }

  #define(name: string): string {
    if (this.#named.has(name)) return name
    this.#named.add(name)
    const schema = this.#schemas[name]!
    const isAnswer = this.#answers.has(name)
    // `NewKey` is a `Key` that is answered with another status.
    const same = [...this.#named].find(
      (other) => other !== name && JSON.stringify(this.#schemas[other]) === JSON.stringify(schema)
    )
    if (same !== undefined) {
      this.written.push(`export type ${name} = ${same}`)
      return name
    }
    const about = schema.description === undefined ? "" : comment(schema.description, "")
    const text =
      schema.properties === undefined
        ? `export type ${name} = ${this.of(schema, isAnswer, "")}`
        : `export interface ${name} {\n${this.fields(schema, isAnswer, "  ")}\n}`
    this.written.push(`${about}${text}`)
    return name
  }
}

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

const comment = (text: string, indent: string) =>
  `${indent}/** ${text.trim().replaceAll("*/", "* /").replace(/[.]?$/, ".")} */\n`

/** What an answer must at least be, for the SDK to hand it out: see `isAnswer` there. */
const checkOf = (types: Types, answers: ReadonlyArray<Schema>): string =>
  answers
    .flatMap((answer) => {
      const schema = types.resolve(answer)
      return schema.anyOf ?? [schema]
    })
    .map((answer) => {
      const schema = types.resolve(answer)
      if (schema.type === "null") return "null"
      if (schema.type === "array") return "[]"
      const letters: Readonly<Record<string, string>> = {
        string: "s",
        boolean: "b",
        number: "n",
        integer: "n",
        array: "a"
      }
      // The first of many are enough: a service that is older than the SDK may have fewer.
      return (schema.required ?? [])
        .slice(0, mostChecked)
        .flatMap((name) => {
          const field = types.resolve(schema.properties![name]!)
          const literal = field.type === "boolean" ? field.enum?.[0] : undefined
          const letter = literal === undefined ? letters[field.type ?? ""] : literal === true ? "t" : "f"
          return letter === undefined ? [] : [`${name}:${letter}`]
        })
        .join(" ")
    })
    .join(" | ")

interface Written {
  readonly signature: string
  readonly endpoint: string
}

const write = (
  types: Types,
  { defaults, group, method, name, paramNames, path, topLevel }: Route,
  spec: Spec
): Written => {
  const operation = spec.paths[path.replaceAll(/:(\w+)/g, "{$1}")]![method.toLowerCase()]!
  const indent = topLevel ? "  " : "    "
  const typeName = `${capital(group)}${capital(name)}`
  const parameter = (wanted: string) => operation.parameters.find((each) => each.name === wanted)!
  const ids = paramNames.map((each) => `${each}: ${types.of(parameter(each).schema, false, "")}`)
  const query = operation.parameters.filter((each) => each.in === "query")
  const body = operation.requestBody?.content[json]?.schema
  const fields = query.map(
    (each) =>
      `readonly ${each.name}${each.required ? "" : "?"}: ${types.of(each.schema, false, indent)}${each.required ? "" : " | undefined"}`
  )
  const names = Object.keys(defaults ?? {})
  const withDefaults = (type: string) =>
    names.length === 0
      ? type
      : `Omit<${type}, ${names.map((each) => `"${each}"`).join(" | ")}> & ` +
        `{ ${names.map((each) => `readonly ${each}?: ${type}["${each}"] | undefined`).join("; ")} }`
  const rehearses = body !== undefined && query.some((each) => each.name === "dryRun")
  const inputType = [
    ...(body === undefined ? [] : [withDefaults(types.named(body, false, indent, `${typeName}Input`))]),
    ...(fields.length === 0 || rehearses ? [] : [`{ ${fields.join("; ")} }`])
  ].join(" & ")
  const isRequired = (types.resolve(body ?? {}).required ?? []).length > 0 || query.some((each) => each.required)
  const input = inputType === "" ? [] : [`input${isRequired ? "" : "?"}: ${inputType}`]
  const options = method === "POST" ? "ServerPostOptions" : "ServerCallOptions"
  const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"))
  const contents = successes.flatMap(([, { content }]) => (content === undefined ? [] : [content]))
  const answers = contents.flatMap((content) => (content[json] === undefined ? [] : [content[json].schema]))
  const hasFile = contents.some((content) => Object.keys(content).some((each) => each !== json))
  const answerTypes = answers.map((answer) => types.named(answer, true, indent, `${typeName}Answer`))
  const answerType = answers.length === 0 ? (hasFile ? "Response" : "void") : answerTypes.join(" | ")
  const call = (more: ReadonlyArray<string>, answer: string) => `(${[...ids, ...more].join(", ")}): Promise<${answer}>`
  const overloads = rehearses
    ? [
        call([`input: ${inputType} & { readonly dryRun: true }`, `options?: ${options}`], answerTypes[0]!),
        call([`input: ${inputType}`, `options?: ${options}`], answerTypes[1]!)
      ]
    : hasFile && answers.length > 0
      ? [
          call([...input, `options?: ${options}`], answerType),
          call([...input.map((each) => each.replace("input?:", "input:")), "options: ServerFileOptions"], "Response")
        ]
      : []
  const about = [operation.summary, operation.description]
    .flatMap((part) => (part === undefined || part === "" ? [] : [part.replace(/[.]?$/, ".")]))
    .join(" ")
  const shape =
    overloads.length > 0
      ? `{\n${overloads.map((each) => `${indent}  ${each}`).join("\n")}\n${indent}}`
      : `(${[...ids, ...input, `options?: ${options}`].join(", ")}) => Promise<${answerType}>`
  const check = answers.length > 0 ? checkOf(types, answers) : hasFile ? "file" : "nothing"
  const details = [
    `at: "${method} ${path}"`,
    `answer: "${check}"`,
    ...(input.length === 0 && !rehearses ? [] : [`input: ${body === undefined ? '"query"' : '"body"'}`]),
    ...(body !== undefined && query.length > 0 ? [`query: ${JSON.stringify(query.map((each) => each.name))}`] : []),
    ...(defaults === null ? [] : [`defaults: ${JSON.stringify(defaults)}`])
  ]
  return {
    signature: `${about === "" ? "" : comment(about, indent)}${indent}readonly ${name}: ${shape}`,
    endpoint: `${indent}${name}: { ${details.join(", ")} }`
  }
}

/** The methods of the SDK's server client: their types, and what each of them sends. */
export const serverMethods = (): string => {
  const spec = openApi() as Spec
  const types = new Types(spec)
  const open = contract.filter(({ needs }) => takesServerKey(needs))
  for (const { method, path } of open) {
    const { responses } = spec.paths[path.replaceAll(/:(\w+)/g, "{$1}")]![method.toLowerCase()]!
    for (const [status, { content = {} }] of Object.entries(responses))
      if (status.startsWith("2")) for (const { schema } of Object.values(content)) types.readAnswer(schema)
  }
  const groups = [...new Set(open.map(({ group }) => group))]
  const written = groups.map((group) => {
    const routes = open.filter((route) => route.group === group)
    return { group, topLevel: routes[0]!.topLevel, each: routes.map((route) => write(types, route, spec)) }
  })
  const inGroups = (lines: (each: Written) => string, open: (group: string) => string, separator: string) =>
    written
      .map(({ each, group, topLevel }) => {
        const text = each.map(lines).join(`${separator}\n`)
        return topLevel ? text : `${open(group)}{\n${text}\n  }`
      })
      .join(`${separator}\n`)
  return [
    ...types.written,
    `/** Every endpoint that a server key may call. */\nexport interface ServerMethods {\n${inGroups(
      ({ signature }) => signature,
      (group) => `  readonly ${group}: `,
      ""
    )}\n}`,
    `/** What each method sends, and what its answer has to be. */\nexport const endpoints: Endpoints = {\n${inGroups(
      ({ endpoint }) => endpoint,
      (group) => `  ${group}: `,
      ","
    )}\n}`
  ].join("\n\n")
}

const signatureOf = ({ group, name, paramNames, payload, query, topLevel }: Route): string => {
  const args = [...paramNames, ...(payload === undefined && query === undefined ? [] : ["{ … }"])]
  return `${topLevel ? name : `${group}.${name}`}(${args.join(", ")})`
}

/** Every method with its endpoint, as a table in Markdown. */
export const methodTable = (): string =>
  [
    "| method | endpoint |",
    "| --- | --- |",
    ...contract
      .filter(({ needs }) => takesServerKey(needs))
      .map((route) => `| \`${signatureOf(route)}\` | \`${route.method} ${route.path.replaceAll(/:(\w+)/g, "{$1}")}\` |`)
  ].join("\n")
