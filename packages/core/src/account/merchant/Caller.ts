import { type Actor, runsService, system } from "../../foundation/outbox/AuditEntry.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { type Access, type EnvironmentKind, type KeyScope, keyScopes } from "./Merchant.ts"
import type { Role } from "./Role.ts"
import { withDefaults, type Settings } from "./Settings.ts"

/** Somebody who works for the merchant and is signed in. */
export interface SignedIn {
  readonly agentId: number
  readonly email: string
  readonly role: Role
  readonly sessionId: string
  /** The agent's at the sign-in: it moves with everything that ends what let them in before. */
  readonly era: number
  /** Whether they have shown, to this service, that the address is theirs, and did not merely come by a link. */
  readonly emailProven: boolean
  /** Passkeys are the rule for their role, and they came without one: until they do, they may read and no more. */
  readonly needsPasskey: boolean
  /** Until then they may do what asks for a fresh sign-in. */
  readonly freshUntil: Instant
}

/** Who acts: the person who is signed in, or else a key, the operator, or the merchant's own process. */
export interface Acting {
  readonly actor: Actor
  readonly person: SignedIn | null
}

/**
 * The role that an actor acts with: a person with their own, the operator and the merchant's own process as OWNER. A key
 * acts as ADMIN, so that a stolen one neither makes itself an owner nor does what only an owner may.
 */
export const actingRole = ({ actor, person }: Acting): Role =>
  person !== null ? person.role : runsService(actor) ? "OWNER" : "ADMIN"

/** Whom a request speaks for: one environment of one merchant, with its settings as they are now. */
export interface Caller extends Acting {
  readonly environment: string
  readonly kind: EnvironmentKind
  readonly merchantId: string
  /** The credential that was used; null in the merchant's own process, which needs none. */
  readonly credentialId: string | null
  /** Whom its idTokens are for, their `aud`: the client id, or in process the name of the process. */
  readonly audience: string
  /** What the credential may call; in process everything, with a public key nothing that asks for a scope. */
  readonly scopes: ReadonlyArray<KeyScope>
  readonly settings: Settings
  /** Who is signed in; null where a key, or the merchant's own process, calls: `actingRole` tells those apart. */
  readonly person: SignedIn | null
  /** Whom a deed is put down to. */
  readonly actor: Actor
  /** Where the request came from, for what is put down; null where nobody knows, or nothing is. */
  readonly address: string | null
}

export const fromAccess = ({ credential, environment, merchant }: Access): Caller => ({
  environment: environment.id,
  kind: environment.kind,
  merchantId: merchant.id,
  credentialId: credential.id,
  audience: credential.id,
  scopes: credential.scopes,
  settings: withDefaults(environment.settings),
  person: null,
  actor: { kind: "KEY", id: credential.id, label: credential.name },
  address: null
})

/** The merchant's own process, which holds storage and secret, and so needs no credential. */
export const inProcess = ({ environment, merchant }: Omit<Access, "credential">, audience: string): Caller => ({
  environment: environment.id,
  kind: environment.kind,
  merchantId: merchant.id,
  credentialId: null,
  audience,
  scopes: keyScopes,
  settings: withDefaults(environment.settings),
  person: null,
  actor: system,
  address: null
})
