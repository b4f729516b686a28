import { Clock, Context, Effect, Layer } from "effect"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import type { InvalidField } from "../../foundation/identity/InvalidField.ts"
import { Limits } from "../../foundation/limit/Limits.ts"
import { placesOfAddress } from "../../foundation/limit/placesOfAddress.ts"
import type { RateLimited } from "../../foundation/limit/RateLimited.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { InvalidCredentials } from "../../account/merchant/MerchantError.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { Keyring, type MasterKey } from "../../foundation/secret/Keyring.ts"
import * as Proof from "../../foundation/secret/Proof.ts"
import * as SecretHash from "../../foundation/secret/SecretHash.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { Turns } from "../../foundation/storage/Turns.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { days, type Instant } from "../../foundation/time/Instant.ts"
import { VerificationStore } from "../../auth/verification/VerificationStore.ts"
import { begin, conversionTouch, follow, leave } from "./attribute.ts"
import type { AttributionQuery, ConversionRequest, LaunchRequest } from "./AttributionRequest.ts"
import { AttributionStore } from "./AttributionStore.ts"
import { type CheckedConversion, checkConversion } from "./checkConversion.ts"
import { type CheckedLaunch, checkLaunch } from "./checkLaunch.ts"
import { loadTrails } from "./loadTrails.ts"
import type { Launch } from "./Launch.ts"
import { makeReport, type Report } from "./makeReport.ts"
import { clickKey, empty, visitorKey } from "./Trail.ts"

/** How many launches and conversions one address may report per hour. */
const mostPerHour = 600

/** A recorded launch, as returned to the app. The token withdraws the consent; the server stores only its hash. */
export interface RecordedLaunch {
  readonly launchId: string
  readonly launchToken: string
}

/** Records a checked launch or conversion. Calls with the same idempotency key record it once; null means no key. */
export type Recording<A> = (idempotencyKey: string | null) => Effect.Effect<A, RateLimited | Contended | StoreError>

const claimOf = (environment: string, id: string): Proof.Claim => ({
  purpose: "launch",
  text: `${environment}\n${id}`
})

const idLength = 16
const longestToken = 64
const day = days(1)

/**
 * The possible ids of a new record: a random one, or with an idempotency key the one derived from it. The id contains
 * the day, and a repeat may come the next day, so the id of the day before follows.
 */
const idsOf = (
  key: MasterKey,
  prefix: "lch" | "cnv",
  environment: string,
  idempotencyKey: string | null,
  now: Instant
): readonly [string, ...ReadonlyArray<string>] => {
  if (idempotencyKey === null) return [Identifier.make(prefix, now)]
  const tail = Identifier.textOf(key.mac("launch", `${prefix}\n${environment}\n${idempotencyKey}`)).slice(0, idLength)
  const idOn = (at: Instant) => `${prefix}_${Identifier.timeText(at - (at % day))}${tail}`
  return [idOn(now), idOn(now - day)]
}

/**
 * Records where people came from: launches (only with consent), the conversions they led to, and sums of both.
 *
 * @example
 * ```ts
 * import { Attribution, type Caller } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const open = Effect.fn(function* (app: Caller, consent: boolean, address: string | null) {
 *   const attribution = yield* Attribution
 *   const record = yield* attribution.admitLaunch(app, { consent, utm: { source: "newsletter" } }, address)
 *   return record === null ? null : yield* record(null) // without consent nothing was written
 * })
 * ```
 */
