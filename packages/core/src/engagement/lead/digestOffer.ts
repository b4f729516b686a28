import { Effect } from "effect"
import { carries } from "../../foundation/delivery/carries.ts"
import type { Channel } from "../../foundation/delivery/Channel.ts"
import { Channels } from "../../foundation/delivery/Channels.ts"
import { LinkAddress } from "../../foundation/delivery/LinkAddress.ts"

/** How mails about waiting customers are sent, and the address of the inbox that they link to. */
export interface DigestOffer {
  readonly channel: Channel
  readonly inbox: string
}

/** Null when this deployment has no e-mail channel that carries notices, or no public URL. */
export const makeDigestOffer: Effect.Effect<DigestOffer | null, never, Channels | LinkAddress> = Effect.gen(
  function* () {
    const channel = (yield* Channels).carriersOf("EMAIL").find((carrier) => carries(carrier, "EMAIL", "Notice"))
    const { dashboard } = yield* LinkAddress
    return channel === undefined || dashboard === null ? null : { channel, inbox: `${dashboard}/inbox` }
  }
)
