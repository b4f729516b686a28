import type { Sent } from "../../foundation/delivery/Channel.ts"
import type { ChannelError } from "../../foundation/delivery/ChannelError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

/** A carrier that did not take a message, before another one was asked. */
export interface PassedOver {
  readonly carrier: string
  readonly providerCode: string
}

/** Which of a channel's carriers a message may go by. */
export interface CarrierChoice {
  /** Carriers that it has failed with. */
  readonly avoid?: ReadonlyArray<string>
  /** The carrier that may have it from an earlier try: no other is asked. */
  readonly only?: string
}

/** Which carrier a message went to, and which did not take it before. */
interface Carried {
  readonly carrier: string
  readonly passedOver?: ReadonlyArray<PassedOver>
}

/** What became of the wish to send. */
export type SendOutcome =
  | ({ readonly _tag: "Sent"; readonly sent: Sent } & Carried)
  | ({ readonly _tag: "Failed"; readonly error: ChannelError } & Carried)
  /** Nothing was sent: the provider has been failing, and nobody asks it before then. */
  | { readonly _tag: "Resting"; readonly until: Instant }

/**
 * The message got no turn: none came while it was wanted, or no carrier has one. Nothing was sent. `lane` is where it waits
 * at its channel's gate for the carriers that had none.
 */
export interface NoTurn {
  readonly _tag: "NoTurn"
  readonly lane?: string
}

/** The same where a message may get no turn. */
export type BulkOutcome = SendOutcome | NoTurn
