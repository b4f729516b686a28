import type { Instant } from "../../foundation/time/Instant.ts"

/** A WhatsApp number that a merchant connected itself. It belongs to one environment of the whole service. */
export interface ConnectedNumber {
  /** The provider's id of it: what the wire calls `phoneNumberId`, and `wabaId` where a message asks for it. */
  readonly id: string
  readonly environment: string
  /** The version this state was read at; 0 for one that nobody saved yet. */
  readonly version: number
  /** The provider's account that it belongs to. */
  readonly accountId: string
  /** The number as people see it, and the name that they see beside it, as the provider told when it was connected. */
  readonly displayNumber: string | null
  readonly displayName: string | null
  /** The access token, encrypted: it is used for every send. */
  readonly sealed: string
  readonly connectedAt: Instant
}
