import { Clock, Context, Deferred, Effect, Exit, Hash, Layer, Metric } from "effect"
import { OutcomeUnknown } from "../../foundation/delivery/ChannelError.ts"
import {
  carrierOf,
  type CarrierRule,
  chooseCarrier,
  rulesFrom,
  rulesOf
} from "../../foundation/delivery/chooseCarrier.ts"
import {
  type LineFact,
  type LineFacts,
  type LineInfo,
  LineInfoError,
  type LineRequest
} from "../../foundation/delivery/LineInfo.ts"
import { AgingMap } from "../../foundation/time/AgingMap.ts"
import { type Millis, minutes, seconds } from "../../foundation/time/Instant.ts"
import { type SteadyInstant, steadyMillis } from "../../foundation/time/steadyTime.ts"
import { Breaker, passEndOf } from "../../message/sending/Breaker.ts"
import { FairSlots } from "./FairSlots.ts"

/** How long a provider has to answer. Callers wait for less, and later ones find the answer in memory. */
const deadline = seconds(10)
/** How many lookups a process runs concurrently at each provider. */
const mostAtOnce = 128
/** How long a fact is used again, and how long a failed lookup is not repeated. */
export const factLives: Millis = minutes(10)
const failureLives: Millis = seconds(10)
/** The most facts in memory. The oldest ones are dropped first. */
const mostKept = 50_000
const saidAgainAfter = minutes(1)

/**
 * Why a requested fact is null.
 *
 * - `NO_PROVIDER`: no configured provider tells this fact for this number
 * - `UNAVAILABLE`: the provider did not answer in time, or not usably
 * - `NOT_KNOWN`: the provider does not know
 */
export const lineMissing = ["NO_PROVIDER", "UNAVAILABLE", "NOT_KNOWN"] as const
export type LineMissing = (typeof lineMissing)[number]

/** What a lookup told. */
export interface LineAnswer {
  /** The requested facts. Null for what is not known. */
  readonly facts: Partial<LineFacts>
  /** Why requested facts are null. Null when none is. `UNAVAILABLE` when there are several causes and it is among them. */
  readonly missing: LineMissing | null
}

/** Which provider tells what about which numbers, by name: as for carriers. Without a table: by the adapters' prefixes. */
export type LineTable = ReadonlyArray<CarrierRule<string>>

const counter = Metric.counter("countersign_line_facts_total", {
  description: "Facts about phone lines that providers were asked for, and may charge for",
  incremental: true
})

/** One fact about one number, in memory. */
interface Entry {
  readonly done: Deferred.Deferred<void>
  /** Null while the lookup runs. */
  outcome: { readonly value: LineFacts[LineFact] } | { readonly missing: LineMissing } | null
  until: SteadyInstant
}

/** What this process knows about one provider. */
class ProviderState {
  readonly breaker = new Breaker()
  readonly slots = new FairSlots(mostAtOnce)
  saidAt: SteadyInstant = Number.NEGATIVE_INFINITY
}

/** What a fact depends on besides the number. */
const parameterOf = (fact: LineFact, { recycledSince, simSwapHours }: LineRequest): string =>
  fact === "simSwapped" ? String(simSwapHours) : fact === "recycled" ? recycledSince : ""

const worst = (missing: ReadonlyArray<LineMissing>): LineMissing | null =>
  missing.includes("UNAVAILABLE") ? "UNAVAILABLE" : (missing[0] ?? null)

/** The answer when nothing is looked up. */
export const unanswered = ({ facts }: Pick<LineRequest, "facts">, missing: LineMissing): LineAnswer => ({
  facts: Object.fromEntries(facts.map((fact) => [fact, null])),
  missing
})

