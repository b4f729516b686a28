import * as Identifier from "../identity/Identifier.ts"
import type { Instant } from "../time/Instant.ts"

/** Who did something: somebody who is signed in, a server key, the operator, or the service itself. */
export interface Actor {
  readonly kind: "AGENT" | "KEY" | "OPERATOR" | "SYSTEM"
  /** An agent's number or a key's id; null where there is only one of them. */
  readonly id: string | null
  /** What people know them by: an e-mail address, a key's name. */
  readonly label: string | null
}

/** Whether an actor holds storage and secret, as the operator does and a process that has the service inside. */
export const runsService = ({ kind }: Pick<Actor, "kind">): boolean => kind === "OPERATOR" || kind === "SYSTEM"

/** What an actor's deeds are found by: its id, or its kind where there is only one of them. */
export const nameOf = ({ id, kind }: Actor): string => id ?? kind

/** Who does something, and from where. */
export interface By {
  readonly actor: Actor
  /** The address of the request; null where there was none. */
  readonly address: string | null
}

/** Who does something, for whom, and from where. Whoever calls is one of these. */
export interface Doer extends By {
  readonly merchantId: string
  /** Null for what belongs to the merchant and no environment of it. */
  readonly environment: string | null
}

/** What was done to. `setting`, `key`, `agent`, `webhook`, `verification`, … */
export interface AuditTarget {
  readonly kind: string
  readonly id: string
}

/** By the name of a field. Never a secret, a code, or more of somebody's identity than its mask. */
export type AuditFields = { readonly [field: string]: unknown }

/** One deed, as it is kept for a year: committed together with what it did, and never changed. */
export interface AuditEntry extends Doer {
  readonly id: string
  readonly at: Instant
  /** A word for the kind of thing, and one for what was done: `settings.changed`. */
  readonly action: string
  readonly target: AuditTarget
  /** What was before, and what is from then on: null where there was, or is, nothing. */
  readonly from: AuditFields | null
  readonly to: AuditFields | null
}

export interface Deed {
  readonly action: string
  readonly target: AuditTarget
  readonly from?: AuditFields | null
  readonly to?: AuditFields | null
}

/** The entry for what somebody does now. */
export const auditEntry = (
  { actor, address, environment, merchantId }: Doer,
  { action, from = null, target, to = null }: Deed,
  now: Instant
): AuditEntry => ({
  id: Identifier.make("aud", now),
  merchantId,
  environment,
  at: now,
  actor,
  address,
  action,
  target,
  from,
  to
})

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const isFields = (value: unknown): value is AuditFields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Of two states of one thing only what differs, inside of fields that have fields of their own as well. */
export const differing = (
  from: AuditFields,
  to: AuditFields
): { readonly from: AuditFields; readonly to: AuditFields } => {
  const differ: Array<readonly [name: string, from: unknown, to: unknown]> = []
  for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const [before, after] = [from[name] ?? null, to[name] ?? null]
    if (isFields(before) && isFields(after)) {
      const inside = differing(before, after)
      if (Object.keys(inside.to).length > 0) differ.push([name, inside.from, inside.to])
    } else if (!same(before, after)) differ.push([name, before, after])
  }
  return {
    from: Object.fromEntries(differ.map(([name, before]) => [name, before])),
    to: Object.fromEntries(differ.map(([name, , after]) => [name, after]))
  }
}

/** The entry for a change between two states, of which it keeps what differs: none where nothing does. */
export const auditChange = (
  doer: Doer,
  deed: Deed & { readonly from: AuditFields; readonly to: AuditFields },
  now: Instant
): ReadonlyArray<AuditEntry> => {
  const changed = differing(deed.from, deed.to)
  return Object.keys(changed.to).length === 0 ? [] : [auditEntry(doer, { ...deed, ...changed }, now)]
}

/** The service itself, where nobody asked for it: the configuration at a start, a rule that ran out. */
export const system: Actor = { kind: "SYSTEM", id: null, label: null }
/** Whoever runs the service: by its command, or with the admin token. */
export const operator: Actor = { kind: "OPERATOR", id: null, label: null }

/** What the service does by itself. */
export const byItself: By = { actor: system, address: null }
