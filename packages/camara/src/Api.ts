import { ask, type Answered } from "@countersign/provider-http"
import { Effect, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import type { Operator } from "./Operator.ts"
import { type Reason, unanswered } from "./reasons.ts"
import type { Tokens } from "./Tokens.ts"

/** One call of an API of the operator. */
export interface Call {
  /** From the operator's root on: `/sim-swap/v2/check`. */
  readonly path: string
  readonly body: { readonly [field: string]: string | number }
}

/** Sends one call with an access token. */
export const call = Effect.fnUntraced(function* (
  { apiUrl }: Operator,
  { body, path }: Call,
  token: Redacted.Redacted
): Effect.fn.Return<Answered, Reason> {
  const reply = yield* ask({
    url: `${apiUrl}${path}`,
    headers: {
      accept: "application/json",
      authorization: `Bearer ${Redacted.value(token)}`,
      "content-type": "application/json",
      // For a request to the operator's support. It tells nothing about the person.
      "x-correlator": randomUUID()
    },
    body: JSON.stringify(body)
  })
  return reply._tag === "Answered" ? reply : yield* Effect.fail(unanswered(reply))
})

/**
 * Sends one call with a two-legged token. The operator may have ended a token that it issued for an earlier call, so a
 * call that it refuses with 401 is repeated once with a new token.
 */
export const callWithScope = Effect.fnUntraced(function* (
  operator: Operator,
  tokens: Tokens,
  scope: string,
  request: Call
): Effect.fn.Return<Answered, Reason> {
  const token = yield* tokens.get(scope)
  const answer = yield* call(operator, request, token.value)
  if (answer.status !== 401) return answer
  yield* tokens.drop(scope, token.value)
  return token.isNew ? answer : yield* call(operator, request, (yield* tokens.get(scope)).value)
})
