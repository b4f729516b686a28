import { Cache, Clock, Duration, Effect, Exit, Layer, Schema } from "effect"
import type { Inbound } from "../../foundation/delivery/Inbound.ts"
import { InboundListener } from "../../foundation/delivery/InboundListener.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { MerchantStore } from "../../account/merchant/MerchantStore.ts"
import { Numbers } from "../../account/number/Numbers.ts"
import type { Job } from "../../foundation/outbox/Job.ts"
import { OptOuts } from "../optOut/OptOuts.ts"
import { Gate } from "../../foundation/outbox/Gate.ts"
import { type JobOutcome, Jobs, type Work } from "../../foundation/outbox/Jobs.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import * as Seal from "../../foundation/secret/Seal.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { type Arrived, messageId, Parcel, written } from "./Arrived.ts"
import { CampaignAnswers } from "./CampaignAnswers.ts"
import { ErasedWriters } from "./ErasedWriters.ts"
import { fetchAllocation } from "./fetchAllocation.ts"
import { inboundJob, inboundKind, inboxGate, inboxPlaces, mostInParcel } from "./inboxJobs.ts"
import type { Lead } from "./Lead.ts"
import { StaffStore } from "../../auth/staff/StaffStore.ts"
import { LeadStore } from "./LeadStore.ts"
import { pushJobs } from "./pushJobs.ts"
import { type Correspondence, receive } from "./receive.ts"
import { saidOfCampaigns } from "./saidOfCampaigns.ts"
import { counting, allocating } from "./Allocation.ts"

const purpose = "inbound"
const committed: JobOutcome = { _tag: "Committed" }
const completed: JobOutcome = { _tag: "Completed" }

/** An environment never changes its merchant, so entries do not expire. Unknown environments are not cached. */
const mostOwners = 10_000

/** How many customers of one parcel are looked up concurrently. */
const atOnce = 10

const ParcelText = Schema.fromJsonString(Parcel)

interface Person {
  readonly phone: string | null
  readonly userId: string | null
}

/** The people whose leads a parcel may change: the senders, by phone and by provider id, and their new numbers. */
const namesIn = (arrived: ReadonlyArray<Arrived>): { phones: ReadonlySet<string>; people: ReadonlyArray<Person> } => {
  const phones = new Set<string>()
  const people = new Map<string, Person>()
  for (const { written } of arrived) {
    const { phone, userId } = written.sender
    people.set(JSON.stringify([phone, userId]), { phone, userId })
    if (written._tag === "System" && written.newPhone !== null) phones.add(written.newPhone)
  }
  return { phones, people: [...people.values()] }
}

/** The job for a parcel of customer messages, sealed. */
export const sealed = Effect.fnUntraced(function* (
  keyring: Keyring["Service"],
  environment: string,
  arrived: ReadonlyArray<Arrived>,
  now: Instant
) {
  const text = yield* Seal.seal(keyring, purpose, JSON.stringify({ arrived } satisfies Parcel))
  const ids = arrived.map(({ written }) => written.id)
  return inboundJob(environment, ids, text, now)
})

/**
 * Receives customer messages. A callback's messages are sealed and committed as jobs before the provider gets a
 * response. The jobs turn them into leads and conversations. A repeated message is dropped.
 */
export const layer: Layer.Layer<
  InboundListener,
  never,
  CampaignAnswers | ErasedWriters | Jobs | Keyring | LeadStore | MerchantStore | Numbers | OptOuts | Outbox | StaffStore