export interface LineLookupsService {
  /** The facts that some provider tells, for any number. */
  readonly facts: ReadonlySet<LineFact>
  /**
   * Looks up facts about a number and waits for at most `wait`. Never fails. Facts are kept in memory for ten minutes,
   * for each environment apart, and concurrent requests for a fact share one lookup. A lookup that takes longer than
   * `wait` goes on, so that the next request finds its answer.
   *
   * `mayAsk` is called once before a provider is asked. If it returns false, only facts in memory are returned.
   */
  readonly lookUp: (
    environment: string,
    request: LineRequest,
    wait: Millis,
    mayAsk?: () => boolean
  ) => Effect.Effect<LineAnswer>
}

/** Looks up facts about phone lines at the configured providers. Each process keeps its own memory. */
export const LineLookups = Context.Reference<LineLookupsService>("@countersign/core/verification/LineLookups", {
  defaultValue: () => ({
    facts: new Set<LineFact>(),
    lookUp: (_, request) => Effect.succeed(unanswered(request, "NO_PROVIDER"))
  })
})

/** The allowed values of `LineLookupsPerHour`. */
export const lookupsRange = { least: 1, most: 1_000_000 }

/** How many numbers of an environment each process looks up per hour for the guard. */
export const LineLookupsPerHour = Context.Reference<number>("@countersign/core/verification/LineLookupsPerHour", {
  defaultValue: () => 1_000
})

