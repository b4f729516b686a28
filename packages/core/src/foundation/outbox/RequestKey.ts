import { Context, Effect } from "effect"
import * as Identifier from "../identity/Identifier.ts"
import type { Instant } from "../time/Instant.ts"
import type { AuditEntry } from "./AuditEntry.ts"

/** The random characters of an id, after its time. */
const tailLength = 16
/** The characters of the mark that an aggregate keeps of a request. */
const markLength = 16

/**
 * The idempotency key of the current request, and values derived from it. Null without a key.
 *
 * A process can die after a commit and before the response is stored; the repeat then runs again. To change nothing
 * twice, a request derives its ids, secrets and audit entry ids from here, so they are the same in every try.
 *
 * Each value is an HMAC under the master secret over environment, endpoint, key, body and the time of the first try. So
 * a caller cannot guess an id, produce another tenant's id, or find out whether a key was used elsewhere. A key that is
 * used again after its response was deleted derives new values.
 *
 * `Idempotency.once` provides it. Jobs run in their own fibers and do not have it.
 */
export interface RequestKey {
  /** When the first try started. Ids contain this time in every try, so lists sorted by id stay in order. */
  readonly firstAt: Instant
  /** Whether an earlier try may have changed something. */
  readonly isRepeat: boolean
  /** Derives 32 bytes for a purpose, the same in every try. */
  readonly derive: (purpose: string) => Uint8Array
}

export const RequestKey = Context.Reference<RequestKey | null>("@countersign/core/outbox/RequestKey", {
  defaultValue: () => null
})

const textOf = ({ derive }: RequestKey, purpose: string, count: number): string => {
  let text = ""
  for (let part = 0; text.length < count; part++) text += Identifier.textOf(derive(`${purpose}\n${part}`))
  return text.slice(0, count)
}

/** The id of the only object of this kind that the request creates. */
export const idOf = (request: RequestKey, prefix: Identifier.Prefix): string =>
  `${prefix}_${Identifier.timeText(request.firstAt)}${textOf(request, `id ${prefix}`, tailLength)}`

/** The id of the only object of this kind that the request creates: derived from its key, or random without one. */
export const idWith = (request: RequestKey | null, prefix: Identifier.Prefix, now: Instant): string =>
  request === null ? Identifier.make(prefix, now) : idOf(request, prefix)

/** The same for the current request. */
export const idFor = (prefix: Identifier.Prefix, now: Instant): Effect.Effect<string> =>
  Effect.map(RequestKey, (request) => idWith(request, prefix, now))

/** Characters for a secret or an id without a time: derived from the request's key, or random without one. */
export const textFor = (purpose: string, count: number): Effect.Effect<string> =>
  Effect.map(RequestKey, (request) =>
    request === null ? Identifier.randomText(count) : textOf(request, purpose, count)
  )

/** 32 bytes for a secret: derived from the request's key, or random without one. */
export const bytesFor = (purpose: string): Effect.Effect<Uint8Array> =>
  Effect.map(RequestKey, (request) =>
    request === null ? crypto.getRandomValues(new Uint8Array(32)) : request.derive(purpose)
  )

/**
 * The mark that an aggregate keeps of the request that changed it, to recognise a repeat; null for a request without a
 * key.
 */
export const mark: Effect.Effect<string | null> = Effect.map(RequestKey, (request) =>
  request === null ? null : textOf(request, "mark", markLength)
)

/** Whether an earlier try of this request may have changed something. */
export const isRepeat: Effect.Effect<boolean> = Effect.map(RequestKey, (request) => request?.isRepeat === true)

/**
 * Whether an object created at this time may come from an earlier try of this request. For objects without a derived id
 * or audit entry, which are found by a value in the request, such as a phone number.
 */
export const isRepeatOf = (createdAt: Instant): Effect.Effect<boolean> =>
  Effect.map(RequestKey, (request) => request?.isRepeat === true && createdAt >= request.firstAt)

/**
 * Creates something once per idempotency key. A repeat first looks with `find` for the result of an earlier try, and
 * creates it only when there is none. A first try does not look.
 *
 * @example
 * ```ts
 * const create = RequestKey.once(store.get(environment, id), commit(webhook))
 * ```
 */
export const once = <A, E, R, E2, R2>(
  find: Effect.Effect<A | null, E, R>,
  make: Effect.Effect<A, E2, R2>
): Effect.Effect<A, E | E2, R | R2> =>
  Effect.flatMap(
    isRepeat,
    (repeats): Effect.Effect<A, E | E2, R | R2> =>
      repeats ? Effect.flatMap(find, (found) => (found === null ? make : Effect.succeed(found))) : make
  )

/** Gives the first audit entry of a change the id derived from the request's key. */
export const marked = (entries: ReadonlyArray<AuditEntry>): Effect.Effect<ReadonlyArray<AuditEntry>> =>
  Effect.map(RequestKey, (request) =>
    request === null ? entries : entries.map((entry, at) => (at === 0 ? { ...entry, id: idOf(request, "aud") } : entry))
  )