> = Layer.effect(
  InboundListener,
  Effect.gen(function* () {
    const campaigns = yield* CampaignAnswers
    const jobs = yield* Jobs
    const keyring = yield* Keyring
    const erasedWriters = yield* ErasedWriters
    const store = yield* LeadStore
    const staffStore = yield* StaffStore
    const merchants = yield* MerchantStore
    const numbers = yield* Numbers
    const optOuts = yield* OptOuts
    const outbox = yield* Outbox
    const commit = yield* Outbox.committer(LeadStore)
    const owners = yield* Cache.makeWith(
      (environment: string) =>
        Effect.map(merchants.environment(environment), (record) =>
          record === null ? null : { merchantId: record.merchant.id, isLive: record.environment.kind === "live" }
        ),
      {
        capacity: mostOwners,
        timeToLive: (exit) => (Exit.isSuccess(exit) && exit.value !== null ? Duration.infinity : Duration.zero)
      }
    )

    const take = Effect.fnUntraced(function* (inbound: ReadonlyArray<Inbound>) {
      const now = yield* Clock.currentTimeMillis
      const byReceiver = Map.groupBy(
        inbound.map((inboundMessage, place) => ({ one: inboundMessage, id: messageId(now, place) })),
        ({ one }) => one.receiver
      )
      const parcels = new Map<string, Array<Arrived>>()
      let dropped = 0
      for (const [receiver, received] of byReceiver) {
        const environment = yield* numbers.environmentOf(receiver)
        if (environment === null) {
          dropped += received.length
          continue
        }
        const parcel = parcels.get(environment) ?? []
        parcels.set(environment, parcel)
        for (const { id, one } of received) parcel.push({ id, written: written(one) })
      }
      if (dropped > 0) {
        yield* Effect.logDebug("Messages to numbers that are not connected were dropped", { messages: dropped })
      }
      const parcelJobs: Array<Job> = []
      for (const [environment, messages] of parcels) {
        messages.sort((a, b) => (a.id < b.id ? -1 : 1))
        for (let from = 0; from < messages.length; from += mostInParcel) {
          parcelJobs.push(yield* sealed(keyring, environment, messages.slice(from, from + mostInParcel), now))
        }
      }
      // A repeat's job may already be running in another process. It stays unchanged, and no second job starts.
      if (parcelJobs.length > 0) yield* outbox.addMissing({ jobs: parcelJobs, done: null })
    })

    const correspondence = Effect.fnUntraced(function* (
      environment: string,
      merchantId: string,
      arrived: ReadonlyArray<Arrived>
    ) {
      const { people, phones } = namesIn(arrived)
      const ids = [...new Set(arrived.map(({ written }) => written.id))]
      const answeredIds = arrived.flatMap(({ written }) =>
        written._tag === "Message" && written.context?.messageId != null ? [written.context.messageId] : []
      )
      const leads = new Map<number, Lead>()
      const storedIds = new Set<string>()
      const loadLead = Effect.fnUntraced(function* (person: Person, providerIds: ReadonlyArray<string>) {
        const match = yield* store.known(environment, person, providerIds)
        if (match.lead !== null) leads.set(match.lead.id, match.lead)
        for (const id of match.kept) storedIds.add(id)
        return match.lead
      })
      const loadLeads = Effect.fnUntraced(function* (person: Person, place: number) {
        const lead = yield* loadLead(person, place === 0 ? ids : [])
        // Another lead may have the sender's other identifier.
        if (person.phone !== null && person.userId !== null && lead?.userId !== person.userId) {
          yield* loadLead({ phone: null, userId: person.userId }, [])
        }
      })
      yield* Effect.forEach(people, loadLeads, { concurrency: atOnce, discard: true })
      yield* Effect.forEach(phones, (phone) => loadLead({ phone, userId: null }, []), {
        concurrency: atOnce,
        discard: true
      })
      const loaded: Correspondence = {
        environment,
        leads: [...leads.values()],
        kept: storedIds,
        campaigns: answeredIds.length === 0 ? new Map() : yield* campaigns.campaignsOf(environment, answeredIds),
        staff: yield* staffStore.staff(merchantId)
      }
      return loaded
    })

    /**
     * Drops messages of people who were erased after the message arrived. The query is cheap, because most parcels are
     * younger than any erasure.
     */
    const unlessErased = Effect.fnUntraced(function* (
      environment: string,
      arrived: ReadonlyArray<Arrived>,
      now: Instant
    ) {
      const earliest = Math.min(...arrived.map(({ id }) => Identifier.timeOf(id)))
      const isErased = yield* erasedWriters.since(environment, earliest, now)
      if (isErased === null) return { arrived, erased: [] }
      const isOfErased = ({ id, written }: Arrived) => {
        const at = Identifier.timeOf(id)
        return isErased(written.sender.phone, at) || (written._tag === "System" && isErased(written.newPhone, at))
      }
      return { arrived: arrived.filter((arrival) => !isOfErased(arrival)), erased: arrived.filter(isOfErased) }
    })

    const work = Effect.fnUntraced(function* (
      job: Work<{ readonly sealed: string }>,
      { arrived: parcelMessages }: Parcel
    ) {
      const { environment } = job
      const owner = yield* Cache.get(owners, environment)
      if (owner === null) return completed
      const { isLive, merchantId } = owner
      const now = yield* Clock.currentTimeMillis
      const { arrived, erased } = yield* unlessErased(environment, parcelMessages, now)
      // An opt-out survives an erasure, without the number.
      yield* optOuts.heard(environment, saidOfCampaigns(erased, { leads: [] }, now))
      for (const { written } of erased) {
        if (written.sender.phone !== null) yield* optOuts.forget(environment, `+${written.sender.phone}`)
      }
      if (arrived.length === 0) return completed
      const context = yield* correspondence(environment, merchantId, arrived)
      const { needs, allocation } = counting()
      receive(arrived, context, allocation, now)
      const fetched = yield* fetchAllocation(store, environment, needs)
      const eventId = () => Identifier.make("evt", now)
      const received = receive(arrived, context, allocating({ ...fetched, eventId }), now)
      if (received.messages.length === 0) return completed
      // Record this before the job ends. If the process dies in between, the repeat changes nothing.
      yield* optOuts.heard(environment, saidOfCampaigns(arrived, context, now))
      const jobs = isLive ? pushJobs(received, context.staff.agents, merchantId, now) : []
      yield* commit(LeadStore.change({ ...received, jobs, done: job }))
      return committed
    })

    const putAside = (job: Work<unknown>, problem: string) =>
      Effect.as(
        Effect.logWarning("A job with customers' messages could not be read and was set aside", {
          environment: job.environment,
          key: job.key,
          problem
        }),
        { _tag: "Buried", reason: problem } satisfies JobOutcome
      )

    const handle = Effect.fnUntraced(function* (job: Work<{ readonly sealed: string }>) {
      const opened = yield* Effect.option(Seal.open(keyring, purpose, job.payload.sealed))
      if (opened._tag === "None")
        return yield* putAside(job, "it was modified, or the secret that encrypted it is no longer configured")
      const parcel = Schema.decodeUnknownOption(ParcelText)(opened.value)
      if (parcel._tag === "None")
        return yield* putAside(job, "another version wrote it in a format that this version does not know")
      return yield* untilCommitted(work(job, parcel.value))
    })

    yield* jobs.pass(new Gate({ name: inboxGate, places: inboxPlaces, share: 1 }))
    yield* jobs.handle(inboundKind, handle)

    return InboundListener.of({ take })
  })
)
