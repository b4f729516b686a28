import {
  type Caller,
  deliveryStatusOf,
  History,
  Identity,
  Instant,
  InvalidField,
  Live,
  type Outcome,
  People,
  type Refusal,
  RefusedInitiates,
  seenContext,
  seenMessageName,
  type TimelineItem,
  Unlocks,
  Verification
} from "@countersign/core"
import { Effect } from "effect"
import { prefersCsv } from "../csv/csv.ts"
import { csvFile, pagesOf } from "../csv/csvFile.ts"
import { makeExports } from "../csv/makeExports.ts"
import type { errors as auth } from "../auth/errors.ts"
import type { Handlers } from "../Handlers.ts"
import { shownInboxLead } from "../inbox/shownInboxLead.ts"
import type { VerificationAnswer, VerificationApi } from "./contract.ts"
import type { errors } from "./errors.ts"
import { refusalColumns, verificationColumns } from "./exportedColumns.ts"
import { serverSentEvents } from "./serverSentEvents.ts"

const shownOutcome = ({ lockedUntil, ...outcome }: Outcome) => ({
  ...outcome,
  lockedUntil: Instant.toIsoOrNull(lockedUntil)
})

/** What a relayed code has instead of a verification's status. */
const relayedIn = (verification: Verification.Verification) =>
  verification.kind === "Relayed"
    ? {
        deliveryStatus: deliveryStatusOf(verification.deliveries),
        purpose: verification.purpose,
        origin: verification.origin
      }
    : null

/** A verification with a masked identity. */
const shownVerification = (
  caller: Caller,
  people: People["Service"],
  verification: Verification.Verification,
  outcome: Outcome | null
): typeof VerificationAnswer.Type => ({
  requestId: verification.id,
  person: people.referenceOf(verification.environment, verification.identity.canonical),
  identity: Identity.mask(verification.identity.type, verification.identity.canonical),
  identityType: verification.identity.type,
  mode: verification.mode,
  channel: verification.channel,
  path: verification.path,
  orderId: verification.orderId,
  trial: verification.trial !== undefined,
  relayed: relayedIn(verification),
  authStatus: verification.status,
  attemptsLeft: Verification.attemptsLeft(verification),
  method: verification.method,
  country: Verification.countryOf(verification),
  context: seenContext(caller, verification.context),
  guard: verification.guard ?? { verdict: "allow", reasons: [] },
  createdAt: Instant.toIso(verification.createdAt),
  verifiedAt: Instant.toIsoOrNull(verification.verifiedAt),
  outcome: outcome === null ? null : shownOutcome(outcome),
  deliveries: verification.deliveries.map((delivery) => ({
    id: delivery.id,
    channel: delivery.channel,
    type: delivery.type,
    deliveryStatus: delivery.status,
    attemptNumber: delivery.attemptNumber,
    carrier: delivery.carrier ?? null,
    providerId: seenMessageName(caller, delivery.providerId),
    providerCode: delivery.status === "FAILED" ? delivery.providerCode : null,
    createdAt: Instant.toIso(delivery.createdAt)
  }))
})

const shownItem =
  (caller: Caller) =>
  ({ at, data, ...item }: TimelineItem) => ({
    at: Instant.toIso(at),
    ...item,
    data:
      typeof data["providerId"] === "string"
        ? { ...data, providerId: seenMessageName(caller, data["providerId"]) }
        : data
  })

const shownMessage = ({ delivery, subject, template, text }: History.Message) => ({
  deliveryId: delivery.id,
  channel: delivery.channel,
  templateId: template?.id ?? null,
  templateVersion: template?.version ?? null,
  subject,
  text
})

const shownRefusal = ({ at, channel, country, errorCode, identity, path, person, reason }: Refusal) => ({
  at: Instant.toIso(at),
  path,
  errorCode,
  reason,
  identity,
  person,
  channel,
  country
})

/** The filters of a list in core. */
type Asked<List extends (caller: Caller, request: never) => unknown> = Parameters<List>[1]

const rowsAtOnce = 1_000

const paged = <Q extends object>(query: Q, cursor: string | undefined) => ({
  ...query,
  limit: rowsAtOnce,
  ...(cursor === undefined ? {} : { cursor })
})

