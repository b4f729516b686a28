import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Instant } from "../../src/index.ts"
import { makeAttribution } from "../fixtures/AttributionWorld.ts"
import { wrote } from "../fixtures/InboxWorld.ts"
import { otp, start } from "../fixtures/World.ts"
import type { Report } from "../../src/engagement/attribution/makeReport.ts"

type Origin = readonly [source: string, medium: string, campaign: string]

interface Launched {
  readonly id: string
  readonly token: string
  readonly at: number
  readonly origin: Origin
  readonly visitor: string | null
  readonly click: string | null
}

interface Counted {
  readonly kind: "verifications" | "conversions" | "leads"
  readonly at: number
  readonly launchId: string | null
  readonly click: string | null
  readonly origin: Origin
  readonly money: readonly [cents: number, currency: string] | null
}

const direct: Origin = ["", "", ""]
const earliest = (launches: ReadonlyArray<Launched>): Launched | undefined =>
  launches.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))[0]

/** The expected report, counted over all events together. */
const expected = (
  launches: ReadonlyArray<Launched>,
  touches: ReadonlyArray<Counted>,
  model: "last" | "first",
  range: { readonly from: number; readonly to: number; readonly offset: number }
) => {
  const rows = new Map<string, any>()
  const row = (at: number, [source, medium, campaign]: Origin) => {
    const day = new Date(at + range.offset).toISOString().slice(0, 10)
    const key = JSON.stringify([day, source, medium, campaign])
    const none = { launches: 0, verifications: 0, conversions: 0, leads: 0, values: {} }
    const found = rows.get(key) ?? {
      day,
      source: source || null,
      medium: medium || null,
      campaign: campaign || null,
      ...none
    }
    rows.set(key, found)
    return found
  }
  const originOf = (touch: Counted): Origin => {
    const clicked = touch.click === null ? undefined : earliest(launches.filter(({ click }) => click === touch.click))
    const launch = clicked ?? launches.find(({ id }) => id === touch.launchId)
    if (launch === undefined) return touch.origin
    if (model === "last" || launch.visitor === null) return launch.origin
    return earliest(launches.filter(({ visitor }) => visitor === launch.visitor))!.origin
  }
  for (const { at, origin } of launches) if (at >= range.from && at < range.to) row(at, origin).launches++
  for (const touch of touches) {
    if (touch.at < range.from || touch.at >= range.to) continue
    const sum = row(touch.at, originOf(touch))
    sum[touch.kind]++
    if (touch.money !== null) sum.values[touch.money[1]] = (sum.values[touch.money[1]] ?? 0) + touch.money[0]
  }
  return [...rows]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { values, ...sum }]) => ({
      ...sum,
      values: Object.keys(values)
        .sort()
        .map((currency) => ({ currency: currency || null, value: values[currency] / 100 }))
    }))
}

const random = (seed: number) => {
  let state = seed
  const next = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
  const below = (n: number) => Math.floor(next() * n)
  return {
    below,
    chance: (share: number) => next() < share,
    of: <A>(all: ReadonlyArray<A>): A => all[below(all.length)]!
  }
}

const words = ["", "google", "news", "नमस्ते"]
const count = Number(process.env["ATTRIBUTION_EVENTS"] ?? "1000")

