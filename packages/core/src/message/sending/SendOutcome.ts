import type { Sent } from "../../foundation/delivery/Channel.ts"
import type { ChannelError } from "../../foundation/delivery/ChannelError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

/** A carrier that did not take a message before the next carrier was tried. */
export interface PassedOver {
  readonly carrier: string
  readonly providerCode: string
}

/** Restricts which of a channel's carriers may send a message. */
export interface CarrierChoice {
  /** Carriers that already failed to deliver it. */
  readonly avoid?: ReadonlyArray<string>
  /** The carrier that may have it from an earlier try. No other carrier may send it. */
  readonly only?: string
}

/** The carrier that answered, and those that did not take the message before. */
interface Carried {
  readonly carrier: string
  readonly passedOver?: ReadonlyArray<PassedOver>
}

/** The result of a send. */
export type SendOutcome =
  | ({ readonly _tag: "Sent"; readonly sent: Sent } & Carried)
  | ({ readonly _tag: "Failed"; readonly error: ChannelError } & Carried)
  /** Nothing was sent: the provider has been failing, and is not tried before `until`. */
  | { readonly _tag: "Resting"; readonly until: Instant }

/**
 * The message got no turn in time, or no carrier has a turn. Nothing was sent. `lane` is the lane at its channel's gate
 * in which it waits for the busy carriers.
 */
export interface NoTurn {
  readonly _tag: "NoTurn"
  readonly lane?: string
}

/** A result that includes `NoTurn`. */
export type BulkOutcome = SendOutcome | NoTurn
