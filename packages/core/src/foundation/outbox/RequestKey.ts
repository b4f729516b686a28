import { Context, Effect } from "effect"
import * as Identifier from "../identity/Identifier.ts"
import type { Instant } from "../time/Instant.ts"
import type { AuditEntry } from "./AuditEntry.ts"

/** Characters in an id, after its time. */
const tailLength = 16
/** Characters in the mark that an aggregate keeps of a request. */
const markLength = 16

/**
 * The idempotency key of the request that this fiber carries out, and what follows from it. Null without a key.
 *
 * A process can die after a change is committed and before its answer is kept. The repeat then runs again. So that it
 * changes nothing twice, whatever a request makes takes its id, its secret and the id of its audit entry from here:
 * they are the same in every try. They are HMACs under the master secret of environment, endpoint, key, body and the
 * time of the first try, so no caller can guess an id, make one of another tenant, or learn whether a key was used
 * elsewhere, and a key that is used again after its answer is forgotten makes something new.
 *
 * `Idempotency.once` provides it. Jobs run in fibers of their own and never see it.
 */
export interface RequestKey {
  /** When the first try began. Ids carry this time in every try, so lists that sort by id stay in order. */
  readonly firstAt: Instant
  /** An earlier try may have changed something. */
  readonly isRepeat: boolean
  /** 32 bytes for one purpose, the same in every try. */
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

/** The id of the one thing of this kind that the request makes. */
export const idOf = (request: RequestKey, prefix: Identifier.Prefix): string =>
  `${prefix}_${Identifier.timeText(request.firstAt)}${textOf(request, `id ${prefix}`, tailLength)}`

/** The id of the one thing of this kind that the request makes: derived from its key, or random without one. */
export const idWith = (request: RequestKey | null, prefix: Identifier.Prefix, now: Instant): string =>
  request === null ? Identifier.make(prefix, now) : idOf(request, prefix)

/** The same for the request that is being served. */
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

/** What an aggregate keeps of the request that changed it, to know a repeat by; null for a request without a key. */
export const mark: Effect.Effect<string | null> = Effect.map(RequestKey, (request) =>
  request === null ? null : textOf(request, "mark", markLength)
)

/** Whether an earlier try of this request may have changed something. */
export const isRepeat: Effect.Effect<boolean> = Effect.map(RequestKey, (request) => request?.isRepeat === true)

/**
 * Whether something that was made at this time may be the work of an earlier try of this request: for what has neither
 * an id of ours nor an audit entry, and is found by what the request names, such as a phone number.
 */
export const isRepeatOf = (createdAt: Instant): Effect.Effect<boolean> =>
  Effect.map(RequestKey, (request) => request?.isRepeat === true && createdAt >= request.firstAt)

/**
 * Makes something once for the request's key: a repeat answers what `find` still has of an earlier try, and makes it
 * only if that try did not come so far. A first try does not look.
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

/** The entries of a change, the first of them under the id that follows from the request's key. */
export const marked = (entries: ReadonlyArray<AuditEntry>): Effect.Effect<ReadonlyArray<AuditEntry>> =>
  Effect.map(RequestKey, (request) =>
    request === null ? entries : entries.map((entry, at) => (at === 0 ? { ...entry, id: idOf(request, "aud") } : entry))
  )
