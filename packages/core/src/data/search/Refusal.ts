import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Path } from "../../auth/verification/Verification.ts"

/** A refused initiate. It started nothing and left no other trace. */
export interface Refusal {
  readonly environment: string
  readonly id: string
  readonly at: Instant
  readonly path: Path
  readonly errorCode: string
  /** Which limit or field: our own keyword, never the caller's text. */
  readonly reason: string
  /** Masked; null when it is missing or malformed. */
  readonly identity: string | null
  /** The `PersonReference` of the identity; null without one, and after the person's erasure. */
  readonly person: string | null
  readonly channel: ChannelName | null
  readonly country: string | null
}
