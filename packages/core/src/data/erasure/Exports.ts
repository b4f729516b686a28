import { Clock, Context, Effect, Layer, Option, Stream } from "effect"
import { AttributionStore } from "../../engagement/attribution/AttributionStore.ts"
import { CampaignStore } from "../../engagement/campaign/CampaignStore.ts"
import { EventStore } from "../../foundation/event/EventStore.ts"
import type { InvalidField } from "../../foundation/identity/InvalidField.ts"
import { labelsOf } from "../../engagement/lead/changeLead.ts"
import { LabelStore } from "../../engagement/lead/Label.ts"
import type { Lead } from "../../engagement/lead/Lead.ts"
import { LeadStore } from "../../engagement/lead/LeadStore.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { auditEntry } from "../../foundation/outbox/AuditEntry.ts"
import { OptOuts } from "../../engagement/optOut/OptOuts.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import * as PersonReference from "../../foundation/secret/PersonReference.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { findLimits } from "../../auth/verification/keptLimits.ts"
import { VerificationStore } from "../../auth/verification/VerificationStore.ts"
import { RefusalStore } from "../search/RefusalStore.ts"
import { personOf, wasThere } from "./Erasure.ts"
import { ErasureStore } from "./ErasureStore.ts"
import * as Exported from "./exported.ts"
import { concerns } from "./maskEvents.ts"
import { type PersonQuery, personQuery } from "./PersonQuery.ts"

type Lines = Stream.Stream<Exported.Exported, StoreError>

const atOnce = 100
const eventsAtOnce = 500

/** Reads all pages after a position. */
const pages = <A, P>(
  load: (after: P | null) => Effect.Effect<ReadonlyArray<A>, StoreError>,
  placeOf: (last: A) => P,
  size: number
): Stream.Stream<A, StoreError> =>
  Stream.paginate(null as P | null, (after) =>
    Effect.map(load(after), (page) => {
      const last = page.at(-1)
      return [page, page.length < size || last === undefined ? Option.none() : Option.some(placeOf(last))] as const
    })
  )

/**
 * Exports a person's data in an environment, in every spelling of their identity.
 *
 * @example
 * ```ts
 * import { type Caller, Exports } from "@countersign/core"
 * import { Effect, Stream } from "effect"
 *
 * const show = Effect.fn(function* (caller: Caller, identity: string) {
 *   const exports = yield* Exports
 *   const lines = yield* exports.of(caller, identity)
 *   yield* Stream.runForEach(lines, (line) => Effect.log(line.kind))
 * })
 * ```
 */
export class Exports extends Context.Service<
  Exports,
  {
    /**
     * The export line by line, read from storage as the caller consumes it. The request is recorded in the history
     * before the first line can be read.
     */
    readonly of: (caller: Caller, identity: string) => Effect.Effect<Lines, InvalidField | StoreError>
  }
