import { Clock, Effect, Layer, Schema } from "effect"
import { CampaignReceipts } from "../../engagement/campaign/CampaignReceipts.ts"
import { EventStore } from "../../foundation/event/EventStore.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { LeadStore } from "../../engagement/lead/LeadStore.ts"
import { MerchantStore } from "../../account/merchant/MerchantStore.ts"
import { defaultSettings } from "../../account/merchant/Settings.ts"
import { OptOuts } from "../../engagement/optOut/OptOuts.ts"
import { Gate } from "../../foundation/outbox/Gate.ts"
import { type JobOutcome, Jobs, type Work } from "../../foundation/outbox/Jobs.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import * as PersonReference from "../../foundation/secret/PersonReference.ts"
import * as Seal from "../../foundation/secret/Seal.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { type Instant, minutes, seconds } from "../../foundation/time/Instant.ts"
import { stopwatch } from "../../foundation/time/steadyTime.ts"
import { VerificationStore } from "../../auth/verification/VerificationStore.ts"
import { RefusalStore } from "../search/RefusalStore.ts"
import { tellsOf } from "./answers.ts"
import { ErasedPerson, type Erasure, wasThere } from "./Erasure.ts"
import { eraseKind, erasureGate, erasurePlaces } from "./erasureJobs.ts"
import { ErasureStore } from "./ErasureStore.ts"
import { isSpent } from "./limits.ts"
import { concerns, maskEvent } from "./maskEvents.ts"
import { hideLimits, next, removeLead, removeStrays, removeVerifications, type Step } from "./steps.ts"

export const purpose = "erasure"

/** A run stops in time to keep its lease. The next run continues immediately. */
const longestTurn = seconds(10)
const verificationsAtOnce = 100
const messagesAtOnce = 200
const answersAtOnce = 200
const eventsAtOnce = 500
/** How many pages may be read again after a crash. A higher number means fewer commits during a long scan. */
const pagesBetweenCommits = 10
/**
 * How long a person's row must be unchanged before it is deleted. By then, every process that loaded the old row has
 * committed or failed. So its versions cannot be confused with those of a later row for the same person.
 */
const standsStill = minutes(1)
const looksAgain = minutes(10)

const PersonText = Schema.fromJsonString(ErasedPerson)
const PlaceText = Schema.fromJsonString(Schema.Struct({ endpoint: Schema.String, key: Schema.String }))

export const sealedPerson = (keyring: Keyring["Service"], person: ErasedPerson) =>
  Seal.seal(keyring, purpose, JSON.stringify(person))

const completed: JobOutcome = { _tag: "Completed" }
const later = (runAt: Instant): JobOutcome => ({ _tag: "Later", runAt, reason: "continues" })

/**
 * Removes a person's data step by step. Each step commits the removal together with the erasure's progress. So after a
 * crash the erasure continues where it was, and counts nothing twice.
 */
export const layer: Layer.Layer<
  never,
  never,
  | CampaignReceipts
  | ErasureStore
  | EventStore
  | Jobs
  | Keyring
  | LeadStore
  | MerchantStore
  | OptOuts
  | Outbox
  | RefusalStore
  | VerificationStore
> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* ErasureStore
    const commit = yield* Outbox.committer(ErasureStore)
    const campaigns = yield* CampaignReceipts
    const events = yield* EventStore
    const jobs = yield* Jobs
    const keyring = yield* Keyring
    const leads = yield* LeadStore
    const merchants = yield* MerchantStore
    const optOuts = yield* OptOuts
    const refusals = yield* RefusalStore
    const verifications = yield* VerificationStore

    const countryOf = Effect.fnUntraced(function* (environment: string) {
      const settings = (yield* merchants.environment(environment))?.environment.settings
      return { ...defaultSettings, ...settings }.defaultCountry
    })

    const save = Effect.fnUntraced(function* ({ change, erasure, person }: Step) {
      const sealed = yield* sealedPerson(keyring, person)
      yield* commit({ ...change, erasure: { ...erasure, sealed } })
    })

    const ofVerifications = Effect.fnUntraced(function* (erasure: Erasure, person: ErasedPerson) {
      const { environment, startedAt } = erasure
      const subject = yield* verifications.subject(environment, person.canonical)
      const page = { after: null, limit: verificationsAtOnce }
      const now = yield* Clock.currentTimeMillis
      const found = (yield* verifications.ofPerson(environment, person.canonical, page)).filter(({ id }) =>
        wasThere(Identifier.timeOf(id), startedAt, now)
      )
      yield* save(removeVerifications(erasure, person, subject, found, yield* countryOf(environment), now))
    })

    const ofLeads = Effect.fnUntraced(function* (erasure: Erasure, person: ErasedPerson) {
      const { environment } = erasure
      const { lead } =
        person.type === "EMAIL"
          ? { lead: null }
          : yield* leads.known(environment, { phone: person.canonical, userId: null }, [])
      const found =
        lead === null
          ? []
          : [
              ...(yield* leads.messages(lead, null, messagesAtOnce)),
              ...(yield* store.amending(environment, lead.id, null, messagesAtOnce))
            ]
      yield* save(removeLead(erasure, person, lead, found, found.length < messagesAtOnce))
    })

    const ofStrays = Effect.fnUntraced(function* (erasure: Erasure, person: ErasedPerson) {
      const page =
        person.type === "EMAIL" ? [] : yield* store.amending(erasure.environment, null, erasure.cursor, messagesAtOnce)
      const isAll = page.length < messagesAtOnce
      if (isAll && person.type === "MOBILE") {
        const phone = `+${person.canonical}`
        // Their messages are deleted, so none of them records the number again.
        yield* optOuts.forget(erasure.environment, phone)
        yield* campaigns.erase(erasure.environment, phone)
      }
      yield* save(removeStrays(erasure, person, page, isAll))
    })

    /** An answer that cannot be decrypted is never returned, and expires within a day. */
    const opened = (body: string | null) =>
      body === null ? Effect.succeed("") : Effect.orElseSucceed(Seal.open(keyring, "kept-answer", body), () => "")

    const ofAnswers = Effect.fnUntraced(function* (erasure: Erasure, person: ErasedPerson) {
      const { environment } = erasure
      let cursor = erasure.cursor
      let isOver = false
      const gone: Array<ErasureStore.AnswerKey> = []
      for (let pages = 0; pages < pagesBetweenCommits && gone.length === 0 && !isOver; pages++) {
        const after = cursor === null ? null : yield* Schema.decodeUnknownEffect(PlaceText)(cursor)
        const page = yield* store.answers(environment, after, answersAtOnce)
        for (const { body, endpoint, key } of page) {
          if (tellsOf(person, { endpoint, key }, yield* opened(body))) gone.push({ endpoint, key })
        }
        const last = page.at(-1)
        if (last !== undefined) cursor = JSON.stringify({ endpoint: last.endpoint, key: last.key })
        isOver = page.length < answersAtOnce
      }
      const change = ErasureStore.change(environment, { answers: gone })
      yield* save({ change, erasure: isOver ? next(erasure, "EVENTS") : { ...erasure, cursor }, person })
    })

    const ofEvents = Effect.fnUntraced(function* (erasure: Erasure, person: ErasedPerson) {
      const { environment, startedAt } = erasure
      const wanted = { ...person, country: yield* countryOf(environment) }
      const now = yield* Clock.currentTimeMillis
      const isMeant = (at: Instant) => wasThere(at, startedAt, now)
      let cursor = erasure.cursor
      let isOver = false
      const change: Array<ErasureStore.Change["silenced"][number]> = []
      for (let pages = 0; pages < pagesBetweenCommits && change.length === 0 && !isOver; pages++) {
        const page = yield* events.list({ environment, type: null, after: cursor, limit: eventsAtOnce })
        for (const event of page) if (concerns(event, wanted, isMeant)) change.push(maskEvent(event, person))
        cursor = page.at(-1)?.id ?? cursor
        isOver = page.length < eventsAtOnce
        yield* Effect.yieldNow
      }
      if (!isOver) {
        yield* save({
          change: ErasureStore.change(environment, { silenced: change }),
          erasure: { ...erasure, cursor },
          person
        })
        return
      }
      if (yield* cameLate(erasure, person, now)) {
        yield* save({
          change: ErasureStore.change(environment, { silenced: change }),
          erasure: next(erasure, "LEADS"),
          person
        })
        return
      }
      const ended = { ...next(erasure, "LIMITS"), finishedAt: now }
      // The references in refusals contain the identity. This is the last step that knows it.
      yield* refusals.forget(environment, PersonReference.all(keyring, environment, person.canonical))
      const hidden = hideLimits(keyring.current, person, yield* stillThere(environment, person))
      const changed = ErasureStore.change(environment, { silenced: change, people: hidden.people })
      yield* save({ change: changed, erasure: ended, person: hidden.person })
    })

    /** Whether a message from before the erasure became a conversation during it. */
    const cameLate = Effect.fnUntraced(function* (
      { environment, startedAt }: Erasure,
      person: ErasedPerson,
      now: Instant
    ) {
      if (person.type === "EMAIL") return false
      const { lead } = yield* leads.known(environment, { phone: person.canonical, userId: null }, [])
      const messages = lead === null ? [] : yield* leads.messages(lead, null, messagesAtOnce)
      return messages.some(({ id }) => wasThere(Identifier.timeOf(id), startedAt, now))
    })

    /** Deletes the person's row, unless the person has returned in the meantime. */
    const stillThere = Effect.fnUntraced(function* (environment: string, { canonical }: ErasedPerson) {
      const subject = yield* verifications.subject(environment, canonical)
      const [newer] = yield* verifications.ofPerson(environment, canonical, { after: null, limit: 1 })
      return subject.version === 0 || newer !== undefined ? null : subject
    })

    const over = (erasure: Erasure): Erasure => ({ ...next(erasure, "OVER"), sealed: null })

    /**
     * Deletes the row of limits once no limit counts any more and the row was unchanged long enough. The row stays if
     * the person returned.
     */
    const ofLimits = Effect.fnUntraced(function* (erasure: Erasure, person: ErasedPerson) {
      const { cursor, environment } = erasure
      const subject = yield* verifications.subject(environment, person.canonical)
      const [newer] = yield* verifications.ofPerson(environment, person.canonical, { after: null, limit: 1 })
      if (subject.version === 0 || newer !== undefined) {
        yield* commit(ErasureStore.change(environment, { erasure: over(erasure) }))
        return completed
      }
      const now = yield* Clock.currentTimeMillis
      const seen = String(subject.version)
      if (cursor === seen && isSpent(subject, now)) {
        const people = [{ subject, becomes: "gone", devices: "gone" }] as const
        yield* commit(ErasureStore.change(environment, { erasure: over(erasure), people }))
        return completed
      }
      if (cursor !== seen) yield* commit(ErasureStore.change(environment, { erasure: { ...erasure, cursor: seen } }))
      return later(now + (isSpent(subject, now) ? standsStill : looksAgain))
    })

    const phases = {
      VERIFICATIONS: ofVerifications,
      LEADS: ofLeads,
      STRAYS: ofStrays,
      ANSWERS: ofAnswers,
      EVENTS: ofEvents
    }

    const personOf = Effect.fnUntraced(function* ({ sealed }: Erasure) {
      if (sealed === null) return null
      const text = yield* Effect.option(Seal.open(keyring, purpose, sealed))
      const person = text._tag === "None" ? text : Schema.decodeUnknownOption(PersonText)(text.value)
      return person._tag === "None" ? null : person.value
    })

    const unreadable = (job: Work<unknown>) =>
      Effect.as(
        Effect.logError(
          "An erasure stopped: the secret that encrypted its person is no longer configured; add it to previousSecrets",
          {
            environment: job.environment,
            key: job.key
          }
        ),
        { _tag: "Buried", reason: "the key that sealed it is retired" } satisfies JobOutcome
      )

    /** The next step, or how the job continues after the last step of this run. */
    const step = Effect.fnUntraced(function* (job: Work<{ readonly erasureId: string }>) {
      const erasure = yield* store.get(job.environment, job.payload.erasureId)
      if (erasure === null || erasure.phase === "OVER") return completed
      const person = yield* personOf(erasure)
      if (person === null) return yield* unreadable(job)
      if (erasure.phase === "LIMITS") return yield* ofLimits(erasure, person)
      yield* phases[erasure.phase](erasure, person)
      return null
    })

    yield* jobs.pass(new Gate({ name: erasureGate, places: erasurePlaces, share: 1 }))
    yield* jobs.handle(eraseKind, (job) =>
      Effect.gen(function* () {
        const elapsed = yield* stopwatch
        for (;;) {
          const outcome = yield* untilCommitted(step(job))
          if (outcome !== null) return outcome
          if (elapsed() >= longestTurn) return later(yield* Clock.currentTimeMillis)
        }
      })
    )
  })
)
