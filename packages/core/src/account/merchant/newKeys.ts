import { Effect, Redacted } from "effect"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import * as SecretHash from "../../foundation/secret/SecretHash.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { type Credential, type CredentialKind, type EnvironmentKind, type KeyScope, keyScopes } from "./Merchant.ts"

/** A server key and a public key of an environment. Only this result shows the secret. */
export interface KeySet {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  readonly publicKey: string
}

/** A new secret: a repeat of the request that made it gets the same secret. */
export const freshSecret = (kind: EnvironmentKind): Effect.Effect<Redacted.Redacted> =>
  Effect.map(RequestKey.textFor(`key secret ${kind}`, 40), (text) => Redacted.make(`sk_${kind}_${text}`))

const prefixes: { readonly [K in CredentialKind]: string } = { SERVER: "cs", PUBLIC: "pk" }

/** A new client id or public key: a repeat of the request gets the same one. */
export const freshId = (type: CredentialKind, kind: EnvironmentKind): Effect.Effect<string> =>
  Effect.map(RequestKey.textFor(`key id ${type} ${kind}`, 24), (text) => `${prefixes[type]}_${kind}_${text}`)

export const freshKeys = (kind: EnvironmentKind): Effect.Effect<KeySet> =>
  Effect.all({
    clientId: freshId("SERVER", kind),
    clientSecret: freshSecret(kind),
    publicKey: freshId("PUBLIC", kind)
  })

export const hashOf = (secret: Redacted.Redacted): string => SecretHash.hash(Redacted.value(secret))

interface Made {
  readonly environment: string
  readonly name: string | null
  readonly createdAt: Instant
}

const unused = { replaced: [], lastUsedAt: null, revokedAt: null } as const

export const serverKey = (id: string, secretHash: string, scopes: ReadonlyArray<KeyScope>, made: Made): Credential => ({
  ...made,
  ...unused,
  id,
  kind: "SERVER",
  scopes,
  secretHash
})

export const publicKey = (id: string, made: Made): Credential => ({
  ...made,
  ...unused,
  id,
  kind: "PUBLIC",
  scopes: [],
  secretHash: null
})

/** The two keys of a set, the server key with every scope. */
export const credentialsOf = (environment: string, keys: KeySet, createdAt: Instant): ReadonlyArray<Credential> => {
  const made = { environment, name: null, createdAt }
  return [serverKey(keys.clientId, hashOf(keys.clientSecret), keyScopes, made), publicKey(keys.publicKey, made)]
}
