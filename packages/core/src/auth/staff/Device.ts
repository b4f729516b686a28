import type { Instant } from "../../foundation/time/Instant.ts"

/** A browser that shows push notifications to an agent. */
export interface Device {
  /** A hash of the endpoint, so that a browser that is added again is the same device. */
  readonly id: string
  /** The browser's address at its push service. */
  readonly endpoint: string
  /** The browser's public key and secret, base64url. */
  readonly p256dh: string
  readonly auth: string
  /** The master key whose push key the browser subscribed with. */
  readonly keyId: string
  /** The session that added the device or saw it last. Ending the session removes the device. */
  readonly sessionId: string
  readonly userAgent: string | null
  readonly addedAt: Instant
  /** When the dashboard was last opened there, accurate to a day. */
  readonly seenAt: Instant
}
