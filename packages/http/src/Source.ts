import {
  type Channel,
  carrierOf,
  InvalidOptions,
  knownChannels,
  type LineInfo,
  type NumberVerifier,
  type OptionProblem,
  otherMethods
} from "@countersign/core/channel"
import { Effect, Result, type Scope } from "effect"
import { type PromiseChannel, toChannel } from "./PromiseChannel.ts"

/** Facts about the service that channels and verifiers may need. */
export interface ServiceFacts {
  /** The service's public URL, if configured. */
  readonly publicUrl: string | undefined
}

/**
 * Channels or verifiers of one provider, built from plain options when the service starts and closed when it ends.
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
  /** Fails with all problems of the options. Releases its resources when the scope closes. */
  readonly make: (service: ServiceFacts) => Effect.Effect<ReadonlyArray<A>, InvalidOptions, Scope.Scope>
}

/** Channels of a provider: the result of `twilio({ … })`. */
export interface ChannelSource extends Source<Channel> {
  /** Distinguishes this type from a `Channel`, which always has it. */
  readonly supports?: undefined
  readonly send?: undefined
}

/** A verifier of numbers without a message: the result of `truecaller({ … })`. */
export interface NumberVerifierSource extends Source<NumberVerifier> {}

/** A provider of facts about phone lines: the result of `camara({ … })`. */
export interface LineInfoSource extends Source<LineInfo> {}

/** Whether a value is a `Source`, which is built at the start. */
export const isSource = <A>(value: object): value is Source<A> => "make" in value && typeof value.make === "function"

/** The channels, verifiers and providers of line facts of a service. */
export interface Parts {
  readonly channels: ReadonlyArray<PromiseChannel | Channel | ChannelSource>
  readonly verifiers: ReadonlyArray<NumberVerifier | NumberVerifierSource>
  readonly lineInfo: ReadonlyArray<LineInfo | LineInfoSource>
}

interface Built<A> {
  readonly found: ReadonlyArray<readonly [place: string, made: A]>
  readonly problems: ReadonlyArray<OptionProblem>
}

const buildAll = <A extends object>(option: string, entries: ReadonlyArray<A | Source<A>>, service: ServiceFacts) =>
  Effect.map(
    Effect.forEach(entries, (entry, i): Effect.Effect<Built<A>, never, Scope.Scope> => {
      const place = `${option}[${i}]`
      if (!isSource<A>(entry)) return Effect.succeed({ found: [[place, entry]], problems: [] })
      return Effect.match(entry.make(service), {
        onSuccess: (built) => ({ found: built.map((item) => [place, item] as const), problems: [] }),
        onFailure: ({ problems }) => ({
          found: [],
          problems: problems.map(({ option: inner, problem }) => ({ option: `${place}.${inner}`, problem }))
        })
      })
    }),
    (all): Built<A> => ({ found: all.flatMap(({ found }) => found), problems: all.flatMap(({ problems }) => problems) })
  )

/** Reports entries with the same name. */
const duplicateProblems = <A>(
  { found }: Built<A>,
  nameOf: (item: A) => string,
  advice = ""
): ReadonlyArray<OptionProblem> =>
  found.flatMap(([option, item], i) => {
    const name = nameOf(item)
    const first = found.findIndex(([, candidate]) => nameOf(candidate) === name)
    return first === i
      ? []
      : [{ option, problem: `provides ${name}, which ${found[first]![0]} already provides${advice}` }]
  })

const nameOfCarrier = (channel: PromiseChannel | Channel) =>
  `${channel.name} by the carrier "${carrierOf({ provider: "custom", ...channel })}"`

/** Describes an entry of `channels` as a carrier of its channel. */
export interface CarrierEntry {
  /** The carrier's name in deliveries and metrics. Default: the provider's name. */
  readonly carrier?: string
  /** The number prefixes that it is tried first for, as digits without `+`, such as `["91"]`. Default: every number. */
  readonly prefixes?: ReadonlyArray<string>
  /** Your cost per message. The option `carriers: "price"` prefers the cheapest carrier. */
  readonly price?: number
}

/**
 * One of several carriers of a channel. A message goes to the carrier with the longest matching prefix: healthy ones first,
 * then in the order of `channels`. If a carrier certainly did not accept it, the next one is tried immediately.
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
          Effect.map(channel.make(service), (built) => built.map((item) => ({ ...item, ...entry })))
      }
    : { ...channel, ...entry }

const isEffect = (channel: PromiseChannel | Channel): channel is Channel => channel.supports !== undefined

/** Builds all channels, verifiers and providers of line facts. Fails with the problems of all of them and with `known`. */
export const gather = (parts: Parts, service: ServiceFacts, knownProblems: ReadonlyArray<OptionProblem>) =>
  Effect.gen(function* () {
    const channels = yield* buildAll<PromiseChannel | Channel>("channels", parts.channels, service)
    const verifiers = yield* buildAll<NumberVerifier>("verifiers", parts.verifiers, service)
    const duplicates = duplicateProblems(channels, nameOfCarrier, ": give each its own `carrier` name")
    const lineInfo = yield* buildAll<LineInfo>("lineInfo", parts.lineInfo, service)
    const ofChannels = new Set<string>([...knownChannels, ...channels.found.map(([, { name }]) => name)])
    const takenNames = verifiers.found.flatMap(([option, { name }]) => {
      const of = ofChannels.has(name)
        ? "a channel"
        : otherMethods.some((method) => method === name)
          ? "another method"
          : null
      return of === null
        ? []
        : [{ option, problem: `provides ${name}, but ${of} already has that name: choose another name` }]
    })
    const problems = [
      knownProblems,
      channels.problems,
      duplicates,
      verifiers.problems,
      duplicateProblems(verifiers, ({ name }) => name),
      lineInfo.problems,
      duplicateProblems(lineInfo, carrierOf, ": give each its own `name`"),
      takenNames
    ].flat()
    return yield* Effect.fromResult(
      problems.length > 0
        ? Result.fail(new InvalidOptions({ provider: "Countersign.make", problems }))
        : Result.succeed({
            channels: channels.found.map(([, channel]) => (isEffect(channel) ? channel : toChannel(channel))),
            verifiers: verifiers.found.map(([, verifier]) => verifier),
            lineInfo: lineInfo.found.map(([, provider]) => provider)
          })
    )
  })
