import type { BalanceView } from "../../account/billing/BalanceView.ts"
import type { Key } from "../../account/merchant/Keys.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import type { Waiting } from "../../engagement/lead/LeadRequest.ts"
import type { Webhook } from "../../account/webhook/Webhook.ts"
import { days, type Instant, seconds } from "../../foundation/time/Instant.ts"
import type { ChannelStates } from "../search/ChannelStates.ts"
import type { LowShare, ManyStarts, Window } from "./unusual.ts"

/** Something that needs a person, with the data of its sentence. The reader words it. */
export type Attention =
  | { readonly code: "NO_CHANNEL" }
  | { readonly code: "CHANNEL_OFF"; readonly channel: string; readonly role: "PRIMARY" | "FALLBACK" }
  /** No carrier of the channel gets messages. `until` is null while one message tests it. */
  | { readonly code: "CHANNEL_PAUSED"; readonly channel: string; readonly until: Instant | null }
  /** A carrier gets no messages, and another carrier of the channel works. */
  | {
      readonly code: "CARRIER_PAUSED"
      readonly channel: string
      readonly carrier: string
      readonly until: Instant | null
    }
  | { readonly code: "CHANNEL_LATE"; readonly channel: string; readonly count: number; readonly since: Instant }
  | { readonly code: "NO_BALANCE"; readonly balance: number; readonly currency: string }
  | { readonly code: "CAP_REACHED"; readonly channel: string; readonly cap: number; readonly currency: string }
  | { readonly code: "BALANCE_LOW"; readonly balance: number; readonly currency: string }
  | {
      readonly code: "WEBHOOK_OFF"
      readonly webhookId: string
      readonly url: string
      readonly reason: "GONE" | "FAILING"
    }
  | { readonly code: "WEBHOOK_FAILING"; readonly webhookId: string; readonly url: string; readonly since: Instant }
  | (Waiting & { readonly code: "CUSTOMERS_WAITING"; readonly since: Instant })
  | { readonly code: "KEY_RETIRING"; readonly keyId: string; readonly name: string | null; readonly until: Instant }
  | (LowShare & Window)
  /** `prefix` is the beginning of most of their numbers; null when no beginning stands out. */
  | (ManyStarts & Window & { readonly prefix: string | null })

export interface AttentionFacts {
  readonly settings: Pick<Settings, "billing">
  readonly channels: ReadonlyArray<
    Pick<ChannelStates.View, "breaker" | "carriers" | "channel" | "oldestWaitingAt" | "provider" | "role" | "waiting">
  >
  readonly balance: Pick<BalanceView, "available" | "balance" | "currency" | "low" | "spentToday">
  readonly webhooks: ReadonlyArray<Pick<Webhook, "disabledReason" | "failingSince" | "id" | "status" | "url">>
  readonly waiting: Waiting
  readonly keys: ReadonlyArray<Pick<Key, "id" | "name" | "retiringAt">>
  readonly unusual: ReadonlyArray<Extract<Attention, { readonly code: LowShare["code"] | ManyStarts["code"] }>>
}

/** Messages are usually sent within a second. */
const late = seconds(30)
/** How long before it ends a replaced secret is mentioned. */
const retiring = days(1)

const ofChannels = (channels: AttentionFacts["channels"], now: Instant): ReadonlyArray<Attention> => {
  if (channels.every(({ provider }) => provider === null)) return [{ code: "NO_CHANNEL" }]
  return channels.flatMap(
    ({ breaker, carriers, channel, oldestWaitingAt, provider, role, waiting }): ReadonlyArray<Attention> => {
      if (provider === null) return role === null ? [] : [{ code: "CHANNEL_OFF", channel, role }]
      if (breaker.state !== "CLOSED")
        return [{ code: "CHANNEL_PAUSED", channel, until: breaker.state === "OPEN" ? breaker.until : null }]
      const paused = carriers.flatMap(
        ({ breaker: own, carrier }): ReadonlyArray<Attention> =>
          own.state === "OPEN" ? [{ code: "CARRIER_PAUSED", channel, carrier, until: own.until }] : []
      )
      return waiting > 0 && oldestWaitingAt !== null && now - oldestWaitingAt > late
        ? [...paused, { code: "CHANNEL_LATE", channel, count: waiting, since: oldestWaitingAt }]
        : paused
    }
  )
}

const ofMoney = ({ balance, settings }: AttentionFacts): ReadonlyArray<Attention> => {
  // With billing off, the balance stops nothing.
  if (settings.billing !== "PREPAID") return []
  const { available, balance: amount, currency, low, spentToday } = balance
  const capped = spentToday.flatMap(
    ({ amount, cap, channel }): ReadonlyArray<Attention> =>
      cap !== null && amount >= cap ? [{ code: "CAP_REACHED", channel, cap, currency }] : []
  )
  if (available <= 0) return [{ code: "NO_BALANCE", balance: amount, currency }, ...capped]
  return low ? [...capped, { code: "BALANCE_LOW", balance: amount, currency }] : capped
}

const ofWebhooks = (webhooks: AttentionFacts["webhooks"]): ReadonlyArray<Attention> =>
  webhooks.flatMap(({ disabledReason, failingSince, id: webhookId, status, url }): ReadonlyArray<Attention> => {
    if (status === "ACTIVE")
      return failingSince === null ? [] : [{ code: "WEBHOOK_FAILING", webhookId, url, since: failingSince }]
    // An endpoint that a person disabled needs nobody.
    return disabledReason === "GONE" || disabledReason === "FAILING"
      ? [{ code: "WEBHOOK_OFF", webhookId, url, reason: disabledReason }]
      : []
  })

const ofKeys = (keys: AttentionFacts["keys"], now: Instant): ReadonlyArray<Attention> =>
  keys.flatMap(
    ({ id: keyId, name, retiringAt }): ReadonlyArray<Attention> =>
      retiringAt === null || retiringAt - now > retiring
        ? []
        : [{ code: "KEY_RETIRING", keyId, name, until: retiringAt }]
  )

/** What stops all messages, then what loses some of them, then what can wait an hour. */
const order: ReadonlyArray<Attention["code"]> = [
  "NO_CHANNEL",
  "NO_BALANCE",
  "CHANNEL_OFF",
  "CHANNEL_PAUSED",
  "STARTS_UNUSUAL",
  "CONVERSION_LOW",
  "DELIVERY_LOW",
  "CHANNEL_LATE",
  "CAP_REACHED",
  "WEBHOOK_OFF",
  "WEBHOOK_FAILING",
  "CARRIER_PAUSED",
  "CUSTOMERS_WAITING",
  "KEY_RETIRING",
  "BALANCE_LOW"
]

/** Everything that needs a person, most urgent first. Empty only if nothing does. */
export const attentionOf = (facts: AttentionFacts, now: Instant): ReadonlyArray<Attention> => {
  const all: ReadonlyArray<Attention> = [
    ...ofChannels(facts.channels, now),
    ...ofMoney(facts),
    ...facts.unusual,
    ...ofWebhooks(facts.webhooks),
    ...(facts.waiting.since === null
      ? []
      : [{ ...facts.waiting, code: "CUSTOMERS_WAITING" as const, since: facts.waiting.since }]),
    ...ofKeys(facts.keys, now)
  ]
  return all.toSorted((one, other) => order.indexOf(one.code) - order.indexOf(other.code))
}
