import { Effect, Random } from "effect"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import { hours, type Instant, minutes } from "../../foundation/time/Instant.ts"
import type { Path } from "../../auth/verification/Verification.ts"
import { oneOf, type Somebody, somebody, weighed } from "./cast.ts"

/** How a simulated person responds to a code request. */
export type Act =
  | "types it"
  | "mistypes once"
  | "guesses"
  | "leaves"
  | "asks again"
  /** Requests again before the wait is over. */
  | "hurries"
  /** Returns later on a trusted device. */
  | "comes back"
  /** Requests again and again. */
  | "floods"
  /** Enters a malformed number. */
  | "stumbles"

/** The fate of the first message. */
export type Fate = "arrives" | "bounces" | "sends no receipt" | "finds the provider down" | "finds no recipient"

export interface Visit {
  readonly _tag: "Visit"
  readonly at: Instant
  readonly who: Somebody
  readonly path: Path
  readonly channel: ChannelName
  readonly act: Act
  readonly fate: Fate
  /** The time to read and type. */
  readonly thinks: number
  /** The source of the visit, if an app reports it. */
  readonly from: { readonly source: string; readonly medium: string; readonly campaign: string } | null
}

export interface Conversation {
  readonly _tag: "Conversation"
  readonly at: Instant
  readonly who: Somebody
  readonly asks: string
  /** Null while unanswered. */
  readonly answer: string | null
  readonly note: string | null
  readonly ends: boolean
}

export type Scene = Visit | Conversation

const channels: ReadonlyArray<readonly [number, ChannelName]> = [
  [45, "WHATSAPP"],
  [30, "SMS"],
  [18, "EMAIL"],
  [7, "RCS"]
]

const acts: ReadonlyArray<readonly [number, Act]> = [
  [62, "types it"],
  [9, "mistypes once"],
  [4, "guesses"],
  [8, "leaves"],
  [6, "asks again"],
  [2, "hurries"],
  [6, "comes back"],
  [0.4, "floods"],
  [2, "stumbles"]
]

const fates: ReadonlyArray<readonly [number, Fate]> = [
  [90, "arrives"],
  [4, "bounces"],
  [4, "sends no receipt"],
  [1, "finds the provider down"],
  [1, "finds no recipient"]
]

const origins: ReadonlyArray<readonly [number, Visit["from"]]> = [
  [60, null],
  [14, { source: "newsletter", medium: "email", campaign: "spring" }],
  [16, { source: "search", medium: "cpc", campaign: "brand" }],
  [10, { source: "instagram", medium: "social", campaign: "launch" }]
]

type Exchange = readonly [asks: string, answer: string]
const questions: readonly [Exchange, ...ReadonlyArray<Exchange>] = [
  ["Hello, is my order on its way?", "Hello! It left this morning and should be with you tomorrow."],
  ["I cannot sign in, the code does not come.", "Sorry about that. Could you try again now? We see it delivered."],
  ["Do you also deliver on Sundays?", "Yes, between 10 and 18 o'clock."],
  ["Can I change my delivery address?", "Of course. What should it be?"],
  ["Thank you, it arrived!", "Lovely, enjoy it!"],
  ["How long is the guarantee?", "Two years from the day of purchase."]
]

const visitsOfDay = 300
const visitsWeekBefore = 180
const conversationsOfDay = 18
/** Visitors at the end of the day: some have not typed the code yet. */
const visitsLast = 8
const lastMinutes = minutes(6)
const day = hours(24)
const week = 7 * day

/** For three quarters of an hour a provider accepted nothing. */
const outage = { from: hours(6), for: minutes(45) }

/** How busy an hour of the day is, between 0 and 1: a morning, an evening and a night. */
const busy = (at: Instant): number => {
  const hour = (at % day) / hours(1)
  const hump = (peak: number, width: number) => Math.exp(-(((hour - peak) / width) ** 2))
  return 0.12 + 0.7 * hump(5.5, 2.5) + 0.88 * hump(14, 3)
}

const momentOf = Effect.fnUntraced(function* (ends: Instant) {
  for (;;) {
    const at = Math.floor(ends - (yield* Random.next) * day)
    if ((yield* Random.next) < busy(at)) return at
  }
})

const visit = Effect.fnUntraced(function* (ends: Instant, at: Instant) {
  const channel = yield* weighed(channels)
  const act = yield* weighed(acts)
  const origin = yield* weighed(origins)
  const isApp = act === "floods" || (channel !== "EMAIL" && channel !== "RCS" && (yield* Random.next) < 0.3)
  const sinceOutage = at - (ends - outage.from)
  const isDown = channel === "WHATSAPP" && sinceOutage >= 0 && sinceOutage < outage.for
  const drawn = yield* weighed(fates)
  const isPlain = act === "types it" || act === "mistypes once" || act === "leaves"
  const scene: Visit = {
    _tag: "Visit",
    at,
    who: yield* somebody(isApp && channel === "EMAIL" ? "SMS" : channel),
    path: isApp ? "SDK" : "SERVER",
    channel: isApp && channel !== "WHATSAPP" ? "SMS" : channel,
    act,
    fate: isDown ? "finds the provider down" : isPlain ? drawn : "arrives",
    thinks: Math.floor(7_000 + 60_000 * (yield* Random.next) ** 2),
    from: isApp ? origin : null
  }
  return scene
})

const conversation = Effect.fnUntraced(function* (ends: Instant) {
  const [asks, answer] = yield* oneOf(questions)
  const mood = yield* Random.next
  const scene: Conversation = {
    _tag: "Conversation",
    at: yield* momentOf(ends),
    who: yield* somebody("WHATSAPP"),
    asks,
    answer: mood < 0.6 ? answer : null,
    note: mood < 0.2 ? "Called back, all is well." : null,
    ends: mood < 0.35
  }
  return scene
})

/** All scenes of an example day that ends at this time, and of the same day a week before, in order. */
export const scenesOf = (seed: number, ends: Instant): Effect.Effect<ReadonlyArray<Scene>> =>
  Effect.gen(function* () {
    const scenes: Array<Scene> = []
    for (let i = 0; i < visitsWeekBefore; i++) scenes.push(yield* visit(ends, yield* momentOf(ends - week)))
    for (let i = 0; i < visitsOfDay; i++) scenes.push(yield* visit(ends, yield* momentOf(ends)))
    for (let i = 0; i < visitsLast; i++) {
      scenes.push(yield* visit(ends, Math.floor(ends - (yield* Random.next) * lastMinutes)))
    }
    for (let i = 0; i < conversationsOfDay; i++) scenes.push(yield* conversation(ends))
    return scenes.sort((a, b) => a.at - b.at)
  }).pipe(Random.withSeed(String(seed)))
