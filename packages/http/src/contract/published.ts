import { HttpApi, type HttpApiGroup } from "effect/http-api"
import { credentials, introduction } from "./introduction.ts"
import { clientSecretHeader, needsOf } from "./Security.ts"

type Spec = { [key: string]: unknown }
const isSpec = (value: unknown): value is Spec => typeof value === "object" && value !== null

/** The server key is two headers, both required; `HttpApiSecurity` describes one. */
const addClientSecret = (spec: Spec): Spec => {
  const components = spec["components"] as { securitySchemes: Spec }
  components.securitySchemes["clientSecret"] = { type: "apiKey", name: clientSecretHeader, in: "header" }
  for (const path of Object.values(spec["paths"] as Spec).filter(isSpec)) {
    for (const operation of Object.values(path).filter(isSpec)) {
      for (const requirement of (operation["security"] as ReadonlyArray<Spec> | undefined) ?? []) {
        if ("clientId" in requirement) requirement["clientSecret"] = []
      }
    }
  }
  return spec
}

type Schemas = { readonly [name: string]: unknown }

/** Everything that a schema is made of. */
const inside = (schema: unknown, schemas: Schemas, seen = new Set<unknown>()): ReadonlySet<unknown> => {
  if (!isSpec(schema) || seen.has(schema)) return seen
  seen.add(schema)
  const reference = schema["$ref"]
  if (typeof reference === "string") inside(schemas[reference.slice(reference.lastIndexOf("/") + 1)], schemas, seen)
  for (const value of Object.values(schema)) inside(value, schemas, seen)
  return seen
}

/** Unknown fields of a request are ignored; an answer has none. */
const takeUnknownFields = (spec: Spec): void => {
  const { schemas } = spec["components"] as { schemas: Schemas }
  for (const path of Object.values(spec["paths"] as Spec).filter(isSpec)) {
    for (const operation of Object.values(path).filter(isSpec)) {
      for (const schema of inside(operation["requestBody"], schemas)) {
        if (isSpec(schema) && schema["additionalProperties"] === false) delete schema["additionalProperties"]
      }
    }
  }
}

/** A parameter is text, and means a number or a word: what it means is what is said of it. */
const describeParameters = (spec: Spec): void => {
  for (const path of Object.values(spec["paths"] as Spec).filter(isSpec)) {
    for (const operation of Object.values(path).filter(isSpec)) {
      for (const parameter of operation["parameters"] as ReadonlyArray<Spec>) {
        const { allOf = [], ...text } = parameter["schema"] as Spec & { readonly allOf?: ReadonlyArray<Spec> }
        parameter["schema"] = Object.assign(text, ...allOf)
      }
    }
  }
}

interface SettingsPath {
  readonly get: { readonly responses: { readonly 200: { readonly content: { readonly "application/json": Spec } } } }
  readonly patch: { readonly requestBody: { readonly content: { readonly "application/json": Spec } } }
}

/** A change of settings is any of them. It alone takes no unknown field. */
const describeSettings = (spec: Spec): void => {
  const { get, patch } = (spec["paths"] as Spec)["/v1/dashboard/settings"] as unknown as SettingsPath
  const { properties, required: _, ...any } = get.responses[200].content["application/json"]["schema"] as Spec
  const { warnings: __, ...settings } = properties as Spec
  patch.requestBody.content["application/json"]["schema"] = { ...any, properties: settings }
}

const environment = {
  name: "X-Environment",
  in: "header",
  required: false,
  description: "Needed of somebody who is signed in: the environment that is meant. A key belongs to one already",
  schema: { type: "string", enum: ["live", "test"] }
}

/** Whoever is signed in works in both environments, and says in which. */
const addEnvironment = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  spec: Spec,
  api: HttpApi.HttpApi<Id, Groups>
): void => {
  const paths = spec["paths"] as { readonly [path: string]: { readonly [method: string]: Spec } }
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { method, path }, middleware }) => {
      const isOfEnvironment = needsOf(middleware).some(
        (needs) => needs.credential === "staff" && needs.of === "environment"
      )
      const operation = paths[path.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()]
      if (isOfEnvironment && operation !== undefined)
        operation["parameters"] = [...(operation["parameters"] as ReadonlyArray<Spec>), environment]
    }
  })
}

/** An introduction, and what each credential is for. */
const introduce = (spec: Spec): Spec => {
  const { securitySchemes } = spec["components"] as { securitySchemes: { readonly [name: string]: Spec } }
  for (const [name, description] of Object.entries(credentials))
    Object.assign(securitySchemes[name] ?? {}, { description })
  Object.assign(spec["info"] as Spec, { description: introduction })
  return spec
}

/**
 * What `/openapi.json` says beyond what a contract can: two headers of one credential, the environment that goes with
 * another, which unknown fields are taken, what parameters mean, and what to read first.
 */
export const published =
  <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) =>
  (spec: Spec): Spec => {
    takeUnknownFields(spec)
    describeParameters(spec)
    describeSettings(spec)
    addEnvironment(spec, api)
    return introduce(addClientSecret(spec))
  }
