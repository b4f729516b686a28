import * as Identifier from "../identity/Identifier.ts"
import type { Instant } from "../time/Instant.ts"

/** The actor of an audited action: a signed-in agent, a server key, the operator, or the server itself. */
export interface Actor {
  readonly kind: "AGENT" | "KEY" | "OPERATOR" | "SYSTEM"
  /** An agent's number or a key's id; null for the operator and the server, which exist once. */
  readonly id: string | null
  /** The actor's display name: an e-mail address or a key's name. */
  readonly label: string | null
}

/**
 * Whether the actor has direct access to storage and the master secret: the operator, or a process that embeds the
 * server.
 */
export const runsService = ({ kind }: Pick<Actor, "kind">): boolean => kind === "OPERATOR" || kind === "SYSTEM"

/** The name under which audit entries find an actor: its id, or its kind when it has no id. */
export const nameOf = ({ id, kind }: Actor): string => id ?? kind

/** An actor and the address it acts from. */
export interface By {
  readonly actor: Actor
  /** The client address of the request; null without a request. */
  readonly address: string | null
}

/** An actor, its address, and the merchant it acts for. Every caller is a `Doer`. */
export interface Doer extends By {
  readonly merchantId: string
  /** Null when the target belongs to the merchant and not to one environment. */
  readonly environment: string | null
}

/** The target of an action. Kinds: `setting`, `key`, `agent`, `webhook`, `verification`, … */
export interface AuditTarget {
  readonly kind: string
  readonly id: string
}

/** Values by field name. Never contains a secret, a code, or an unmasked identity. */
export type AuditFields = { readonly [field: string]: unknown }

/** One audited action. Storage commits it together with the change, keeps it for a year and never alters it. */
export interface AuditEntry extends Doer {
  readonly id: string
  readonly at: Instant
  /** The kind of target and the verb: `settings.changed`. */
  readonly action: string
  readonly target: AuditTarget
  /** The values before and after the change; null where the target did not exist before, or does not exist after. */
  readonly from: AuditFields | null
  readonly to: AuditFields | null
}

export interface Deed {
  readonly action: string
  readonly target: AuditTarget
  readonly from?: AuditFields | null
  readonly to?: AuditFields | null
}

/** Creates the audit entry for an action at `now`. */
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

/** Returns the fields that differ between two states, with nested fields reduced to their differences. */
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

/** Creates the audit entry for a change, with only the fields that differ. Empty when the states are equal. */
export const auditChange = (
  doer: Doer,
  deed: Deed & { readonly from: AuditFields; readonly to: AuditFields },
  now: Instant
): ReadonlyArray<AuditEntry> => {
  const changed = differing(deed.from, deed.to)
  return Object.keys(changed.to).length === 0 ? [] : [auditEntry(doer, { ...deed, ...changed }, now)]
}

/** The server itself, acting without a request: the configuration at startup, or an expired rule. */
export const system: Actor = { kind: "SYSTEM", id: null, label: null }
/** The operator, through the command line or the admin token. */
export const operator: Actor = { kind: "OPERATOR", id: null, label: null }

/** An action of the server itself, without a request. */
export const byItself: By = { actor: system, address: null }