it.effect(
  `attribution sums equal a plain count over ${count} events, out of order, repeated, and with consent withdrawn`,
  () =>
    Effect.gen(function* () {
      const world = yield* makeAttribution()
      const { attribution, convert, folded, launch, live } = world
      const { below, chance, of } = random(7)
      const launches: Array<Launched> = []
      const touches: Array<Counted> = []
      const withdrawn: Array<Launched> = []
      const keyed: Array<Effect.Effect<unknown, unknown>> = []
      const requests: Array<{ readonly id: string; readonly launchId: string | null }> = []
      let leads = 0
      /** A time within the last three days, so that some coincide. */
      const moment = () => start - below(72) * 3_600_000
      const someLaunch = () => (chance(0.1) || launches.length === 0 ? (of(withdrawn) ?? null) : of(launches))

      const events = {
        launch: Effect.gen(function* () {
          const at = moment()
          const [visitor, click] = [chance(0.3) ? null : `f${below(60)}`, chance(0.7) ? null : `click${below(200)}`]
          const origin: Origin = [of(words), of(words), of(words)]
          const [source, medium, campaign] = origin
          const request = {
            utm: { source, medium, campaign },
            fingerprint: visitor,
            clickId: click,
            occurredAt: Instant.toIso(at)
          }
          const command = `launch ${launches.length + withdrawn.length}`
          const { launchId, launchToken } = yield* launch(request, command)
          const made = { id: launchId, token: launchToken, at, origin, visitor, click }
          launches.push(made)
          // Without a repeat of a withdrawn request: it would be recorded again, where HTTP returns the first answer
          // for a day.
          if (chance(0.05)) {
            keyed.push(Effect.suspend(() => (launches.includes(made) ? launch(request, command) : Effect.void)))
          }
        }),
        conversion: Effect.gen(function* () {
          const at = moment()
          const named = chance(0.5) ? someLaunch() : null
          const request = chance(0.4) ? of(requests) : undefined
          const money = chance(0.5) ? ([below(100_000), of(["INR", "EUR", ""])] as const) : null
          const asked = {
            launchId: named?.id ?? null,
            requestId: request?.id ?? "ver_00000000000000000000000000",
            ...(money === null ? {} : { value: money[0] / 100, currency: money[1] || null }),
            occurredAt: Instant.toIso(at)
          }
          const command = `conversion ${touches.length} ${below(1e9)}`
          yield* convert(asked, command)
          const led = [named?.id, request?.launchId].map((id) => launches.find((one) => one.id === id)).find(Boolean)
          const launchId = led?.id ?? null
          touches.push({ kind: "conversions", at, launchId, click: null, origin: direct, money })
          if (chance(0.05) && launchId === null) keyed.push(convert(asked, command))
        }),
        login: Effect.gen(function* () {
          const led = chance(0.8) ? someLaunch() : null
          const { verification } = yield* world.verifications.initiate(
            live,
            otp(`+9197${10_000_000 + requests.length}`, { channel: "WHATSAPP", launchId: led?.id ?? null }),
            null
          )
          const { id } = verification
          requests.push({ id, launchId: led?.id ?? null })
          if (chance(0.2)) return
          const at = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
          yield* world.verifications.verify(live, { requestId: id, otp: world.codeOf(verification) })
          if (led !== null && launches.includes(led)) {
            touches.push({ kind: "verifications", at, launchId: led.id, click: null, origin: direct, money: null })
          }
        }),
        lead: Effect.gen(function* () {
          const at = moment()
          const [sourceType, sourceId] = [of(["ad", "post", null]), of(["1201", "1202", null])]
          const click = chance(0.3) ? null : `click${below(200)}`
          const referral = { sourceType, sourceId, clickId: click, sourceUrl: null, headline: null }
          const phone = `9198${10_000_000 + leads++}`
          const message = wrote(phone, "Hello", at, { referral })
          yield* world.arrive(message)
          if (chance(0.1)) yield* world.arrive(message)
          const origin: Origin = ["whatsapp", sourceType ?? "", sourceId ?? ""]
          touches.push({ kind: "leads", at, launchId: null, click, origin, money: null })
        }),
        withdrawal: Effect.gen(function* () {
          const gone = launches.splice(below(launches.length), 1)[0]
          if (gone === undefined) return
          withdrawn.push(gone)
          yield* attribution.withdraw(live, gone.id, gone.token)
          if (chance(0.2)) yield* attribution.withdraw(live, gone.id, gone.token)
          for (let i = touches.length - 1; i >= 0; i--) if (touches[i]!.launchId === gone.id) touches.splice(i, 1)
        }),
        repeat: Effect.suspend(() => keyed.splice(below(keyed.length), 1)[0] ?? Effect.void),
        pause: TestClock.adjust("2 seconds")
      }
      const often: ReadonlyArray<keyof typeof events> = [
        ...Array.from({ length: 44 }, () => "launch" as const),
        ...Array.from({ length: 36 }, () => "conversion" as const),
        ...Array.from({ length: 5 }, () => "login" as const),
        ...Array.from({ length: 3 }, () => "lead" as const),
        ...Array.from({ length: 8 }, () => "withdrawal" as const),
        "repeat",
        "repeat",
        "repeat",
        "pause"
      ]
      for (let i = 0; i < count; i++) yield* events[of(often)]
      yield* folded(leads)

      const whole = { from: start - 5 * 86_400_000, to: start + 86_400_000 }
      const ranges = [
        { ...whole, offset: 0, tz: "UTC" },
        { ...whole, offset: 330 * 60_000, tz: "Asia/Kolkata" },
        { from: start - 50 * 3_600_000, to: start - 3_600_000, offset: -180 * 60_000, tz: "America/Sao_Paulo" }
      ]
      for (const model of ["last", "first"] as const) {
        for (const range of ranges) {
          const items: Array<Report["items"][number]> = []
          let cursor: string | null = null
          do {
            const query = { from: Instant.toIso(range.from), to: Instant.toIso(range.to), tz: range.tz, model, cursor }
            const page: Report = yield* attribution.report(live, query)
            items.push(...page.items)
            cursor = page.nextCursor
          } while (cursor !== null)
          assert.deepStrictEqual(items, expected(launches, touches, model, range), `${model} in ${range.tz}`)
          assert.isAbove(items.length, 100)
        }
      }
    }),
  60_000
)
