import { Clock, Context, Effect, Layer } from "effect"
import type { Health } from "../../message/sending/Breaker.ts"
import type { Channel } from "../../foundation/delivery/Channel.ts"
import { Channels, nameable } from "../../foundation/delivery/Channels.ts"
import { carrierOf } from "../../foundation/delivery/chooseCarrier.ts"
import { type ChannelName, labelOf } from "../../foundation/delivery/ChannelName.ts"
import { NumberVerifiers } from "../../foundation/delivery/NumberVerifier.ts"
import { Senders } from "../../message/sending/Senders.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { JobStore } from "../../foundation/outbox/JobStore.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { VerificationStore } from "../../auth/verification/VerificationStore.ts"
import { type ChannelSeen, nothingSeen, seenOfChannels } from "./seenOfChannels.ts"

/** How a channel is whose carriers are so: it works where one of them does. */
const bestOf = (all: ReadonlyArray<Health>): Health =>
  all.find(({ state }) => state === "CLOSED") ?? all.find(({ state }) => state === "HALF_OPEN") ?? all[0] ?? works

/** No more messages of a channel are counted that wait. */
const mostWaiting = 1_000
/** How many of the newest verifications are looked at; and of those of a channel that none of them took. */
const newest = 200
const newestOfChannel = { limit: 10, most: 2_000 }

/** One carrier of a channel, as this process knows it. */
export interface CarrierView {
  readonly carrier: string
  readonly breaker: Health
  readonly perSecond: number | null
  /** The numbers it takes first; empty for every number. */
  readonly prefixes: ReadonlyArray<string>
}

const works: Health = { state: "CLOSED", until: null }

/**
 * How the channels of an environment are: what its own messages tell of them, and what this process knows of their
 * providers. Another process has a breaker and a pace of its own.
 *
 * @example
 * ```ts
 * import { type Caller, ChannelStates } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const troubles = Effect.fn(function* (caller: Caller) {
 *   const all = yield* (yield* ChannelStates).list(caller)
 *   return all.filter(({ breaker }) => breaker.state !== "CLOSED").map(({ channel }) => channel)
 * })
 * ```
 */
export class ChannelStates extends Context.Service<
  ChannelStates,
  {
    readonly list: (caller: Caller) => Effect.Effect<ReadonlyArray<ChannelStates.View>, StoreError>
    /** The number verifiers that the environment can ask for beside its channels. */
    readonly verifiers: (caller: Pick<Caller, "kind">) => ReadonlyArray<ChannelStates.Verifier>
  }
>()("@countersign/core/search/ChannelStates") {
  static readonly layerNoDeps: Layer.Layer<
    ChannelStates,
    never,
    Channels | JobStore | NumberVerifiers | Senders | VerificationStore
  > = Layer.effect(
    ChannelStates,
    Effect.gen(function* () {
      const channels = yield* Channels
      const jobs = yield* JobStore
      const senders = yield* Senders
      const names = nameable(channels)
      const store = yield* VerificationStore
      const { all, namesFor } = yield* NumberVerifiers

      const latest = (environment: string, now: Instant, channel?: ChannelName) =>
        Effect.map(
          store.search({
            environment,
            filter: channel === undefined ? {} : { channel },
            before: "ver_~",
            since: "ver_",
            now,
            ...(channel === undefined ? { limit: newest, most: newest } : newestOfChannel)
          }),
          ({ found }) => found
        )

      /** Beside a busy channel a quiet one is looked for by itself. */
      const seen = Effect.fnUntraced(function* (environment: string, enabled: ReadonlyArray<Channel>, now: Instant) {
        const found = yield* latest(environment, now)
        const known = seenOfChannels(found)
        if (found.length < newest) return known
        const quiet = enabled.filter(({ name }) => !known.has(name))
        const others = yield* Effect.forEach(quiet, ({ name }) => latest(environment, now, name))
        return seenOfChannels([...found, ...others.flat()])
      })

      const list = Effect.fnUntraced(function* ({ environment, kind, settings }: Caller) {
        const now = yield* Clock.currentTimeMillis
        const { find } = kind === "test" ? channels.sandbox : channels
        const enabled = names.flatMap((name) => find(name) ?? [])
        const [known, waiting] = yield* Effect.all([
          seen(environment, enabled, now),
          jobs.waiting({ environment, gates: names, now, most: mostWaiting })
        ])
        return names.map((name): ChannelStates.View => {
          const channel = find(name)
          const carriers = kind === "test" ? (channel === undefined ? [] : [channel]) : channels.carriersOf(name)
          // What stays on this machine has no provider that could fail.
          const health = (carrier: Channel) => (kind === "test" ? works : senders.health(carrier, now))
          const there = waiting.find(({ gate }) => gate === name)
          return {
            channel: name,
            label: labelOf(channel ?? { name }),
            provider: channel?.provider ?? null,
            role: name === settings.primaryChannel ? "PRIMARY" : name === settings.fallbackChannel ? "FALLBACK" : null,
            breaker: bestOf(carriers.map(health)),
            perSecond: channel?.limits?.perSecond ?? null,
            carriers: carriers.map((carrier) => ({
              carrier: carrierOf(carrier),
              breaker: health(carrier),
              perSecond: carrier.limits?.perSecond ?? null,
              prefixes: channels
                .rulesOf(name)
                .filter((rule) => rule.prefix !== "" && rule.carriers[0] === carrier)
                .map(({ prefix }) => prefix)
            })),
            waiting: there?.count ?? 0,
            oldestWaitingAt: there?.since ?? null,
            ...(known.get(name) ?? nothingSeen)
          }
        })
      })

      const verifiers = ({ kind }: Pick<Caller, "kind">) =>
        namesFor(kind).map((name): ChannelStates.Verifier => {
          const { label } = all.find((each) => each.name === name) ?? {}
          return { verifier: name, label: labelOf({ label, name }) }
        })

      return ChannelStates.of({ list, verifiers })
    })
  )
}

export declare namespace ChannelStates {
  export interface View extends ChannelSeen {
    readonly channel: ChannelName
    /** What people call it. */
    readonly label: string
    /** Null where the channel is not enabled. */
    readonly provider: string | null
    readonly role: "PRIMARY" | "FALLBACK" | null
    readonly breaker: Health
    readonly perSecond: number | null
    /** Every carrier of the channel. */
    readonly carriers: ReadonlyArray<CarrierView>
    readonly waiting: number
    readonly oldestWaitingAt: Instant | null
  }

  /** A number verifier that an environment can ask for. It sends nothing, so a name and a label describe it. */
  export interface Verifier {
    readonly verifier: string
    /** What people call it. */
    readonly label: string
  }
}
