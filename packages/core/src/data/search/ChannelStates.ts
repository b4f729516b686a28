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

/** The state of a channel from its carriers: it works when any of them works. */
const bestHealth = (carrierHealths: ReadonlyArray<Health>): Health =>
  carrierHealths.find(({ state }) => state === "CLOSED") ??
  carrierHealths.find(({ state }) => state === "HALF_OPEN") ??
  carrierHealths[0] ??
  healthy

/** The most waiting messages that are counted for a channel. */
const mostWaiting = 1_000
/** How many of the newest verifications are read. `newestOfChannel` applies to each channel that none of them used. */
const newest = 200
const newestOfChannel = { limit: 10, most: 2_000 }

/** A carrier of a channel, as this process sees it. */
export interface CarrierView {
  readonly carrier: string
  readonly breaker: Health
  readonly perSecond: number | null
  /** The number prefixes that it handles first; empty for every number. */
  readonly prefixes: ReadonlyArray<string>
}

const healthy: Health = { state: "CLOSED", until: null }

/**
 * The state of an environment's channels: from its own messages, and from this process's view of their providers. Each
 * process has its own breaker and pace.
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
    /** The number verifiers that the environment can use, in addition to its channels. */
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
      const { all: allVerifiers, namesFor } = yield* NumberVerifiers

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
          ({ found: verifications }) => verifications
        )

      /**
       * A busy channel would hide a quiet one. So a channel that is missing among the newest verifications is read
       * separately.
       */
      const latestByChannel = Effect.fnUntraced(function* (
        environment: string,
        enabled: ReadonlyArray<Channel>,
        now: Instant
      ) {
        const newestOfAll = yield* latest(environment, now)
        const byChannel = seenOfChannels(newestOfAll)
        if (newestOfAll.length < newest) return byChannel
        const missing = enabled.filter(({ name }) => !byChannel.has(name))
        const ofQuiet = yield* Effect.forEach(missing, ({ name }) => latest(environment, now, name))
        return seenOfChannels([...newestOfAll, ...ofQuiet.flat()])
      })

      const list = Effect.fnUntraced(function* ({ environment, kind, settings }: Caller) {
        const now = yield* Clock.currentTimeMillis
        const { find } = kind === "test" ? channels.sandbox : channels
        const enabled = names.flatMap((name) => find(name) ?? [])
        const [byChannel, waiting] = yield* Effect.all([
          latestByChannel(environment, enabled, now),
          jobs.waiting({ environment, gates: names, now, most: mostWaiting })
        ])
        return names.map((name): ChannelStates.View => {
          const channel = find(name)
          const carriers = kind === "test" ? (channel === undefined ? [] : [channel]) : channels.carriersOf(name)
          // A test environment has no provider that could fail.
          const health = (carrier: Channel) => (kind === "test" ? healthy : senders.health(carrier, now))
          const backlog = waiting.find(({ gate }) => gate === name)
          return {
            channel: name,
            label: labelOf(channel ?? { name }),
            provider: channel?.provider ?? null,
            role: name === settings.primaryChannel ? "PRIMARY" : name === settings.fallbackChannel ? "FALLBACK" : null,
            breaker: bestHealth(carriers.map(health)),
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
            waiting: backlog?.count ?? 0,
            oldestWaitingAt: backlog?.since ?? null,
            ...(byChannel.get(name) ?? nothingSeen)
          }
        })
      })

      const verifiers = ({ kind }: Pick<Caller, "kind">) =>
        namesFor(kind).map((name): ChannelStates.Verifier => {
          const { label } = allVerifiers.find((verifier) => verifier.name === name) ?? {}
          return { verifier: name, label: labelOf({ label, name }) }
        })

      return ChannelStates.of({ list, verifiers })
    })
  )
}

export declare namespace ChannelStates {
  export interface View extends ChannelSeen {
    readonly channel: ChannelName
    /** The display name. */
    readonly label: string
    /** Null when the channel is not enabled. */
    readonly provider: string | null
    readonly role: "PRIMARY" | "FALLBACK" | null
    readonly breaker: Health
    readonly perSecond: number | null
    /** Every carrier of the channel. */
    readonly carriers: ReadonlyArray<CarrierView>
    readonly waiting: number
    readonly oldestWaitingAt: Instant | null
  }

  /** A number verifier that an environment can use. It sends nothing, so a name and a label describe it. */
  export interface Verifier {
    readonly verifier: string
    /** The display name. */
    readonly label: string
  }
}