>()("@countersign/core/erasure/Exports") {
  static readonly layerNoDeps: Layer.Layer<
    Exports,
    never,
    | AttributionStore
    | CampaignStore
    | ErasureStore
    | EventStore
    | Keyring
    | LabelStore
    | LeadStore
    | OptOuts
    | Outbox
    | RefusalStore
    | VerificationStore
  > = Layer.effect(
    Exports,
    Effect.gen(function* () {
      const attribution = yield* AttributionStore
      const campaigns = yield* CampaignStore
      const erasures = yield* ErasureStore
      const events = yield* EventStore
      const keyring = yield* Keyring
      const labels = yield* LabelStore
      const leads = yield* LeadStore
      const optOuts = yield* OptOuts
      const outbox = yield* Outbox
      const refusals = yield* RefusalStore
      const verifications = yield* VerificationStore

      /** Each with the launch that it names, unless its visitor has withdrawn consent. */
      const ofVerifications = (environment: string, { canonical }: PersonQuery): Lines =>
        pages(
          (after: string | null) => verifications.ofPerson(environment, canonical, { after, limit: atOnce }),
          ({ id }) => id,
          atOnce
        ).pipe(
          Stream.mapEffect((verification) =>
            Effect.map(
              verification.launchId === undefined
                ? Effect.succeed([])
                : attribution.launches(environment, [verification.launchId]),
              (launches) => [Exported.ofVerification(verification), ...launches.map(Exported.ofLaunch)]
            )
          ),
          Stream.flatMap(Stream.fromIterable)
        )

      const ofRefusals = (environment: string, { canonical }: PersonQuery): Lines => {
        const page = {
          environment,
          persons: PersonReference.all(keyring, environment, canonical),
          reason: null,
          since: "rfs_",
          limit: atOnce
        }
        return pages(
          (before: string | null) => refusals.list({ ...page, before: before ?? "rfs_~" }),
          ({ id }) => id,
          atOnce
        ).pipe(Stream.map(Exported.ofRefusal))
      }

      const ofSubject = (environment: string, { canonical }: PersonQuery): Lines =>
        Stream.unwrap(
          Effect.map(findLimits(verifications, keyring, environment, canonical), (subject) =>
            Stream.fromIterable(subject.version === 0 ? [] : Exported.ofSubject(subject))
          )
        )

      const ofOptOut = (environment: string, { canonical, type }: PersonQuery): Lines =>
        type === "EMAIL"
          ? Stream.empty
          : Stream.fromEffect(optOuts.of(environment, `+${canonical}`)).pipe(
              Stream.flatMap((optOut) => (optOut === null ? Stream.empty : Stream.make(Exported.ofOptOut(optOut))))
            )

      const ofRecipients = (environment: string, { canonical, type }: PersonQuery): Lines =>
        type === "EMAIL"
          ? Stream.empty
          : pages(
              (after: CampaignStore.RecipientKey | null) =>
                campaigns.ofPerson(environment, `+${canonical}`, { after, limit: atOnce }),
              ({ campaignId, number }) => ({ campaignId, number }),
              atOnce
            ).pipe(Stream.map(Exported.ofRecipient))

      const ofLead = (merchantId: string, lead: Lead): Lines =>
        Stream.fromEffect(
          Effect.map(labels.list(merchantId), (all) => Exported.ofLead(lead, labelsOf(lead, all)))
        ).pipe(
          Stream.concat(
            pages(
              (after: Parameters<typeof leads.messages>[1]) => leads.messages(lead, after, atOnce),
              ({ at, id }) => ({ at, id }),
              atOnce
            ).pipe(Stream.map(Exported.ofMessage))
          ),
          Stream.concat(
            pages(
              (after: string | null) => erasures.amending(lead.environment, lead.id, after, atOnce),
              ({ id }) => id,
              atOnce
            ).pipe(Stream.map(Exported.ofMessage))
          ),
          Stream.concat(
            pages(
              (before: number | null) => leads.history(lead, before, atOnce),
              ({ number }) => number,
              atOnce
            ).pipe(Stream.map(Exported.ofEntry))
          )
        )

      const ofEvents = (environment: string, person: PersonQuery, now: number): Lines =>
        pages(
          (after: string | null) => events.list({ environment, type: null, after, limit: eventsAtOnce }),
          ({ id }) => id,
          eventsAtOnce
        ).pipe(
          Stream.filter((event) => concerns(event, person, (at) => wasThere(at, now, now))),
          Stream.map(Exported.ofEvent)
        )

      return Exports.of({
        of: Effect.fnUntraced(function* (caller, identity) {
          const { environment, settings } = caller
          const query = yield* Effect.fromResult(personQuery(identity, null, settings.defaultCountry))
          const now = yield* Clock.currentTimeMillis
          const person = personOf(keyring.current, environment, query.canonical)
          yield* outbox.append({
            audited: [auditEntry(caller, { action: "person.exported", target: { kind: "person", id: person } }, now)]
          })
          const { lead } =
            query.type === "EMAIL"
              ? { lead: null }
              : yield* leads.known(environment, { phone: query.canonical, userId: null }, [])
          const queryWithLead: PersonQuery =
            lead === null ? query : { ...query, leads: [lead.id], contacts: [lead.contact] }
          return Stream.make(Exported.ofPerson(query, caller.kind, now)).pipe(
            Stream.concat(ofVerifications(environment, query)),
            Stream.concat(ofRefusals(environment, query)),
            Stream.concat(ofSubject(environment, query)),
            Stream.concat(ofOptOut(environment, query)),
            Stream.concat(ofRecipients(environment, query)),
            Stream.concat(lead === null ? Stream.empty : ofLead(caller.merchantId, lead)),
            Stream.concat(ofEvents(environment, queryWithLead, now)),
            Stream.concat(Stream.make(Exported.end))
          )
        })
      })
    })
  )
}
