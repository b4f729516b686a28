import type { Instant } from "../../foundation/time/Instant.ts"

/** A WhatsApp number that a merchant connected. It belongs to exactly one environment in the deployment. */
export interface ConnectedNumber {
  /** The provider's id of the number: `phoneNumberId` on the wire, and `wabaId` where a message asks for it. */
  readonly id: string
  readonly environment: string
  /** The version this state was read at; 0 before the first save. */
  readonly version: number
  /** The provider's account that the number belongs to. */
  readonly accountId: string
  /** The number and the name that people see, as the provider reported them at connection. */
  readonly displayNumber: string | null
  readonly displayName: string | null
  /** The access token, encrypted: every send uses it. */
  readonly sealed: string
  readonly connectedAt: Instant
}
