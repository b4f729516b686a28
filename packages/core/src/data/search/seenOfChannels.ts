import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { VerificationDelivery } from "../../auth/verification/VerificationDelivery.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Verification } from "../../auth/verification/Verification.ts"

/** The latest observations of a channel. */
export interface ChannelSeen {
  readonly lastSentAt: Instant | null
  readonly lastFailure: { readonly at: Instant; readonly providerCode: string } | null
  readonly lastReceiptAt: Instant | null
}

export const nothingSeen: ChannelSeen = { lastSentAt: null, lastFailure: null, lastReceiptAt: null }

const later = (a: Instant | null, b: Instant | undefined): Instant | null =>
  b === undefined || (a !== null && a >= b) ? a : b

const withTimes = (channelSeen: ChannelSeen, { deliveredAt, readAt, sentAt }: VerificationDelivery): ChannelSeen => ({
  ...channelSeen,
  lastSentAt: later(channelSeen.lastSentAt, sentAt),
  lastReceiptAt: later(later(channelSeen.lastReceiptAt, deliveredAt), readAt)
})

const withFailure = (channelSeen: ChannelSeen, at: Instant, providerCode: string): ChannelSeen =>
  channelSeen.lastFailure !== null && channelSeen.lastFailure.at >= at
    ? channelSeen
    : { ...channelSeen, lastFailure: { at, providerCode } }

/** Derives the state of channels from the messages of some verifications. A failed try counts as a failure, too. */
export const seenOfChannels = (verifications: ReadonlyArray<Verification>): ReadonlyMap<ChannelName, ChannelSeen> => {
  const byChannel = new Map<ChannelName, ChannelSeen>()
  const update = (channel: ChannelName, next: (seen: ChannelSeen) => ChannelSeen) =>
    byChannel.set(channel, next(byChannel.get(channel) ?? nothingSeen))
  for (const { createdAt, deliveries, story = [] } of verifications) {
    for (const delivery of deliveries) update(delivery.channel, (channelSeen) => withTimes(channelSeen, delivery))
    for (const moment of story) {
      if (moment[1] !== "tried" && moment[1] !== "unsent" && moment[1] !== "bounced") continue
      const delivery = deliveries[moment[2] - 1]
      if (delivery === undefined) continue
      const at = createdAt + moment[0]
      const code = moment[1] === "tried" ? moment[3] : (delivery.providerCode ?? "unknown")
      update(delivery.channel, (channelSeen) => {
        const failed = withFailure(channelSeen, at, code)
        return moment[1] === "bounced" ? { ...failed, lastReceiptAt: later(failed.lastReceiptAt, at) } : failed
      })
    }
  }
  return byChannel
}
