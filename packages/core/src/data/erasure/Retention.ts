import { Clock, Effect, Layer } from "effect"
import { CampaignStore } from "../../engagement/campaign/CampaignStore.ts"
import { trustLife } from "../../auth/verification/trustLife.ts"
import { MerchantStore } from "../../account/merchant/MerchantStore.ts"
import { defaultSettings } from "../../account/merchant/Settings.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { logStoreError } from "../../foundation/storage/logStoreError.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { ClockStore } from "../../foundation/storage/ClockStore.ts"
import { days, hours, type Instant, minutes, toIso } from "../../foundation/time/Instant.ts"
import * as Timekeeper from "../../foundation/storage/Timekeeper.ts"
import type { Subject } from "../../auth/verification/Subject.ts"
import { ErasureStore } from "./ErasureStore.ts"
import { isSpent } from "./limits.ts"

/**
 * How many days data is kept. Data is deleted only if it was too old at two checks that are a day of uptime apart. So a
 * clock that runs ahead for less than a day deletes nothing.
 */
export interface RetentionOptions {
  readonly verifications: number
  readonly events: number
}

export const usualRetention: RetentionOptions = { verifications: 30, events: 30 }
/** The allowed values. */
export const retentionRange = { least: 1, most: 400 }

const first = minutes(1)
const every = hours(1)
/** How many rounds pass between two searches for people without verifications. */
const roundsBetweenWalks = 6
/** A downtime of a day is normal, and a clock error this small deletes little. */
const farAhead = days(3)
/** Small enough that a step does not slow down sign-ins. */
const atOnce = 500

/**
 * Deletes data after its retention period: verifications with their references, events, the webhook log, recipients of
 * finished campaigns, and people without other data. Each step is small and repeatable, so any number of processes may
 * run it concurrently.
 */
export const layer = (
  options: RetentionOptions
): Layer.Layer<never, never, CampaignStore | ClockStore | ErasureStore | MerchantStore | Outbox> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const store = yield* ErasureStore
      const commit = yield* Outbox.committer(ErasureStore)
      const campaigns = yield* CampaignStore
      const commitCampaign = yield* Outbox.committer(CampaignStore)
      const merchants = yield* MerchantStore
      const time = yield* Timekeeper.make

      const forgetVerifications = Effect.fnUntraced(function* (environment: string, before: Instant) {
        for (let after: string | null = null; ; ) {
          const expired: ReadonlyArray<ErasureStore.GoneVerification> = yield* store.old(
            environment,
            before,
            after,
            atOnce
          )
          if (expired.length > 0) yield* commit(ErasureStore.change(environment, { verifications: expired }))
          if (expired.length < atOnce) return
          after = expired.at(-1)?.id ?? null
          yield* Effect.yieldNow
        }
      })

      const forgetEvents = Effect.fnUntraced(function* (environment: string, before: Instant) {
        while ((yield* store.forget(environment, before, atOnce)) === atOnce) yield* Effect.yieldNow
      })

      /** Recipients are deleted with their campaign, once its totals are final. */
      const forgetRecipients = Effect.fnUntraced(function* (now: Instant) {
        for (const campaign of yield* campaigns.uncounted(now - days(options.verifications), atOnce)) {
          const counts = yield* campaigns.progress(campaign.environment, campaign.id)
          yield* commitCampaign(CampaignStore.change({ campaign: { ...campaign, counts } }))
        }
        while ((yield* campaigns.forget(now - hours(1), atOnce)) === atOnce) yield* Effect.yieldNow
      })

      const settingsOf = Effect.fnUntraced(function* (environment: string) {
        const record = yield* merchants.environment(environment)
        return { ...defaultSettings, ...record?.environment.settings }
      })

      /**
       * People of one environment. A person who returns concurrently moves their version, and is skipped until the next
       * round.
       */
      const forgetPeople = (environment: string, people: ReadonlyArray<Subject>): Effect.Effect<void, StoreError> =>
        commit(
          ErasureStore.change(environment, {
            people: people.map((subject) => ({ subject, becomes: "gone", devices: "gone" }))
          })
        ).pipe(
          Effect.catchTag("Conflict", () =>
            people.length === 1
              ? Effect.void
              : Effect.forEach(people, (person) => forgetPeople(environment, [person]), { discard: true })
          ),
          Effect.asVoid
        )

      const walk = Effect.fnUntraced(function* (now: Instant) {
        for (let after: ErasureStore.PersonKey | null = null; ; ) {
          const page: ReadonlyArray<ErasureStore.Person> = yield* store.people(after, atOnce)
          const subjects = page.flatMap(({ subject }) => subject ?? [])
          for (const [environment, people] of Map.groupBy(subjects, ({ environment }) => environment)) {
            const life = trustLife(yield* settingsOf(environment))
            const spent = people.filter((subject) => isSpent(subject, now, life))
            if (spent.length > 0) yield* forgetPeople(environment, spent)
          }
          if (page.length < atOnce) return
          after = page.at(-1) ?? null
          yield* Effect.yieldNow
        }
      })

      let isWarned = false
      /** Warns once before a deletion when the clock moved much further than the processes have run. */
      const warn = Effect.fnUntraced(function* (clock: Instant, now: Instant | null) {
        const isFar = now !== null && clock - now > farAhead
        if (isFar && !isWarned) {
          const before = clock - days(options.verifications)
          let expiredCount = 0
          for (const environment of yield* store.environments) {
            expiredCount += (yield* store.old(environment, before, null, atOnce)).length
          }
          if (expiredCount > 0) {
            yield* Effect.logWarning(
              "The clock jumped far ahead within one day of uptime. After another day of uptime, data that is too old by this clock is deleted: correct the clock before then if it is wrong",
              {
                clock: toIso(clock),
                aDayAgo: toIso(now),
                verifications: expiredCount >= atOnce ? `${expiredCount} or more` : expiredCount
              }
            )
          }
        }
        isWarned = isFar
      })

      const round = Effect.fnUntraced(function* (number: number) {
        const clock = yield* Clock.currentTimeMillis
        const now = yield* time.aged(clock)
        yield* warn(clock, now)
        if (now === null) return
        for (const environment of yield* store.environments) {
          yield* forgetVerifications(environment, now - days(options.verifications))
          yield* forgetEvents(environment, now - days(options.events))
        }
        yield* forgetRecipients(now)
        if (number % roundsBetweenWalks === 0) yield* walk(now)
      })

      let rounds = 0
      yield* Effect.suspend(() => round(rounds++)).pipe(
        Effect.catch((error) =>
          error._tag === "StoreError"
            ? logStoreError("Expired data was not deleted", error)
            : Effect.logDebug("Another process deletes expired data")
        ),
        Effect.andThen(Effect.sleep(every)),
        Effect.forever,
        Effect.delay(first),
        Effect.forkScoped
      )
    })
  )
