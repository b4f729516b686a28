import { ask, field, json, type Reply } from "@countersign/provider-http"
import { Clock, Effect, Redacted, Semaphore } from "effect"
import { assertionType, clientAssertion } from "./clientAssertion.ts"
import type { Operator } from "./Operator.ts"
import { type Reason, refusal, unanswered, unreadable } from "./reasons.ts"

/** An access token as the operator issued it. */
export interface AccessToken {
  readonly value: Redacted.Redacted
  /** Null when the operator does not say how long the token lives. */
  readonly livesSeconds: number | null
  /** The ID token of an authorization code, if the operator issued one. */
  readonly idToken: Redacted.Redacted | null
}

/** The fields of a token request without the client's authentication: `grant_type` and what belongs to it. */
export interface Grant {
  readonly grant_type: string
  readonly [field: string]: string
}

/** Tokens older than this are not used, whatever the operator says. */
const longestSeconds = 3600
/** A token is renewed this long before it ends, so that it does not end on its way. */
const marginSeconds = 30
/** For operators that do not say how long a token lives. */
const unsaidSeconds = 60

const tokenIn = (reply: Reply): AccessToken | Reason => {
  if (reply._tag !== "Answered") return unanswered(reply)
  if (reply.status !== 200) return refusal(reply)
  const body = json(reply)
  const [token, lives, type] = [field(body, "access_token"), field(body, "expires_in"), field(body, "token_type")]
  if (typeof token !== "string" || !/^[\x21-\x7e]{1,16384}$/.test(token)) return unreadable
  if (type !== undefined && (typeof type !== "string" || type.toLowerCase() !== "bearer")) return unreadable
  const idToken = field(body, "id_token")
  return {
    value: Redacted.make(token),
    livesSeconds: typeof lives === "number" && lives > 0 ? lives : null,
    idToken: typeof idToken === "string" ? Redacted.make(idToken) : null
  }
}

/** Sends one token request, authenticated with a new client assertion. */
export const requestToken = Effect.fnUntraced(function* (
  operator: Operator,
  grant: Grant
): Effect.fn.Return<AccessToken, Reason> {
  const body = new URLSearchParams({
    ...grant,
    client_id: operator.clientId,
    client_assertion_type: assertionType,
    client_assertion: yield* clientAssertion(operator)
  }).toString()
  const token = tokenIn(
    yield* ask({
      url: operator.tokenUrl,
      headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
      body
    })
  )
  return "value" in token ? token : yield* Effect.fail(token)
})

interface Kept {
  readonly value: Redacted.Redacted
  readonly until: number
}

/** The two-legged tokens of one operator: for the application alone, without a person's consent. */
export interface Tokens {
  /** A token for a scope. `isNew` is false when it was issued for an earlier request. */
  readonly get: (scope: string) => Effect.Effect<{ readonly value: Redacted.Redacted; readonly isNew: boolean }, Reason>
  /** Forgets a token that an API refused. */
  readonly drop: (scope: string, value: Redacted.Redacted) => Effect.Effect<void>
}

/**
 * Requests tokens with client credentials and keeps each until shortly before it ends. Requests that need the same token
 * wait for one token request.
 */
export const make = (operator: Operator): Tokens => {
  const kept = new Map<string, Kept>()
  const turns = new Map<string, Semaphore.Semaphore>()
  const turnOf = (scope: string) => {
    const turn = turns.get(scope) ?? Semaphore.makeUnsafe(1)
    turns.set(scope, turn)
    return turn
  }
  const find = (scope: string, now: number) => {
    const token = kept.get(scope)
    return token !== undefined && now < token.until ? token.value : undefined
  }
  const renewed = Effect.fnUntraced(function* (scope: string) {
    const before = yield* Clock.currentTimeMillis
    // Another request may have renewed it while this one waited for its turn.
    const found = find(scope, before)
    if (found !== undefined) return { value: found, isNew: false }
    const { livesSeconds, value } = yield* requestToken(operator, {
      grant_type: "client_credentials",
      scope: operator.purpose === undefined ? scope : `${operator.purpose} ${scope}`
    })
    const lives = Math.min(livesSeconds ?? unsaidSeconds, longestSeconds) - marginSeconds
    if (lives > 0) kept.set(scope, { value, until: before + lives * 1000 })
    return { value, isNew: true }
  })
  return {
    get: Effect.fnUntraced(function* (scope) {
      const found = find(scope, yield* Clock.currentTimeMillis)
      return found === undefined ? yield* turnOf(scope).withPermits(1)(renewed(scope)) : { value: found, isNew: false }
    }),
    drop: (scope, value) =>
      Effect.sync(() => {
        if (kept.get(scope)?.value === value) kept.delete(scope)
      })
  }
}
