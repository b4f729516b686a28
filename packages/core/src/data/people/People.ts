import { Clock, Context, Effect, Layer, Result } from "effect"
import type { Caller } from "../../account/merchant/Caller.ts"
import { makeLookUp } from "../../account/merchant/makeLookUp.ts"
import { seesIdentities } from "../../account/merchant/seesIdentities.ts"
import { trustEndsAt, trustedNow } from "../../auth/verification/Device.ts"
import { findLimits } from "../../auth/verification/keptLimits.ts"
import { failuresInARow, linksPausedUntil, lockedUntil, type Subject } from "../../auth/verification/Subject.ts"
import { trustLife } from "../../auth/verification/trustLife.ts"
import { Unlocks } from "../../auth/verification/Unlocks.ts"
import type { Verification } from "../../auth/verification/Verification.ts"
import { VerificationStore } from "../../auth/verification/VerificationStore.ts"
import { type Lead, waitingSince } from "../../engagement/lead/Lead.ts"
import { Leads } from "../../engagement/lead/Leads.ts"
import { LeadStore } from "../../engagement/lead/LeadStore.ts"
import { OptOuts } from "../../engagement/optOut/OptOuts.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import * as Identity from "../../foundation/identity/Identity.ts"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import { maskText } from "../../foundation/identity/maskText.ts"
import type { Limits } from "../../foundation/limit/Limits.ts"
import type { RateLimited } from "../../foundation/limit/RateLimited.ts"
import type { Outbox } from "../../foundation/outbox/Outbox.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import * as PersonReference from "../../foundation/secret/PersonReference.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { days, type Instant } from "../../foundation/time/Instant.ts"
import { personQuery } from "../erasure/PersonQuery.ts"
import { History } from "../search/History.ts"
import { RefusalStore } from "../search/RefusalStore.ts"
import { type FoundBy, type FoundPerson, type PathLock, type Person, UnknownPerson } from "./Person.ts"

const longestSearch = 255
/** The most people that a search returns, and that each of its parts returns. */
const mostFound = 10
/** Last four digits find the people with a verification in this time. */
const endingWithin = days(30)
/** How many verifications a search for the newest one may read. With an index by person it reads one. */
const mostRead = 5_000
/** Fewer letters are no name. */
const leastLetters = 2

/** What a part of a search found: a person, by one of their records. */
interface Found {
  readonly canonical: string
  readonly by: FoundBy
  readonly lead?: Lead | null
  readonly requestId?: string | null
  /** Whether a login left it. Leads, opt-outs and refusals can be made for any number, so they prove nothing. */
  readonly isOfLogin: boolean
}

/** The parts of a search say different things about a person, so a person found twice gets the parts' records together. */
const merged = (found: ReadonlyArray<Found>): ReadonlyArray<Found> => {
  const people = new Map<string, Found>()
  for (const next of found) {
    const first = people.get(next.canonical)
    people.set(next.canonical, {
      canonical: next.canonical,
      by: first?.by ?? next.by,
      lead: first?.lead ?? next.lead ?? null,
      requestId: first?.requestId ?? next.requestId ?? null,
      isOfLogin: first?.isOfLogin === true || next.isOfLogin
    })
  }
  return [...people.values()].slice(0, mostFound)
}

const ofVerification =
  (by: FoundBy) =>
  ({ id, identity }: Verification): Found => ({ by, canonical: identity.canonical, requestId: id, isOfLogin: true })

/** A customer who hides their number is known by their conversation alone. */
const ofLead =
  (by: FoundBy) =>
  (lead: Lead): ReadonlyArray<Found> =>
    lead.phone === null ? [] : [{ by, canonical: lead.phone, lead, isOfLogin: false }]

const locksOf = (subject: Subject, most: number, now: Instant): ReadonlyArray<PathLock> =>
  (["SERVER", "SDK"] as const).map((path) => ({
    path,
    wrongCodes: failuresInARow(subject, path, now),
    lockedUntil: lockedUntil(subject, path, most, now)
  }))

const none: ReadonlyArray<Found> = []

/** Fewer digits without a plus are rarely a whole number, and often an order. */
const leastDigits = 10

/** The canonical identity that a text is, in any spelling; null for other texts. */
const identityIn = (text: string, defaultCountry: string | null): string | null => {
  const isShort = !text.startsWith("+") && !text.includes("@") && text.replace(/[^0-9]/g, "").length < leastDigits
  const identity: Result.Result<Pick<Identity.Identity, "canonical">, InvalidField> = isShort
    ? Identity.parse("MOBILE", text, defaultCountry)
    : personQuery(text, null, defaultCountry)
  return Result.isSuccess(identity) ? identity.success.canonical : null
}

