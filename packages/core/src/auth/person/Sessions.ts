import { type Array as Arr, Cache, Clock, Context, Duration, Effect, Exit, Layer, Redacted } from "effect"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import type { Caller, SignedIn } from "../../account/merchant/Caller.ts"
import { type EnvironmentKind, keyScopes, type Merchant } from "../../account/merchant/Merchant.ts"
import { InvalidCredentials, type MerchantSuspended, UnknownMerchant } from "../../account/merchant/MerchantError.ts"
import { Merchants } from "../../account/merchant/Merchants.ts"
import { auditEntry } from "../../foundation/outbox/AuditEntry.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { type Instant, minutes, toIso } from "../../foundation/time/Instant.ts"
import { steadyTime } from "../../foundation/time/steadyTime.ts"
import { type Agent, isActive } from "./Agent.ts"
import { UnknownSession } from "./PersonError.ts"
import { type MembershipKey, membershipKey, type Opening } from "./Opening.ts"
import { StaffStore } from "./StaffStore.ts"
import { crowdedOut, freshUntil, isBelowRule, isLive, reaches, type Session, type SessionMethod } from "./Session.ts"
import { hashOf, newToken } from "./sessionToken.ts"

/** How long a process goes on with what it knows of a session: its end is everywhere known within this time. */
const freshness = "3 seconds"
const capacity = 10_000
/** How often the last use of a session is written down. */
const noted = minutes(5)
/** A storage that did not answer is asked again at once, and what is not there is not remembered. */
const timeToLive = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isSuccess(exit) && exit.value !== null ? freshness : Duration.zero

/** Whom idTokens would be for, if somebody who is signed in could have one: never a key's client id. */
const audience = "countersign:dashboard"

/** Where somebody signs in. */
export interface Browser {
  readonly address: string | null
  readonly userAgent: string | null
  /** The token of a session that it has already, which a new one takes the place of. */
  readonly token: string | null
}

/** How somebody has shown who they are. */
export interface Shown {
  readonly method: SessionMethod
  /**
   * Whether it shows, just now and to this service, that the e-mail address is theirs. Who merely has what a merchant
   * gave them, such as a link, has shown nothing to other merchants that know somebody by that address.
   */
  readonly emailProven: boolean
  /** When they showed it, where that was not just now. */
  readonly signedInAt?: Instant | undefined
}

/** Somebody who is signed in, and where. */
export interface Standing {
  readonly agent: Agent
  readonly merchant: Pick<Merchant, "id" | "name">
  /** Where they may go on to without signing in again, this one included. */
  readonly merchants: ReadonlyArray<Pick<Merchant, "id" | "name">>
  /** Until then they may do what asks for a fresh sign-in. */
  readonly freshUntil: Instant
}

/** An account of a person's address, as one of their sessions stands to it. */
export interface Account {
  readonly agent: Agent
  /** What the session may have a credential open there; null where it did not sign in to it. */
  readonly opening: Opening | null
  /** Whether passkeys are the rule there, and the session has not signed in to it with one. */
  readonly needsPasskey: boolean
}

/** A session that has begun. Its token is in this answer and in the cookie, and nowhere else. */
export interface Granted extends Standing {
  readonly token: Redacted.Redacted
}

type Memberships<P extends StaffStore.Membership = StaffStore.UsedMembership> = Arr.NonEmptyReadonlyArray<P>

const isSame = (a: Agent, b: Agent): boolean => a.merchantId === b.merchantId && a.id === b.id

/** Whether somebody may sign in there. */
export const isOpen = ({ agent, merchant }: StaffStore.Membership): boolean =>
  isActive(agent) && merchant.status === "ACTIVE"

/** Whether the person works here by their own will: any merchant can write an address down. */
export const hasAgreed = ({ agent, lastUsedAt }: StaffStore.UsedMembership): boolean =>
  agent.agreedAt !== null || lastUsedAt !== null

/**
 * Whether a sign-in without a named merchant leads to `a` rather than to `b`. Any merchant can write down an address, so
 * one where its person has signed in before goes first; then the one used last; then the one that has existed longest.
 */
const goesBefore = (a: StaffStore.UsedMembership, b: StaffStore.UsedMembership): boolean => {
  if (hasAgreed(a) !== hasAgreed(b)) return hasAgreed(a)
  if (a.lastUsedAt !== b.lastUsedAt) return (a.lastUsedAt ?? -1) > (b.lastUsedAt ?? -1)
  return a.agent.createdAt < b.agent.createdAt
}

/** Where a sign-in leads that names no merchant. */
export const landing = ([first, ...others]: Memberships): StaffStore.UsedMembership =>
  others.reduce((best, membership) => (goesBefore(membership, best) ? membership : best), first)

