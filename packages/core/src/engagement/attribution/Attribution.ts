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

/** How many launches and conversions an address may tell of in an hour. */
const mostPerHour = 600

/** A launch as whoever recorded it knows it. The token withdraws the consent to it, and is kept nowhere here. */
export interface RecordedLaunch {
  readonly launchId: string
  readonly launchToken: string
}

/** What may be recorded. Carried out twice with one idempotency key, it is recorded once; null is none. */
export type Recording<A> = (command: string | null) => Effect.Effect<A, RateLimited | Contended | StoreError>

const claimOf = (environment: string, id: string): Proof.Claim => ({
  purpose: "launch",
  text: `${environment}\n${id}`
})

const idLength = 16
const longestToken = 64
const day = days(1)

/**
 * Which ids what is told now can have: a new one, or with an idempotency key the one that follows from it. A repeat may come
 * a day later, so it looks for that of the day before as well.
 */
const idsOf = (
  key: MasterKey,
  prefix: "lch" | "cnv",
  environment: string,
  command: string | null,
  now: Instant
): readonly [string, ...ReadonlyArray<string>] => {
  if (command === null) return [Identifier.make(prefix, now)]
  const tail = Identifier.textOf(key.mac("launch", `${prefix}\n${environment}\n${command}`)).slice(0, idLength)
  const idOn = (at: Instant) => `${prefix}_${Identifier.timeText(at - (at % day))}${tail}`
  return [idOn(now), idOn(now - day)]
}