/**
 * The people of an environment: end users, with everything that is stored about each of them. A person is named by a
 * reference, which does not show the identity.
 *
 * @example
 * ```ts
 * import { type Caller, People } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const unlock = Effect.fn(function* (caller: Caller, identity: string) {
 *   const people = yield* People
 *   const [found] = yield* people.find(caller, identity)
 *   return found !== undefined && (yield* people.unlock(caller, found.reference))
 * })
 * ```
 */
export class People extends Context.Service<
  People,
  {
    /** The reference of a person by their canonical identity. */
    readonly referenceOf: (environment: string, canonical: string) => string
    /**
     * Finds people by a whole identity, the last four digits of a number (within 30 days), a request id, an order id, or
     * the start of words in a lead's name. Best matches first. A search by a whole identity that finds no login counts
     * toward the caller's limit.
     */
    readonly find: (
      caller: Caller,
      search: string
    ) => Effect.Effect<ReadonlyArray<FoundPerson>, InvalidField | RateLimited | Contended | StoreError>
    /** A person. An erased person is one about whom nothing is stored. */
    readonly get: (caller: Caller, reference: string) => Effect.Effect<Person, UnknownPerson | StoreError>
    /** Resets the person's wrong codes, as `Unlocks` does. Returns false if there was nothing to reset. */
    readonly unlock: (
      caller: Caller,
      reference: string
    ) => Effect.Effect<boolean, UnknownPerson | Contended | StoreError>
  }