type EndReason = "SIGN_OUT" | "REVOKED" | "REPLACED" | "TOO_MANY" | "CHANGED_OVER"

/** Whatever people do with their own sign-in belongs to the merchant, not to one environment. */
const doerOf = ({ email, id, merchantId }: Agent, address: string | null) => ({
  merchantId,
  environment: null,
  actor: { kind: "AGENT" as const, id: String(id), label: email },
  address
})

const startedEntry = (agent: Agent, { address, id, method, signedInAt }: Session, now: Instant) =>
  auditEntry(
    doerOf(agent, address),
    {
      action: "session.started",
      target: { kind: "session", id },
      to: { method, agentId: agent.id, signedInAt: toIso(signedInAt) }
    },
    now
  )

const endedEntry = (agent: Agent, session: Session, reason: EndReason, address: string | null, now: Instant) =>
  auditEntry(
    doerOf(agent, address),
    { action: "session.ended", target: { kind: "session", id: session.id }, to: { reason, agentId: session.agentId } },
    now
  )

/**
 * Who is signed in: sessions of the people who work for merchants.
 *
 * @example
 * ```ts
 * import { Sessions } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const roleOf = Effect.fn(function* (cookie: string) {
 *   const { person } = yield* (yield* Sessions).callerOf(cookie, null)
 *   return person?.role
 * })
 * ```
 */
export class Sessions extends Context.Service<
  Sessions,
  {
    /**
     * Whom a session speaks for, by the token in its cookie: an agent, in one of their merchant's environments; in the
     * live one where `kind` is null. A session that has ended, and one that never was, are the same.
     */
    readonly callerOf: (
      token: string,
      kind: EnvironmentKind | null
    ) => Effect.Effect<Caller, InvalidCredentials | MerchantSuspended | StoreError>
    /**
     * How every session begins, once a person has shown who they are: at one of these memberships (see `landing`), in one
     * commit with `also`. All of them have to be open. A proven session may go on to the others, as they are now, and to
     * nothing that the address gets later. `Conflict` when it was decided on what has moved on.
     */
    readonly begin: (
      memberships: Memberships,
      shown: Shown,
      browser: Browser,
      also?: Partial<StaffStore.Change>
    ) => Effect.Effect<Granted, Conflict | StoreError>
    /** The same session at another merchant that its sign-in reached, under a new token. */
    readonly changeOver: (
      merchantId: string,
      browser: Browser
    ) => Effect.Effect<Granted, InvalidCredentials | UnknownMerchant | Contended | StoreError>
    /**
     * The accounts that a browser's session lets its person add to a passkey or a provider's subject: those that the sign-in
     * reached with a code or a provider; after a link its own alone. None unless the sign-in is fresh.
     */
    readonly addable: (token: string | null) => Effect.Effect<ReadonlyArray<Account>, StoreError>
    /** The same for a caller's session, by whichever method and however old it is: for what may add already. */
    readonly accountsOf: (
      person: Pick<Caller, "merchantId"> & { readonly person: SignedIn }
    ) => Effect.Effect<ReadonlyArray<Account>, StoreError>
    /** Whose a session is. */
    readonly standing: (token: string) => Effect.Effect<Standing, InvalidCredentials | StoreError>
    /**
     * The live sessions of a person who is signed in, the newest first. A session after a link sees itself alone: the
     * link may have been redeemed by the merchant that made it.
     */
    readonly list: (
      person: Pick<Caller, "merchantId"> & { readonly person: SignedIn }
    ) => Effect.Effect<ReadonlyArray<Session>, StoreError>
    /** Ends one that `list` shows. */
    readonly end: (
      caller: Pick<Caller, "merchantId" | "address"> & { readonly person: SignedIn },
      id: string
    ) => Effect.Effect<void, UnknownSession | Contended | StoreError>
    /** Has this process ask storage again: after a change of its own. Others do by themselves, within 3 seconds. */
    readonly forget: Effect.Effect<void>
  }
