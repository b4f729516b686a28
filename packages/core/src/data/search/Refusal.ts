import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Path } from "../../auth/verification/Verification.ts"

/** An initiate that was refused: it started nothing, and left nothing else behind. */
export interface Refusal {
  readonly environment: string
  readonly id: string
  readonly at: Instant
  readonly path: Path
  readonly errorCode: string
  /** Which limit, or which field: a word of ours, never of the caller's. */
  readonly reason: string
  /** Masked; null where none was said, or what was said is none. */
  readonly identity: string | null
  readonly channel: ChannelName | null
  readonly country: string | null
}