>()("@countersign/core/people/People") {
  static readonly layerNoDeps: Layer.Layer<
    People,
    never,
    History | Keyring | Leads | LeadStore | Limits | OptOuts | Outbox | RefusalStore | Unlocks | VerificationStore
  > = Layer.effect(
    People,
    Effect.gen(function* () {
      const history = yield* History
      const keyring = yield* Keyring
      const leadStore = yield* LeadStore
      const leads = yield* Leads
      const lookUp = yield* makeLookUp
      const optOuts = yield* OptOuts
      const refusals = yield* RefusalStore
      const unlocks = yield* Unlocks
      const verifications = yield* VerificationStore

      const referenceOf = (environment: string, canonical: string) =>
        PersonReference.of(keyring.current, environment, canonical)

      const opened = ({ environment }: Caller, reference: string) => {
        const canonical = PersonReference.open(keyring, environment, reference)
        return canonical === null
          ? Effect.fail(new UnknownPerson())
          : Effect.succeed({ canonical, type: Identity.typeOf(canonical) })
      }

      const leadOf = (environment: string, canonical: string) =>
        Identity.typeOf(canonical) === "EMAIL"
          ? Effect.succeed(null)
          : Effect.map(leadStore.known(environment, { phone: canonical, userId: null }, []), ({ lead }) => lead)

      const optOutOf = (environment: string, canonical: string) =>
        Identity.typeOf(canonical) === "EMAIL"
          ? Effect.succeed(null)
          : Effect.map(optOuts.of(environment, `+${canonical}`), (optOut) => (optOut?.isOut === true ? optOut : null))

      /** A lead's name may be anything that its customer chose, even a number. */
      const nameFor = (caller: Caller, lead: Lead | null | undefined): string | null =>
        lead?.name == null ? null : seesIdentities(caller, "RECORDS") ? lead.name : maskText(lead.name)

      const byIdentity = Effect.fnUntraced(function* ({ environment }: Caller, canonical: string) {
        const now = yield* Clock.currentTimeMillis
        const newest = { environment, before: "ver_~", since: "ver_", now, limit: 1, most: mostRead }
        const persons = PersonReference.all(keyring, environment, canonical)
        const [{ found }, subject, lead, optOut, refused] = yield* Effect.all(
          [
            verifications.search({ ...newest, filter: { canonical } }),
            verifications.subject(environment, canonical),
            leadOf(environment, canonical),
            optOutOf(environment, canonical),
            refusals.list({ environment, persons, reason: null, before: "rfs_~", since: "rfs_", limit: 1 })
          ],
          { concurrency: "unbounded" }
        )
        const isOfLogin = found.length > 0 || subject.version > 0
        if (!isOfLogin && lead === null && optOut === null && refused.length === 0) return none
        return [{ by: "IDENTITY" as const, canonical, lead, requestId: found[0]?.id ?? null, isOfLogin }]
      })

      const byRequest = Effect.fnUntraced(function* ({ environment }: Caller, requestId: string) {
        const verification = yield* verifications.find(environment, requestId)
        return verification === null ? none : [ofVerification("REQUEST")(verification)]
      })

      const byOrder = (caller: Caller, orderId: string) =>
        Effect.map(history.search(caller, { orderId, limit: mostFound }), ({ items }) =>
          items.map(ofVerification("ORDER"))
        )

      const byEnding = Effect.fnUntraced(function* (caller: Caller, digits: string) {
        const since = Identifier.first("ver", (yield* Clock.currentTimeMillis) - endingWithin)
        const [found, { items }] = yield* Effect.all(
          [
            verifications.endingWith(caller.environment, digits, { since, limit: mostFound }),
            leads.search(caller, { search: digits })
          ],
          { concurrency: "unbounded" }
        )
        return [...found.map(ofVerification("ENDING")), ...items.flatMap(({ lead }) => ofLead("ENDING")(lead))]
      })

      /** A text that the leads' own search refuses is no name, such as one with a number in it for a VIEWER. */
      const byName = (caller: Caller, search: string) =>
        leads.search(caller, { search }).pipe(
          Effect.map(({ items }) => items.flatMap(({ lead }) => ofLead("NAME")(lead))),
          Effect.catchTag("InvalidField", () => Effect.succeed(none))
        )

      const find = Effect.fnUntraced(function* (caller: Caller, search: string) {
        const text = search.trim()
        if (text === "" || text.length > longestSearch) {
          return yield* invalidField("search", Problem.of("LENGTH", { min: 1, max: longestSearch }))
        }
        const canonical = identityIn(text, caller.settings.defaultCountry)
        const isName = canonical === null && (text.match(/\p{L}/gu)?.length ?? 0) >= leastLetters
        const ask = Identifier.is("ver", text)
          ? byRequest(caller, text)
          : Effect.map(
              Effect.all(
                [
                  canonical === null ? Effect.succeed(none) : byIdentity(caller, canonical),
                  byOrder(caller, text),
                  /^[0-9]{4}$/.test(text) ? byEnding(caller, text) : Effect.succeed(none),
                  isName ? byName(caller, text) : Effect.succeed(none)
                ],
                { concurrency: "unbounded" }
              ),
              (parts) => parts.flat()
            )
        // Who sees masks may add leads and opt-outs, and cause refusals. So those do not lift the limit of searches.
        const found = merged(
          yield* canonical === null
            ? ask
            : lookUp(caller, "RECORDS", ask, (people) => people.some(({ isOfLogin }) => isOfLogin))
        )
        return found.map(
          ({ by, canonical, lead, requestId }): FoundPerson => ({
            reference: referenceOf(caller.environment, canonical),
            identity: Identity.mask(Identity.typeOf(canonical), canonical),
            identityType: Identity.typeOf(canonical),
            by,
            name: nameFor(caller, lead),
            leadId: lead?.id ?? null,
            requestId: requestId ?? null
          })
        )
      })

      const get = Effect.fnUntraced(function* (caller: Caller, reference: string) {
        const { canonical, type } = yield* opened(caller, reference)
        const { environment, settings } = caller
        const [subject, lead, optOut] = yield* Effect.all(
          [
            findLimits(verifications, keyring, environment, canonical),
            leadOf(environment, canonical),
            optOutOf(environment, canonical)
          ],
          { concurrency: "unbounded" }
        )
        const now = yield* Clock.currentTimeMillis
        const life = trustLife(settings)
        const person: Person = {
          reference: referenceOf(environment, canonical),
          identity: Identity.mask(type, canonical),
          identityType: type,
          country: type === "MOBILE" ? Identity.countryOf(canonical) : null,
          locks: locksOf(subject, settings.maxConsecutiveFailures, now),
          linksPausedUntil: linksPausedUntil(subject, now),
          devices: trustedNow(subject.devices, life, now)
            .map((device) => ({ ...device, trustEndsAt: trustEndsAt(device, life) }))
            .sort((a, b) => b.usedAt - a.usedAt),
          lead:
            lead === null
              ? null
              : {
                  id: lead.id,
                  name: nameFor(caller, lead),
                  status: lead.status,
                  lastMessageAt: lead.lastMessageAt,
                  waitingSince: waitingSince(lead, now)
                },
          optOut: optOut === null ? null : { by: optOut.by, at: optOut.at }
        }
        return person
      })

      return People.of({
        referenceOf,
        find,
        get,
        unlock: (caller, reference) =>
          Effect.flatMap(opened(caller, reference), (person) => unlocks.unlockPerson(caller, person))
      })
    })
  )
}