>()("@countersign/core/person/Sessions") {
  static readonly layer: Layer.Layer<Sessions, never, StaffStore | Merchants | Outbox> = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const store = yield* StaffStore
      const commit = yield* Outbox.door(StaffStore)
      const merchants = yield* Merchants
      const inSteadyTime = yield* steadyTime
      const known = yield* Cache.makeWith(store.session, { capacity, timeToLive })

      const callerOf = Effect.fnUntraced(function* (token: string, kind: EnvironmentKind | null) {
        const hash = hashOf(token)
        const found = hash === null ? null : yield* inSteadyTime(Cache.get(known, hash))
        const now = yield* Clock.currentTimeMillis
        if (hash === null || found === null || !isLive(found.session, found.agent, now)) {
          return yield* new InvalidCredentials()
        }
        const { agent, environments, session } = found
        const caller = yield* merchants.callerIn(environments[kind ?? "live"], audience)
        const rules = yield* merchants.environment(environments.live)
        const needsPasskey = rules?.settings.requirePasskey === true && isBelowRule(agent, session)
        if (now >= session.lastUsedAt + noted) {
          yield* store.used(session, now)
          yield* Cache.invalidate(known, hash)
        }
        return {
          ...caller,
          scopes: keyScopes,
          person: {
            agentId: agent.id,
            email: agent.email,
            role: needsPasskey ? "VIEWER" : agent.role,
            sessionId: session.id,
            era: session.era,
            emailProven: session.emailProven,
            needsPasskey,
            freshUntil: freshUntil(session, now)
          },
          actor: { kind: "AGENT" as const, id: String(agent.id), label: agent.email }
        }
      })

      /** A session as storage has it now; null when it lets nobody in. */
      const live = Effect.fnUntraced(function* (token: string | null, now: Instant) {
        const hash = token === null ? null : hashOf(token)
        const found = hash === null ? null : yield* store.session(hash)
        return found !== null && isLive(found.session, found.agent, now) ? found : null
      })

      const sessionsOf = Effect.fnUntraced(function* ({ agent }: StaffStore.Membership, now: Instant) {
        const all = yield* store.sessions(agent.merchantId, agent.id)
        return all.filter((session) => isLive(session, agent, now))
      })

      /** The sessions of an agent that one of them may list and end. */
      const seenBy = Effect.fnUntraced(function* (
        { emailProven, sessionId }: SignedIn,
        membership: StaffStore.Membership
      ) {
        const all = yield* sessionsOf(membership, yield* Clock.currentTimeMillis)
        return emailProven ? all : all.filter(({ id }) => id === sessionId)
      })

      /** The memberships of the address that a session knows of: after a link its own alone. */
      const membershipsOf = (
        membership: StaffStore.Membership,
        { emailProven }: Session
      ): Effect.Effect<ReadonlyArray<StaffStore.Membership>, StoreError> =>
        emailProven ? store.memberships(membership.agent.canonical) : Effect.succeed([membership])

      /** Whether a session may go on to a membership of its address. */
      const isReached = (
        { agent: own }: StaffStore.Membership,
        session: Session,
        membership: StaffStore.Membership
      ): boolean => isOpen(membership) && (isSame(membership.agent, own) || reaches(session, membership.agent))

      /** The memberships that a session may go on to, its own included. */
      const reachable = (membership: StaffStore.Membership, session: Session) =>
        session.emailProven
          ? Effect.map(membershipsOf(membership, session), (memberships) =>
              memberships.filter((each) => isReached(membership, session, each))
            )
          : Effect.succeed([membership])

      const accounts = Effect.fnUntraced(function* (membership: StaffStore.Membership, session: Session) {
        const { emailProven: proven } = session
        return yield* Effect.forEach(
          yield* membershipsOf(membership, session),
          Effect.fnUntraced(function* (each) {
            const { agent, environments } = each
            const rules = yield* merchants.environment(environments.live)
            const isOwn = isReached(membership, session, each)
            const account: Account = {
              agent,
              opening: isOwn ? { ...membershipKey(agent), proven } : null,
              needsPasskey: rules?.settings.requirePasskey === true && isBelowRule(agent, isOwn ? session : null)
            }
            return account
          })
        )
      })

      const standingAt = Effect.fnUntraced(function* (membership: StaffStore.Membership, session: Session) {
        const names = (all: ReadonlyArray<Merchant>) => all.map(({ id, name }) => ({ id, name }))
        const standing: Standing = {
          agent: membership.agent,
          merchant: { id: membership.merchant.id, name: membership.merchant.name },
          merchants: names((yield* reachable(membership, session)).map(({ merchant }) => merchant)),
          freshUntil: freshUntil(session, yield* Clock.currentTimeMillis)
        }
        return standing
      })

      const beginAt = Effect.fnUntraced(function* (
        membership: StaffStore.Membership,
        shown: Shown & { readonly reach: ReadonlyArray<MembershipKey> },
        { address, token: held, userAgent }: Browser,
        also: Partial<StaffStore.Change> = {},
        replacing: EndReason = "REPLACED"
      ) {
        const now = yield* Clock.currentTimeMillis
        const token = newToken()
        const { agent } = membership
        const session: Session = {
          merchantId: agent.merchantId,
          id: Identifier.make("ses", now),
          version: 0,
          agentId: agent.id,
          era: agent.era,
          hash: hashOf(token)!,
          method: shown.method,
          emailProven: shown.emailProven,
          reach: shown.reach,
          address,
          userAgent,
          signedInAt: shown.signedInAt ?? now,
          lastUsedAt: now,
          endedAt: null
        }
        const before = yield* live(held, now)
        const agreed = shown.emailProven && agent.agreedAt === null ? [{ ...agent, agreedAt: now }] : []
        const others = (yield* sessionsOf(membership, now)).filter(({ id }) => id !== before?.session.id)
        const ended = [
          ...(before === null ? [] : [{ agent: before.agent, session: before.session, reason: replacing }]),
          ...crowdedOut(others).map((session) => ({ agent, session, reason: "TOO_MANY" as const }))
        ]
        yield* commit(
          StaffStore.change({
            ...also,
            agents: [...(also.agents ?? []), ...agreed],
            sessions: [session, ...ended.map(({ session }) => ({ ...session, endedAt: now }))],
            audited: [
              ...(also.audited ?? []),
              ...ended.map(({ agent, reason, session }) => endedEntry(agent, session, reason, address, now)),
              startedEntry(agent, session, now)
            ]
          })
        )
        for (const { session } of ended) yield* Cache.invalidate(known, session.hash)
        const granted: Granted = { ...(yield* standingAt(membership, session)), token: Redacted.make(token) }
        return granted
      })

      const changeOver = (merchantId: string, browser: Browser) =>
        untilCommitted(
          Effect.gen(function* () {
            const found = yield* live(browser.token, yield* Clock.currentTimeMillis)
            if (found === null) return yield* new InvalidCredentials()
            const { session } = found
            const memberships = session.emailProven ? yield* reachable(found, session) : []
            const membership = memberships.find(({ merchant }) => merchant.id === merchantId)
            if (membership === undefined) return yield* new UnknownMerchant({ id: merchantId })
            return yield* beginAt(membership, session, browser, {}, "CHANGED_OVER")
          })
        )

      const standing = Effect.fnUntraced(function* (token: string) {
        const found = yield* live(token, yield* Clock.currentTimeMillis)
        return found === null ? yield* new InvalidCredentials() : yield* standingAt(found, found.session)
      })

      const list = Effect.fnUntraced(function* (caller: Pick<Caller, "merchantId"> & { readonly person: SignedIn }) {
        const membership = yield* store.membership(caller.merchantId, caller.person.agentId)
        return membership === null ? [] : (yield* seenBy(caller.person, membership)).toReversed()
      })

      const addable = Effect.fnUntraced(function* (token: string | null) {
        const now = yield* Clock.currentTimeMillis
        const found = yield* live(token, now)
        return found === null || found.session.method === "PASSKEY" || freshUntil(found.session, now) <= now
          ? []
          : (yield* accounts(found, found.session)).filter(({ opening }) => opening !== null)
      })

      const accountsOf = Effect.fnUntraced(function* ({ merchantId, person }: Parameters<typeof list>[0]) {
        const membership = yield* store.membership(merchantId, person.agentId)
        const all = membership === null ? [] : yield* sessionsOf(membership, yield* Clock.currentTimeMillis)
        const session = all.find(({ id }) => id === person.sessionId)
        return membership === null || session === undefined ? [] : yield* accounts(membership, session)
      })

      const end = (caller: Pick<Caller, "merchantId" | "address"> & { readonly person: SignedIn }, id: string) =>
        untilCommitted(
          Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis
            const membership = yield* store.membership(caller.merchantId, caller.person.agentId)
            const session =
              membership === null
                ? undefined
                : (yield* seenBy(caller.person, membership)).find((each) => each.id === id)
            if (membership === null || session === undefined) return yield* new UnknownSession()
            const reason = id === caller.person.sessionId ? "SIGN_OUT" : "REVOKED"
            yield* commit(
              StaffStore.change({
                sessions: [{ ...session, endedAt: now }],
                audited: [endedEntry(membership.agent, session, reason, caller.address, now)]
              })
            )
            yield* Cache.invalidate(known, session.hash)
          })
        )

      return Sessions.of({
        callerOf,
        begin: (memberships, shown, browser, also) => {
          const reach = shown.emailProven ? memberships.map(({ agent }) => membershipKey(agent)) : []
          return beginAt(landing(memberships), { ...shown, reach }, browser, also)
        },
        changeOver,
        addable,
        accountsOf,
        standing,
        list,
        end,
        forget: Cache.invalidateAll(known)
      })
    })
  )
}