/**
 * Tells where people came from: launches, with consent alone; what they led to; and sums of both.
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
    /**
     * Checks what an app says of a launch, and writes nothing. Null without consent: then there is nothing to check,
     * count or keep.
     */
    readonly admitLaunch: (
      caller: Caller,
      request: LaunchRequest,
      /** Where the app called from. All whose address nobody knows count as one. */
      address: string | null
    ) => Effect.Effect<Recording<RecordedLaunch> | null, InvalidField | RateLimited | StoreError>
    /** Checks what an app says of a conversion, and writes nothing. */
    readonly admitConversion: (
      caller: Caller,
      request: ConversionRequest,
      address: string | null
    ) => Effect.Effect<Recording<{ readonly conversionId: string }>, InvalidField | RateLimited | StoreError>
    /**
     * Withdraws the consent to a launch: it is erased with its conversions, and joins nothing any more. Doing it again
     * changes nothing.
     */
    readonly withdraw: (
      caller: Caller,
      launchId: string,
      launchToken: string
    ) => Effect.Effect<void, InvalidCredentials | Contended | StoreError>
    /** Sums by day and origin. What was verified counts 15 seconds later at the latest, all else at once. */
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

      /** Looks for a place in the hour of an address and of the environment, and takes both when it records. */
      const withPlace = Effect.fnUntraced(function* <A>(
        { environment, settings }: Caller,
        address: string | null,
        record: (command: string | null) => Effect.Effect<A, Contended | StoreError>
      ) {
        const seen = yield* limits.look(environment, [
          ...placesOfAddress(address, { key: "attribution", most: mostPerHour, limit: "address" }),
          { key: "attribution", most: settings.attributionPerHour, limit: "environment", countedIn: "storage" }
        ])
        return (command: string | null) => seen.during(record(command))
      })

      const launchOf = (environment: string, ids: ReadonlyArray<string>) =>
        Effect.map(store.launches(environment, ids), ([found]) => found ?? null)

      /** Somebody's trail may have been begun under an older master secret: then it goes on there. */
      const trailsFor = Effect.fnUntraced(function* (environment: string, { clickId, fingerprint }: CheckedLaunch) {
        const older = keyring.all.filter((key) => key !== keyring.current)
        const keys = fingerprint === null ? [] : [...older, keyring.current]
        const visitors = keys.map((key) => visitorKey(key, environment, fingerprint ?? ""))
        const click = clickId === null ? null : clickKey(clickId)
        const asked = [...visitors, ...(click === null ? [] : [click])]
        const found = new Map(
          (asked.length === 0 ? [] : yield* store.trails(environment, asked)).map((trail) => [trail.key, trail])
        )
        const visitor = visitors.find((key) => found.has(key)) ?? visitors.at(-1) ?? null
        const trails = [visitor, click].flatMap((key) =>
          key === null ? [] : [found.get(key) ?? empty(environment, key)]
        )
        return { visitor, click, trails }
      })

      /**
       * Launches of one trail take turns in this process. Without, of a hundred people who come by one link at one moment
       * each would conflict with all others: five thousand commits, of which a hundred count.
       */
      const inTurn = <A, E>(environment: string, kind: string, name: string | null, effect: Effect.Effect<A, E>) =>
        name === null ? effect : turns.run(`${environment}/${kind}/${name}`, effect)

      const recordLaunch = Effect.fnUntraced(function* (
        { environment }: Caller,
        checked: CheckedLaunch,
        command: string | null
      ) {
        const ids = idsOf(keyring.current, "lch", environment, command, yield* Clock.currentTimeMillis)
        const recorded = (id: string): RecordedLaunch => ({
          launchId: id,
          launchToken: Proof.make(keyring.current, claimOf(environment, id))
        })
        const decide = Effect.gen(function* () {
          const before = command === null ? null : yield* launchOf(environment, ids)
          if (before !== null) return recorded(before.id)
          const { click, trails, visitor } = yield* trailsFor(environment, checked)
          const { at, details, origin } = checked
          const tokenHash = SecretHash.hash(recorded(ids[0]).launchToken)
          const launch: Launch = { environment, id: ids[0], version: 0, at, origin, visitor, click, details, tokenHash }
          yield* commit(begin(launch, trails))
          return recorded(launch.id)
        })
        // First that of the visitor, then that of the click: in one order for all, so that nobody waits in a circle.
        const byClick = inTurn(environment, "click", checked.clickId, untilCommitted(decide))
        return yield* inTurn(environment, "visitor", checked.fingerprint, byClick)
      })

      /** The launch that led to a conversion: the one it names, else that of the verification it names. */
      const ledBy = Effect.fnUntraced(function* (environment: string, named: string | null, verified: string | null) {
        if (named !== null) {
          const launch = yield* launchOf(environment, [named])
          if (launch !== null) return launch
        }
        return verified === null ? null : yield* launchOf(environment, [verified])
      })

      const recordConversion = Effect.fnUntraced(function* (
        { environment }: Caller,
        checked: CheckedConversion,
        command: string | null
      ) {
        const ids = idsOf(keyring.current, "cnv", environment, command, yield* Clock.currentTimeMillis)
        const found = checked.requestId === null ? null : yield* verifications.find(environment, checked.requestId)
        const known = { ...checked, requestId: found?.id ?? null }
        const decide = Effect.gen(function* () {
          const before = command === null ? [] : yield* store.conversions(environment, ids)
          if (before[0] !== undefined) return before[0]
          const launch = yield* ledBy(environment, checked.launchId, found?.launchId ?? null)
          yield* commit(follow([conversionTouch(environment, ids[0], known, launch)], launch === null ? [] : [launch]))
          return ids[0]
        })
        const turn = checked.launchId ?? found?.launchId ?? ids[0]
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
          return yield* withPlace(caller, address, (command) => recordLaunch(caller, checked, command))
        }),
        admitConversion: Effect.fnUntraced(function* (caller, request, address) {
          const checked = yield* Effect.fromResult(checkConversion(request, yield* Clock.currentTimeMillis))
          return yield* withPlace(caller, address, (command) => recordConversion(caller, checked, command))
        }),
        withdraw: Effect.fnUntraced(function* ({ environment }, launchId, launchToken) {
          const claim = claimOf(environment, launchId)
          // The key that made it may be gone; then the launch itself tells, as long as there is one.
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