/** Answers `/v1/dashboard/verifications*`. */
export const make = Effect.gen(function* () {
  const exports = yield* makeExports
  const history = yield* History
  const live = yield* Live
  const people = yield* People
  const refused = yield* RefusedInitiates
  const unlocks = yield* Unlocks
  /** As the stream shows it, without the person's lock: that would cost a statement for each item. */
  const streamed = (caller: Caller) => (verification: Verification.Verification) =>
    shownVerification(caller, people, verification, history.outcomeOf(caller, verification))
  /** As lists show it. Only a wrong code can lock a person, so only those rows read a lock, all in one statement. */
  const listed = (caller: Caller) => (verification: Verification.Verification) =>
    verification.attempts === 0
      ? Effect.succeed(streamed(caller)(verification))
      : Effect.map(history.explain(caller, verification), (outcome) =>
          shownVerification(caller, people, verification, outcome)
        )
  const verificationFile = Effect.fnUntraced(function* (
    caller: Caller,
    { cursor: _, limit: __, ...query }: Asked<typeof history.search>,
    unmasked: boolean
  ) {
    const load = (cursor?: string) =>
      Effect.map(history.search(caller, paged(query, cursor)), ({ items, nextCursor }) => ({
        items: items.map((verification) => ({ verification, outcome: history.outcomeOf(caller, verification) })),
        nextCursor
      }))
    // A wrong filter is refused before the export is recorded.
    yield* history.search(caller, { ...query, limit: 1 })
    yield* exports.recorded(caller, "verifications", query, { unmasked })
    return csvFile(`verifications-${caller.kind}`, verificationColumns(unmasked), pagesOf(load))
  })

  const refusalFile = Effect.fnUntraced(function* (
    caller: Caller,
    { cursor: _, limit: __, ...query }: Asked<typeof refused.list>
  ) {
    const load = (cursor?: string) => refused.list(caller, paged(query, cursor))
    yield* refused.list(caller, { ...query, limit: 1 })
    yield* exports.recorded(caller, "refusals", query)
    return csvFile(`refused-${caller.kind}`, refusalColumns, pagesOf(load))
  })

  const handlers: Handlers<typeof VerificationApi, typeof auth | typeof errors> = {
    search: Effect.fnUntraced(function* ({ accept = null, caller, query: { unmask = false, ...query } }) {
      if (prefersCsv(accept)) return yield* verificationFile(caller, query, unmask)
      if (unmask) return yield* new InvalidField({ field: "unmask", problem: "is only for Accept: text/csv" })
      const { items, nextCursor } = yield* history.search(caller, query)
      return { items: yield* Effect.forEach(items, listed(caller), { concurrency: "unbounded" }), nextCursor }
    }),
    get: ({ caller, params }) =>
      Effect.flatMap(history.get(caller, params.requestId), (verification) =>
        Effect.map(history.explain(caller, verification), (outcome) =>
          shownVerification(caller, people, verification, outcome)
        )
      ),
    timeline: ({ caller, params }) =>
      Effect.map(history.timeline(caller, params.requestId), (items) => ({ items: items.map(shownItem(caller)) })),
    messages: ({ caller, params }) =>
      Effect.map(history.messages(caller, params.requestId), (items) => ({ items: items.map(shownMessage) })),
    lock: ({ caller, params }) =>
      Effect.map(unlocks.lockOf(caller, params.requestId), ({ lockedUntil, reason, wrongCodes }) => ({
        lockedUntil: Instant.toIsoOrNull(lockedUntil),
        reason,
        wrongCodes
      })),
    unlock: ({ caller, params }) =>
      Effect.map(unlocks.unlockPersonOf(caller, params.requestId), (unlocked) => ({ unlocked })),
    refusals: ({ accept = null, caller, query }) =>
      prefersCsv(accept)
        ? refusalFile(caller, query)
        : Effect.map(refused.list(caller, query), ({ items, nextCursor }) => ({
            items: items.map(shownRefusal),
            nextCursor
          })),
    live: ({ caller, listening }) =>
      Effect.map(live.listen(caller, listening?.lastEventId ?? null), (items) =>
        serverSentEvents(
          items,
          (item) =>
            item.kind === "lead"
              ? shownInboxLead(caller, people)(item.lead)
              : item.kind === "viewers"
                ? item.viewers.map(({ since, ...viewer }) => ({ ...viewer, since: Instant.toIso(since) }))
                : item.kind === "changed"
                  ? { leads: item.leads }
                  : streamed(caller)(item.verification),
          listening?.stillAdmitted ?? Effect.succeed(true)
        )
      ),
    unmask: ({ caller, params }) => Effect.map(history.unmask(caller, params.requestId), (identity) => ({ identity }))
  }
  return handlers
})
