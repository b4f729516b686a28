import {
  type Channel,
  carrierOf,
  InvalidOptions,
  knownChannels,
  type NumberVerifier,
  type OptionProblem,
  otherMethods
} from "@countersign/core/channel"
import { Effect, Result, type Scope } from "effect"
import { type PromiseChannel, toChannel } from "./PromiseChannel.ts"

/** What the service tells those that it is made of. */
export interface ServiceFacts {
  /** Where the service is reached from outside; undefined where nobody said. */
  readonly publicUrl: string | undefined
}

/**
 * What comes to be with the service, and ends with it: channels or verifiers of one provider, from its plain options.
 *
 * @example
 * ```ts
 * import type { ChannelSource } from "@countersign/http"
 * import { Twilio } from "@countersign/twilio"
 * import { Redacted } from "effect"
 *
 * export const twilio = (accountSid: string, authToken: string, from: string): ChannelSource => ({
 *   provider: "twilio",
 *   make: ({ publicUrl }) => Twilio.make({ accountSid, authToken: Redacted.make(authToken), from, publicUrl })
 * })
 * ```
 */
export interface Source<A> {
  readonly provider: string
  /** Fails with everything that is wrong with the options. What it holds on to ends with the scope. */
  readonly make: (service: ServiceFacts) => Effect.Effect<ReadonlyArray<A>, InvalidOptions, Scope.Scope>
}

/** Channels of a provider, as `twilio({ … })` gives them. */
export interface ChannelSource extends Source<Channel> {
  /** A `Channel` has it, and this is how the two are told apart. */
  readonly supports?: undefined
  readonly send?: undefined
}

/** A provider that proves numbers without a message, as `truecaller({ … })` gives it. */
export interface NumberVerifierSource extends Source<NumberVerifier> {}

/** Whether a value is made at the start, and is not there yet. */
export const isSource = <A>(value: object): value is Source<A> => "make" in value && typeof value.make === "function"

/** What a service is made of, with the place of each in the options. */
export interface Parts {
  readonly channels: ReadonlyArray<PromiseChannel | Channel | ChannelSource>
  readonly verifiers: ReadonlyArray<NumberVerifier | NumberVerifierSource>
}

interface Found<A> {
  readonly found: ReadonlyArray<readonly [place: string, made: A]>
  readonly problems: ReadonlyArray<OptionProblem>
}

const madeOf = <A extends object>(option: string, given: ReadonlyArray<A | Source<A>>, service: ServiceFacts) =>
  Effect.map(
    Effect.forEach(given, (one, i): Effect.Effect<Found<A>, never, Scope.Scope> => {
      const place = `${option}[${i}]`
      if (!isSource<A>(one)) return Effect.succeed({ found: [[place, one]], problems: [] })
      return Effect.match(one.make(service), {
        onSuccess: (made) => ({ found: made.map((each) => [place, each] as const), problems: [] }),
        onFailure: ({ problems }) => ({
          found: [],
          problems: problems.map(({ option: inner, problem }) => ({ option: `${place}.${inner}`, problem }))
        })
      })
    }),
    (all): Found<A> => ({ found: all.flatMap(({ found }) => found), problems: all.flatMap(({ problems }) => problems) })
  )

/** Two with one name could not be told apart. */
const namedTwice = <A>({ found }: Found<A>, nameOf: (made: A) => string, more = ""): ReadonlyArray<OptionProblem> =>
  found.flatMap(([option, made], i) => {
    const name = nameOf(made)
    const first = found.findIndex(([, other]) => nameOf(other) === name)
    return first === i ? [] : [{ option, problem: `gives ${name}, which ${found[first]![0]} gives already${more}` }]
  })

const nameOfCarrier = (channel: PromiseChannel | Channel) =>
  `${channel.name} by the carrier "${carrierOf({ provider: "custom", ...channel })}"`

/** What says which carrier of its channel an entry of `channels` is. */
export interface CarrierEntry {
  /** Its name among the carriers of the channel: deliveries and metrics say it. The provider's name unless it is given. */
  readonly carrier?: string
  /** The numbers it takes first, as digits without `+`, such as `["91"]`; every number unless some are given. */
  readonly prefixes?: ReadonlyArray<string>
  /** What a message costs you by it: the option `carriers: "price"` prefers the cheapest. */
  readonly price?: number
}

/**
 * One of several carriers of a channel. Messages go out by the carrier with the longest prefix, the healthy ones first,
 * then in the order of `channels`; where a carrier certainly did not take a message, the next one is asked at once.
 *
 * @example
 * ```ts
 * import { carrier, type PromiseChannel } from "@countersign/http"
 *
 * declare const msg91: PromiseChannel
 * declare const twilio: PromiseChannel
 *
 * // Indian numbers by MSG91, and by Twilio while that fails; all others by Twilio.
 * const channels = [carrier(msg91, { carrier: "msg91", prefixes: ["91"] }), carrier(twilio, { carrier: "twilio" })]
 * ```
 */
export const carrier = <A extends PromiseChannel | Channel | ChannelSource>(channel: A, entry: CarrierEntry): A =>
  isSource<PromiseChannel | Channel>(channel)
    ? {
        ...channel,
        make: (service: ServiceFacts) =>
          Effect.map(channel.make(service), (made) => made.map((each) => ({ ...each, ...entry })))
      }
    : { ...channel, ...entry }

const isEffect = (channel: PromiseChannel | Channel): channel is Channel => channel.supports !== undefined

/** Channels and verifiers, made. It fails with what is wrong with any of them, and with the problems that are known. */
export const gather = (parts: Parts, service: ServiceFacts, known: ReadonlyArray<OptionProblem>) =>
  Effect.gen(function* () {
    const channels = yield* madeOf<PromiseChannel | Channel>("channels", parts.channels, service)
    const verifiers = yield* madeOf<NumberVerifier>("verifiers", parts.verifiers, service)
    const twice = namedTwice(channels, nameOfCarrier, ": give each a name by `carrier`")
    const ofChannels = new Set<string>([...knownChannels, ...channels.found.map(([, { name }]) => name)])
    const shared = verifiers.found.flatMap(([option, { name }]) => {
      const of = ofChannels.has(name)
        ? "a channel"
        : otherMethods.some((other) => other === name)
          ? "another method"
          : null
      return of === null ? [] : [{ option, problem: `gives ${name}, which is the name of ${of}` }]
    })
    const problems = [
      known,
      channels.problems,
      twice,
      verifiers.problems,
      namedTwice(verifiers, ({ name }) => name),
      shared
    ].flat()
    return yield* Effect.fromResult(
      problems.length > 0
        ? Result.fail(new InvalidOptions({ provider: "Countersign.make", problems }))
        : Result.succeed({
            channels: channels.found.map(([, channel]) => (isEffect(channel) ? channel : toChannel(channel))),
            verifiers: verifiers.found.map(([, verifier]) => verifier)
          })
    )
  })
