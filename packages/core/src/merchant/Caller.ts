import { type Access, type EnvironmentKind, type KeyScope, keyScopes } from "./Merchant.ts"
import { defaultSettings, type Settings } from "./Settings.ts"

/** Whom a request speaks for: one environment of one merchant, with its settings as they are now. */
export interface Caller {
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
}

export const fromAccess = ({ credential, environment, merchant }: Access): Caller => ({
  environment: environment.id,
  kind: environment.kind,
  merchantId: merchant.id,
  credentialId: credential.id,
  audience: credential.id,
  scopes: credential.scopes,
  settings: { ...defaultSettings, ...environment.settings }
})

/** The merchant's own process, which holds storage and secret, and so needs no credential. */
export const inProcess = ({ environment, merchant }: Omit<Access, "credential">, audience: string): Caller => ({
  environment: environment.id,
  kind: environment.kind,
  merchantId: merchant.id,
  credentialId: null,
  audience,
  scopes: keyScopes,
  settings: { ...defaultSettings, ...environment.settings }
})
