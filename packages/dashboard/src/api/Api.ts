import type { Api as Contract } from "@countersign/http/contract"
import type { HttpApi, HttpApiGroup, HttpApiSchema } from "effect/http-api"

/** Types of the HTTP contract only. Importing its code would put the schemas into the page. */
type Groups = typeof Contract extends HttpApi.HttpApi<string, infer G> ? G : never
type EndpointsOf<G> = G extends HttpApiGroup.HttpApiGroup<string, infer E, boolean> ? E : never
type Endpoint = EndpointsOf<Groups>

type Part<Name extends string, S> = [S] extends [never]
  ? unknown
  : S extends { readonly Type: infer T }
    ? Partial<T> extends T
      ? { readonly [N in Name]?: T }
      : { readonly [N in Name]: T }
    : unknown

/** Endpoints that answer JSON. Files and streams have their own headers and are used as links. */
type Json<T> = T extends HttpApiSchema.withHeaders<unknown, infer _> ? never : T

/** Input and answer by endpoint, such as `"GET /v1/dashboard/events"`. */
export type Api = {
  readonly [E in Endpoint as `${E["method"]} ${E["path"]}`]: {
    readonly input: Part<"params", E["~Params"]> & Part<"query", E["~Query"]> & Part<"body", E["~Payload"]>
    /** A type as JSON. The contract test checks that they match. */
    readonly answer: Json<E["~Success"]["Type"]>
  }
}

export type Name = keyof Api
export type Get = Extract<Name, `GET ${string}`>
export type Write = Exclude<Name, Get>
export type Input<N extends Name> = Api[N]["input"]
export type Answer<N extends Name> = Api[N]["answer"]
/** One item of a list endpoint's answer. */
export type Item<N extends Name> = Answer<N> extends { readonly items: ReadonlyArray<infer I> } ? I : never