const make = Effect.fnUntraced(function* (providers: ReadonlyArray<LineInfo>, table: LineTable | undefined) {
  const clock = yield* Clock.Clock
  const scope = yield* Effect.scope
  const rules = table === undefined ? rulesOf(providers) : rulesFrom(table, providers)
  const states = new Map(providers.map((provider) => [provider, new ProviderState()]))
  const kept = new AgingMap<Entry>()
  const stateOf = (provider: LineInfo) => states.get(provider)!

  const keep = (key: string, entry: Entry) => {
    kept.set(key, entry)
    if (kept.oldest !== null && kept.size > mostKept) kept.delete(kept.oldest.key)
  }

  const report = ({ provider, reason }: LineInfoError, state: ProviderState) => {
    const now = steadyMillis(clock)
    if (now - state.saidAt < saidAgainAfter) return Effect.void
    state.saidAt = now
    const { _tag, providerCode } = reason
    const message =
      _tag === "Refused"
        ? "A provider of line facts refused a lookup; check its configuration"
        : "A provider of line facts gave no usable answer"
    return Effect.logWarning(message, { provider, providerCode })
  }

  /** Sends one lookup, and puts its facts into the entries. */
  const run = (
    provider: LineInfo,
    environment: string,
    request: LineRequest,
    entries: ReadonlyArray<readonly [LineFact, Entry]>
  ) => {
    const state = stateOf(provider)
    const number = Hash.string(request.number)
    const pass = state.breaker.admit(number, steadyMillis(clock))
    const settle = (outcomeOf: (fact: LineFact) => NonNullable<Entry["outcome"]>) => {
      const now = steadyMillis(clock)
      for (const [fact, entry] of entries) {
        entry.outcome = outcomeOf(fact)
        entry.until =
          now + ("missing" in entry.outcome && entry.outcome.missing === "UNAVAILABLE" ? failureLives : factLives)
        Deferred.doneUnsafe(entry.done, Effect.void)
      }
    }
    const count = (fact: LineFact, result: string) =>
      Metric.update(Metric.withAttributes(counter, { provider: carrierOf(provider), fact, result }), 1)
    if (pass === null || !state.slots.hasRoom(environment)) {
      if (pass !== null) state.breaker.ended(pass, "interrupted", number, steadyMillis(clock))
      settle(() => ({ missing: "UNAVAILABLE" }))
      return Effect.void
    }
    state.slots.take(environment)
    const unanswered = new LineInfoError({
      provider: provider.provider,
      reason: new OutcomeUnknown({ providerCode: "timeout" })
    })
    return Effect.suspend(() => provider.lookUp(request)).pipe(
      Effect.timeoutOrElse({ duration: deadline, orElse: () => Effect.fail(unanswered) }),
      Effect.onExit((exit) =>
        Effect.gen(function* () {
          state.slots.leave(environment)
          state.breaker.ended(pass, passEndOf(exit), number, steadyMillis(clock))
          const told: Partial<LineFacts> | null = Exit.isSuccess(exit) ? exit.value : null
          settle((fact) => {
            if (told === null) return { missing: "UNAVAILABLE" }
            const value = told[fact] ?? null
            return value === null ? { missing: "NOT_KNOWN" } : { value }
          })
          for (const [fact] of entries) {
            yield* count(fact, told === null ? "failed" : (told[fact] ?? null) === null ? "unknown" : "told")
          }
        })
      ),
      Effect.catch((error) => report(error, state)),
      // A defect of an adapter is its own failure, and never the caller's.
      Effect.catchCause((cause) => Effect.logError("A provider of line facts failed", cause)),
      Effect.forkIn(scope, { startImmediately: true }),
      Effect.asVoid
    )
  }

  const lookUp: LineLookupsService["lookUp"] = Effect.fnUntraced(function* (environment, request, wait, mayAsk) {
    const now = steadyMillis(clock)
    const entries = new Map<LineFact, Entry>()
    const missing: Array<LineMissing> = []
    const questions = new Map<LineInfo, Array<LineFact>>()
    const isResting = (provider: LineInfo) => stateOf(provider).breaker.blockedUntil(now) !== null
    const able = chooseCarrier(rules, request.number, isResting)
    const keyOf = (fact: LineFact) => `${environment} ${request.number} ${fact} ${parameterOf(fact, request)}`
    for (const fact of new Set(request.facts)) {
      const entry = kept.get(keyOf(fact))
      if (entry !== undefined && (entry.outcome === null || now < entry.until)) {
        entries.set(fact, entry)
        continue
      }
      const provider = able.find(({ facts }) => facts.includes(fact))
      if (provider === undefined) missing.push("NO_PROVIDER")
      else questions.set(provider, [...(questions.get(provider) ?? []), fact])
    }
    if (questions.size > 0 && mayAsk?.() === false) {
      missing.push("UNAVAILABLE")
      questions.clear()
    }
    for (const [provider, facts] of questions) {
      const fresh = facts.map((fact) => {
        const entry: Entry = { done: Deferred.makeUnsafe(), outcome: null, until: 0 }
        keep(keyOf(fact), entry)
        entries.set(fact, entry)
        return [fact, entry] as const
      })
      yield* run(provider, environment, { ...request, facts }, fresh)
    }
    const running = [...entries.values()].filter(({ outcome }) => outcome === null)
    if (running.length > 0) {
      yield* Effect.timeoutOption(
        Effect.forEach(running, ({ done }) => Deferred.await(done), { discard: true }),
        wait
      )
    }
    const facts = Object.fromEntries(
      request.facts.map((fact) => {
        const entry = entries.get(fact)
        if (entry === undefined) return [fact, null]
        if (entry.outcome !== null && "value" in entry.outcome) return [fact, entry.outcome.value]
        missing.push(entry.outcome?.missing ?? "UNAVAILABLE")
        return [fact, null]
      })
    )
    return { facts, missing: worst(missing) }
  })
  return { facts: new Set(providers.flatMap(({ facts }) => facts)), lookUp } satisfies LineLookupsService
})

export interface Options {
  readonly lineInfo?: ReadonlyArray<LineInfo> | undefined
  /** Orders the providers by prefix. Without it, their own prefixes do. */
  readonly lineTable?: LineTable | undefined
  readonly lineLookupsPerHour?: number | undefined
}

/** The lookups of the configured providers. */
export const layer = ({ lineInfo = [], lineLookupsPerHour, lineTable }: Options): Layer.Layer<never> =>
  Layer.merge(
    Layer.effect(LineLookups, make(lineInfo, lineTable)),
    lineLookupsPerHour === undefined ? Layer.empty : Layer.succeed(LineLookupsPerHour, lineLookupsPerHour)
  )
