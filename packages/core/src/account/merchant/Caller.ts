import { type Actor, runsService, system } from "../../foundation/outbox/AuditEntry.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { type Access, type EnvironmentKind, type KeyScope, keyScopes } from "./Merchant.ts"
import type { Role } from "./Role.ts"
import { withDefaults, type Settings } from "./Settings.ts"

/** A signed-in person who works for the merchant. */
export interface SignedIn {
  readonly agentId: number
  readonly email: string
  readonly role: Role
  readonly sessionId: string
  /** The agent's era at the sign-in. It moves whenever earlier sign-ins must end. */
  readonly era: number
  /** Whether they proved to this service that the address is theirs, and did not only use a link. */
  readonly emailProven: boolean
  /** Their role requires a passkey and they signed in without one: until they use one, they may only read. */
  readonly needsPasskey: boolean
  /** Until this instant they may do what requires a fresh sign-in. */
  readonly freshUntil: Instant
}

/** The actor: the signed-in person, or else a key, the operator, or the merchant's own process. */
export interface Acting {
  readonly actor: Actor
  readonly person: SignedIn | null
}

/**
 * The role that an actor acts with: a person has their own, the operator and the merchant's own process act as OWNER. A
 * key acts as ADMIN, so that a stolen key can neither create an owner nor do what only an owner may.
 */
export const actingRole = ({ actor, person }: Acting): Role =>
  person !== null ? person.role : runsService(actor) ? "OWNER" : "ADMIN"

/** The subject of a request: an environment of a merchant, with its current settings. */
export interface Caller extends Acting {
  readonly environment: string
  readonly kind: EnvironmentKind
  readonly merchantId: string
  /** The credential that was used; null in the merchant's own process, which needs none. */
  readonly credentialId: string | null
  /** The audience (`aud`) of its idTokens: the client id, or in process the name of the process. */
  readonly audience: string
  /** The scopes of the credential. In process it has all scopes; a public key has none. */
  readonly scopes: ReadonlyArray<KeyScope>
  readonly settings: Settings
  /** The signed-in person; null when a key or the merchant's own process calls: `actingRole` distinguishes those. */
  readonly person: SignedIn | null
  /** The actor that history entries name. */
  readonly actor: Actor
  /** The origin of the request for history entries; null when it is unknown or not recorded. */
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

/** The merchant's own process. It holds storage and secret, so it needs no credential. */
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
