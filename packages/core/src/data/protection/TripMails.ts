import { Clock, Effect, Layer, Redacted } from "effect"
import { Currency } from "../../account/billing/Currency.ts"
import { MerchantStore } from "../../account/merchant/MerchantStore.ts"
import { atLeast } from "../../account/merchant/Role.ts"
import { withDefaults } from "../../account/merchant/Settings.ts"
import { isActive } from "../../auth/staff/Agent.ts"
import { StaffStore } from "../../auth/staff/StaffStore.ts"
import { tripMail, tripMailKind } from "../../auth/verification/tripMail.ts"
import { canMail, carries } from "../../foundation/delivery/carries.ts"
import { Channels } from "../../foundation/delivery/Channels.ts"
import { LinkAddress } from "../../foundation/delivery/LinkAddress.ts"
import type { NoticeMessage } from "../../foundation/delivery/Message.ts"
import { isStopped, type Trip, tripKept } from "../../foundation/guard/Trip.ts"
import { TripStore } from "../../auth/verification/TripStore.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { noRecords } from "../../foundation/outbox/Change.ts"
import { type JobOutcome, Jobs } from "../../foundation/outbox/Jobs.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { hours, type Instant } from "../../foundation/time/Instant.ts"
import * as Reference from "../../message/sending/Reference.ts"
import { Senders } from "../../message/sending/Senders.ts"

const completed: JobOutcome = { _tag: "Completed" }

/** The time between two mails of an environment. */
const between = hours(1)

/** Mails a merchant's owners and admins when the guard stops places: at most once an hour, and once for each trip. */
export const layer: Layer.Layer<
  never,
  never,
  Channels | Currency | Jobs | LinkAddress | MerchantStore | Outbox | Senders | StaffStore | TripStore
> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { code: currency } = yield* Currency
    const jobs = yield* Jobs
    const merchants = yield* MerchantStore
    const senders = yield* Senders
    const staff = yield* StaffStore
    const trips = yield* TripStore
    const commit = yield* Outbox.committer(TripStore)
    const channel = (yield* Channels).carriersOf("EMAIL").find((carrier) => carries(carrier, "EMAIL", "Notice"))
    const { dashboard } = yield* LinkAddress

    /** Marks a trip as mailed before the mail is sent: a crash between the two loses a mail and never sends it twice. */
    const mark = (trip: Trip, now: Instant) =>
      untilCommitted(
        Effect.gen(function* () {
          const stored = yield* trips.get(trip.environment, trip.reason, trip.place)
          if (stored === null || stored.since !== trip.since || stored.mailedAt !== null) return []
          return [yield* commit({ ...noRecords, trip: { ...stored, mailedAt: now } })]
        })
      )

    yield* jobs.handle(tripMailKind, ({ environment }) =>
      Effect.gen(function* () {
        const access = yield* merchants.environment(environment)
        if (channel === undefined || dashboard === null || access === null) return completed
        const { agents } = yield* staff.staff(access.merchant.id)
        // A merchant can enter any address, so mails go only to an address whose owner has signed in.
        const readers = agents.filter(
          (agent) =>
            isActive(agent) &&
            agent.agreedAt !== null &&
            atLeast(agent.role, "ADMIN") &&
            canMail(channel, agent.canonical)
        )
        if (readers.length === 0) return completed
        const now = yield* Clock.currentTimeMillis
        const known = yield* trips.list(environment, now - tripKept)
        const latest = Math.max(...known.map(({ mailedAt }) => mailedAt ?? 0))
        // The clock may have been set back since the latest mail.
        if (now >= latest && now - latest < between)
          return { _tag: "Later", runAt: latest + between, reason: "a mail was sent within the hour" } as const
        const unmailed = known.filter((trip) => trip.mailedAt === null && isStopped(trip, now))
        const marked = (yield* Effect.forEach(unmailed, (trip) => mark(trip, now))).flat()
        if (marked.length === 0) return completed
        const { brand, locale, timeZone } = withDefaults(access.environment.settings)
        const { subject, text } = tripMail({
          trips: marked,
          merchant: access.merchant.name,
          money: (amount) => moneyOf(amount, currency),
          page: `${dashboard}/protection`,
          timeZone,
          locale
        })
        for (const agent of readers) {
          const deliveryId = Identifier.make("dlv", now)
          const message: NoticeMessage = {
            _tag: "Notice",
            deliveryId,
            // Nothing waits for this mail's receipt.
            reference: Reference.format({ environment, ownerId: `trip_${agent.id}`, deliveryId }),
            to: agent.canonical,
            brand,
            locale,
            subject: Redacted.make(subject),
            text: Redacted.make(text),
            html: null,
            validForSeconds: null,
            expiresAt: null,
            options: {}
          }
          const sent = yield* senders.send(channel, message)
          if (sent._tag !== "Sent")
            yield* Effect.logWarning("A mail about a stopped place could not be sent", {
              environment,
              agentId: agent.id,
              problem: sent._tag === "Failed" ? sent.error.reason.providerCode : sent._tag
            })
        }
        return completed
      })
    )
  })
)

/** An amount of the smallest unit in words: `₹24.00`. */
const moneyOf = (amount: number, currency: string): string => {
  const format = new Intl.NumberFormat("en-IN", { style: "currency", currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}
