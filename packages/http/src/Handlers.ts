import type { Caller } from "@countersign/core"
import type { Effect } from "effect"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import type { Failure } from "./wire.ts"

type Decoded<Part> = [Part] extends [{ readonly Type: infer T }] ? T : undefined

/** What a handler is given: the decoded request, and whom it speaks for. */
export interface Input<Endpoint> {
  readonly payload: Decoded<HttpApiEndpoint.Payload<Endpoint>>
  readonly query: Decoded<HttpApiEndpoint.Query<Endpoint>>
  readonly params: Decoded<HttpApiEndpoint.Params<Endpoint>>
  /** Present where the endpoint asks for the server key. */
  readonly caller: Caller
  readonly idempotencyKey: string | null
  /** The address the request came from, past the proxies that are trusted, in its one canonical spelling. */
  readonly clientAddress: string | null
}

/** One handler for each endpoint of a group, by name. An endpoint without one does not compile. */
export type Handlers<Group> = {
  readonly [E in HttpApiGroup.Endpoints<Group> as HttpApiEndpoint.Identifier<E>]: (
    input: Input<E>
  ) => Effect.Effect<Decoded<HttpApiEndpoint.Success<E>>, Failure>
}