export class Attribution extends Context.Service<
  Attribution,
  {
    /** Checks a launch and writes nothing. Returns null without consent: nothing is then checked, counted or stored. */
    readonly admitLaunch: (
      caller: Caller,
      request: LaunchRequest,
      /** The app's client address. All unknown addresses share one limit. */
      address: string | null
    ) => Effect.Effect<Recording<RecordedLaunch> | null, InvalidField | RateLimited | StoreError>
    /** Checks a conversion and writes nothing. */
    readonly admitConversion: (
      caller: Caller,
      request: ConversionRequest,
      address: string | null
    ) => Effect.Effect<Recording<{ readonly conversionId: string }>, InvalidField | RateLimited | StoreError>
    /** Withdraws the consent to a launch: erases it with its conversions. A repeat has no effect. */
    readonly withdraw: (
      caller: Caller,
      launchId: string,
      launchToken: string
    ) => Effect.Effect<void, InvalidCredentials | Contended | StoreError>
    /** Sums by day and origin. Verifications appear within 15 seconds, everything else immediately. */
    readonly report: (caller: Caller, query: AttributionQuery) => Effect.Effect<Report, InvalidField | StoreError>
  }
>()("@countersign/core/attribution/Attribution") {
  static readonly layerNoDeps: Layer.Layer<
    Attribution,
    never,
    AttributionStore | Keyring | Limits | Outbox | VerificationStore
  > = Layer.effect(
    Attribution,
    Effect.gen(function* () {
      const keyring = yield* Keyring
      const limits = yield* Limits
      const store = yield* AttributionStore
      const verifications = yield* VerificationStore
      const commit = yield* Outbox.committer(AttributionStore)
      const turns = new Turns()

      /**
       * Checks the hourly limits of the address and the environment. The returned function takes a place in both when
       * it records.
       */
      const withPlace = Effect.fnUntraced(function* <A>(
        { environment, settings }: Caller,
        address: string | null,
        record: (idempotencyKey: string | null) => Effect.Effect<A, Contended | StoreError>
      ) {
        const hourlyLimit = yield* limits.look(environment, [
          ...placesOfAddress(address, { key: "attribution", most: mostPerHour, limit: "address" }),
          { key: "attribution", most: settings.attributionPerHour, limit: "environment", countedIn: "storage" }
        ])
        return (idempotencyKey: string | null) => hourlyLimit.during(record(idempotencyKey))
      })

      const launchOf = (environment: string, ids: ReadonlyArray<string>) =>
        Effect.map(store.launches(environment, ids), ([launch]) => launch ?? null)

      /** The visitor's trail may have started under an older master secret. It then continues there. */
      const trailsFor = Effect.fnUntraced(function* (environment: string, { clickId, fingerprint }: CheckedLaunch) {
        const older = keyring.all.filter((key) => key !== keyring.current)
        const keys = fingerprint === null ? [] : [...older, keyring.current]
        const visitors = keys.map((key) => visitorKey(key, environment, fingerprint ?? ""))
        const click = clickId === null ? null : clickKey(clickId)
        const trailKeys = [...visitors, ...(click === null ? [] : [click])]
        const trailsByKey = new Map(
          (trailKeys.length === 0 ? [] : yield* store.trails(environment, trailKeys)).map((trail) => [trail.key, trail])
        )
        const visitor = visitors.find((key) => trailsByKey.has(key)) ?? visitors.at(-1) ?? null
        const trails = [visitor, click].flatMap((key) =>
          key === null ? [] : [trailsByKey.get(key) ?? empty(environment, key)]
        )
        return { visitor, click, trails }
      })

      /**
       * Launches of one trail run one after the other in this process. If a hundred people open one link at the same
       * time, they would otherwise conflict with each other: five thousand commits for a hundred launches.
       */
      const inTurn = <A, E>(environment: string, kind: string, name: string | null, effect: Effect.Effect<A, E>) =>
        name === null ? effect : turns.run(`${environment}/${kind}/${name}`, effect)

      const recordLaunch = Effect.fnUntraced(function* (
        { environment }: Caller,
        checked: CheckedLaunch,
        idempotencyKey: string | null
      ) {
        const ids = idsOf(keyring.current, "lch", environment, idempotencyKey, yield* Clock.currentTimeMillis)
        const recorded = (id: string): RecordedLaunch => ({
          launchId: id,
          launchToken: Proof.make(keyring.current, claimOf(environment, id))
        })
        const decide = Effect.gen(function* () {
          const existing = idempotencyKey === null ? null : yield* launchOf(environment, ids)
          if (existing !== null) return recorded(existing.id)
          const { click, trails, visitor } = yield* trailsFor(environment, checked)
          const { at, details, origin } = checked
          const tokenHash = SecretHash.hash(recorded(ids[0]).launchToken)
          const launch: Launch = { environment, id: ids[0], version: 0, at, origin, visitor, click, details, tokenHash }
          yield* commit(begin(launch, trails))
          return recorded(launch.id)
        })
        // Always the visitor's turn before the click's, so that no two launches wait for each other.
        const byClick = inTurn(environment, "click", checked.clickId, untilCommitted(decide))
        return yield* inTurn(environment, "visitor", checked.fingerprint, byClick)
      })

      /** The launch that led to a conversion: the one it names, otherwise the launch of the verification it names. */
      const launchBehind = Effect.fnUntraced(function* (
        environment: string,
        named: string | null,
        verified: string | null
      ) {
        if (named !== null) {
          const launch = yield* launchOf(environment, [named])
          if (launch !== null) return launch
        }
        return verified === null ? null : yield* launchOf(environment, [verified])
      })

      const recordConversion = Effect.fnUntraced(function* (
        { environment }: Caller,
        checked: CheckedConversion,
        idempotencyKey: string | null
      ) {
        const ids = idsOf(keyring.current, "cnv", environment, idempotencyKey, yield* Clock.currentTimeMillis)
        const verification =
          checked.requestId === null ? null : yield* verifications.find(environment, checked.requestId)
        const conversion = { ...checked, requestId: verification?.id ?? null }
        const decide = Effect.gen(function* () {
          const existing = idempotencyKey === null ? [] : yield* store.conversions(environment, ids)
          if (existing[0] !== undefined) return existing[0]
          const launch = yield* launchBehind(environment, checked.launchId, verification?.launchId ?? null)
          yield* commit(
            follow([conversionTouch(environment, ids[0], conversion, launch)], launch === null ? [] : [launch])
          )
          return ids[0]
        })
        const turn = checked.launchId ?? verification?.launchId ?? ids[0]
        return { conversionId: yield* turns.run(`${environment}/${turn}`, untilCommitted(decide)) }
      })

      const erase = Effect.fnUntraced(function* (environment: string, id: string) {
        const launch = yield* launchOf(environment, [id])
        if (launch === null) return
        yield* commit(leave(launch, "erased", yield* loadTrails(store, launch)))
      })

      return Attribution.of({
        admitLaunch: Effect.fnUntraced(function* (caller, request, address) {
          if (request.consent !== true) return null
          const checked = yield* Effect.fromResult(checkLaunch(request, yield* Clock.currentTimeMillis))
          return yield* withPlace(caller, address, (idempotencyKey) => recordLaunch(caller, checked, idempotencyKey))
        }),
        admitConversion: Effect.fnUntraced(function* (caller, request, address) {
          const checked = yield* Effect.fromResult(checkConversion(request, yield* Clock.currentTimeMillis))
          return yield* withPlace(caller, address, (idempotencyKey) =>
            recordConversion(caller, checked, idempotencyKey)
          )
        }),
        withdraw: Effect.fnUntraced(function* ({ environment }, launchId, launchToken) {
          const claim = claimOf(environment, launchId)
          // The key that made the token may have been retired. The stored launch can still confirm it, while it exists.
          if (!keyring.all.some((key) => Proof.matches(key, claim, launchToken))) {
            const launch =
              launchToken.length <= longestToken && Identifier.is("lch", launchId)
                ? yield* launchOf(environment, [launchId])
                : null
            if (launch === null || !SecretHash.equals(SecretHash.hash(launchToken), launch.tokenHash)) {
              return yield* new InvalidCredentials()
            }
          }
          yield* untilCommitted(erase(environment, launchId))
        }),
        report: makeReport(store, keyring)
      })
    })
  )
}
