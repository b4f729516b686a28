import { Redacted } from "effect"
import * as Identifier from "../identity/Identifier.ts"
import * as SecretHash from "../secret/SecretHash.ts"
import type { Instant } from "../time/Instant.ts"
import { type Credential, type CredentialKind, type EnvironmentKind, type KeyScope, keyScopes } from "./Merchant.ts"

/** A server key and a public key of one environment. The secret is shown once, when it is made. */
export interface KeySet {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  readonly publicKey: string
}

export const randomSecret = (kind: EnvironmentKind): Redacted.Redacted =>
  Redacted.make(`sk_${kind}_${Identifier.randomText(40)}`)

const prefixes: { readonly [K in CredentialKind]: string } = { SERVER: "cs", PUBLIC: "pk" }

/** A fresh client id or public key. */
export const randomId = (type: CredentialKind, kind: EnvironmentKind): string =>
  `${prefixes[type]}_${kind}_${Identifier.randomText(24)}`

export const randomKeys = (kind: EnvironmentKind): KeySet => ({
  clientId: randomId("SERVER", kind),
  clientSecret: randomSecret(kind),
  publicKey: randomId("PUBLIC", kind)
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
