import type { Access, EnvironmentKind } from "./Merchant.ts"
import { defaultSettings, type Settings } from "./Settings.ts"

/** Whom a request speaks for: one environment of one merchant, with its settings as they are now. */
export interface Caller {
  readonly environment: string
  readonly kind: EnvironmentKind
  readonly merchantId: string
  /** The credential that was used. */
  readonly credentialId: string
  readonly settings: Settings
}

export const fromAccess = ({ credential, environment, merchant }: Access): Caller => ({
  environment: environment.id,
  kind: environment.kind,
  merchantId: merchant.id,
  credentialId: credential.id,
  settings: { ...defaultSettings, ...environment.settings }
})
