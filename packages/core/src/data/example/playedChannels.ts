import { Effect, Random } from "effect"
import type { Receipt } from "../../foundation/delivery/Callback.ts"
import type { Channel } from "../../foundation/delivery/Channel.ts"
import { ChannelError, Refused, Unavailable } from "../../foundation/delivery/ChannelError.ts"
import { type ChannelName, knownChannels } from "../../foundation/delivery/ChannelName.ts"
import type { Message } from "../../foundation/delivery/Message.ts"
import * as SandboxChannel from "../../foundation/delivery/SandboxChannel.ts"
import type { Agenda } from "./Agenda.ts"
import type { Fate } from "./scenes.ts"

type Report = (receipt: Receipt) => Effect.Effect<void, unknown>

/** The latency of providers and of delivery: a minimum, and a random part. */
const takes: { readonly [name: string]: readonly [answer: number, arrives: number, more: number] } = {
  WHATSAPP: [140, 700, 2_400],
  SMS: [260, 1_800, 7_000],
  RCS: [200, 1_100, 3_500],
  EMAIL: [90, 900, 5_000]
}

/** The error codes of real providers. */
const bounced: { readonly [name: string]: string } = { WHATSAPP: "131026", SMS: "30003", RCS: "63016", EMAIL: "550" }

/** How many times a provider that is down fails. */
const triesInVain = 3

/**
 * The sandbox's channels with realistic behavior: they take time, report results later, and lose some messages. Nothing
 * leaves the machine.
 */
export const playedChannels = (agenda: Agenda) => {
  const fates = new Map<string, Fate>()
  const sends = new Map<string, number>()
  let report: Report = () => Effect.void

  const later = (message: Message, status: Receipt["status"], after: number, providerCode: string | null = null) =>
    agenda.add(
      agenda.now + after,
      Effect.suspend(() =>
        report({ reference: message.reference, status, providerId: message.deliveryId, providerCode })
      )
    )

  const carry = Effect.fnUntraced(function* (name: ChannelName, message: Message) {
    const [answer, arrives, more] = takes[name] ?? [100, 1_000, 1_000]
    agenda.pass(answer + (yield* Random.next) ** 2 * answer * 4)
    const fate = fates.get(message.to) ?? "arrives"
    const before = sends.get(message.to) ?? 0
    sends.set(message.to, before + 1)
    const refuse = (reason: ChannelError["reason"]) => Effect.fail(new ChannelError({ channel: name, reason }))
    if (fate === "finds no recipient")
      return yield* refuse(new Refused({ providerCode: "unreachable", because: "recipient" }))
    if (fate === "finds the provider down" && before < triesInVain) {
      return yield* refuse(new Unavailable({ providerCode: "http_503" }))
    }
    const arrivesAfter = arrives + (yield* Random.next) ** 2 * more
    if (before > 0 || fate === "arrives" || fate === "finds the provider down") {
      later(message, "DELIVERED", arrivesAfter)
      if (name === "WHATSAPP" && (yield* Random.next) < 0.8) later(message, "READ", arrivesAfter + 4_000)
    } else if (fate === "bounces") later(message, "FAILED", arrivesAfter, bounced[name] ?? "undeliverable")
    return { providerId: message.deliveryId }
  })

  const channels = new Map<ChannelName, Channel>(
    knownChannels.map((name) => [name, { ...SandboxChannel.make(name), send: (message) => carry(name, message) }])
  )

  return {
    sandbox: { names: knownChannels, find: (name: ChannelName) => channels.get(name) },
    /** The fate of the first message to a person. */
    decide: (to: string, fate: Fate): void => {
      fates.set(to, fate)
      sends.delete(to)
    },
    /** The receiver of providers' reports. */
    reportTo: (heard: Report): void => {
      report = heard
    }
  }
}
