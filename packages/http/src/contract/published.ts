import { HttpApi, type HttpApiGroup } from "effect/http-api"
import { credentials, introduction } from "./introduction.ts"
import { clientSecretHeader, needsOf } from "./Security.ts"

type Spec = { [key: string]: unknown }
const isSpec = (value: unknown): value is Spec => typeof value === "object" && value !== null

/** Adds the second header of the server key: `HttpApiSecurity` describes only one. */
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

/** All schemas that a schema refers to. */
const inside = (schema: unknown, schemas: Schemas, seen = new Set<unknown>()): ReadonlySet<unknown> => {
  if (!isSpec(schema) || seen.has(schema)) return seen
  seen.add(schema)
  const reference = schema["$ref"]
  if (typeof reference === "string") inside(schemas[reference.slice(reference.lastIndexOf("/") + 1)], schemas, seen)
  for (const value of Object.values(schema)) inside(value, schemas, seen)
  return seen
}

/** Requests may contain unknown fields, which are ignored. Answers never do. */
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

/** Publishes the real type of a parameter, such as a number, instead of text. */
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

/** A change of settings may contain any of them, and is the only request that refuses unknown fields. */
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
  description: "The environment. Required with a dashboard session; a key already belongs to one environment",
  schema: { type: "string", enum: ["live", "test"] }
}

/** A signed-in agent works in both environments, so each request must name one. */
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

/** Adds the introduction and the descriptions of credentials. */
const introduce = (spec: Spec): Spec => {
  const { securitySchemes } = spec["components"] as { securitySchemes: { readonly [name: string]: Spec } }
  for (const [name, description] of Object.entries(credentials))
    Object.assign(securitySchemes[name] ?? {}, { description })
  Object.assign(spec["info"] as Spec, { description: introduction })
  return spec
}

/**
 * Adds to `/openapi.json` what the contract's types cannot express: the second header of server keys, `X-Environment`,
 * unknown fields, parameter types, and the introduction.
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
