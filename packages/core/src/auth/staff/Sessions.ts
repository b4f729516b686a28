import { type Array as Arr, Clock, Context, Duration, Effect, Exit, Layer, Redacted } from "effect"
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
import * as SteadyCache from "../../foundation/time/SteadyCache.ts"
import { type Agent, isActive } from "./Agent.ts"
import { withoutDevices } from "./deviceRules.ts"
import { UnknownSession } from "./StaffError.ts"
import { type MembershipKey, membershipKey, type Opening } from "./Opening.ts"
import { StaffStore } from "./StaffStore.ts"
import { crowdedOut, freshUntil, isBelowRule, isLive, reaches, type Session, type SessionMethod } from "./Session.ts"
import { hashOf, newToken } from "./sessionToken.ts"

/** How long a process may use a cached session: every process sees its end within this time. */
const freshness = "3 seconds"
const capacity = 10_000
/** How often the last use of a session is stored. */
const noted = minutes(5)
/** Caches no failure and no missing session: the next call reads storage again. */
const timeToLive = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isSuccess(exit) && exit.value !== null ? freshness : Duration.zero

/** The audience of a signed-in person's idTokens, if they could have any: never a key's client id. */
const audience = "countersign:dashboard"

/** The context of a sign-in. */
export interface Browser {
  readonly address: string | null
  readonly userAgent: string | null
  /** The token of the browser's existing session, which the new session replaces. */
  readonly token: string | null
}

/** The proof that a person gave. */
export interface Shown {
  readonly method: SessionMethod
  /**
   * Whether it proves to this service, just now, that the e-mail address is theirs. A link from a merchant proves
   * nothing to other merchants that know the same address.
   */
  readonly emailProven: boolean
  /** When they gave the proof, unless just now. */
  readonly signedInAt?: Instant | undefined
}

/** A signed-in person and their merchant. */
export interface AccountStatus {
  readonly agent: Agent
  readonly merchant: Pick<Merchant, "id" | "name">
  /** The merchants they may switch to without signing in again, including this merchant. */
  readonly merchants: ReadonlyArray<Pick<Merchant, "id" | "name">>
  /** Until this instant they may do what requires a fresh sign-in. */
  readonly freshUntil: Instant
}

/** An account of a person's address, as seen by one of their sessions. */
export interface Account {
  readonly agent: Agent
  /** The opening that the session may add to a credential there; null when it did not sign in to it. */
  readonly opening: Opening | null
  /** Whether passkeys are required there and the session did not use one. */
  readonly needsPasskey: boolean
}

/** A new session. Only this result and the cookie have its token. */
export interface Granted extends AccountStatus {
  readonly token: Redacted.Redacted
}

type Memberships<P extends StaffStore.Membership = StaffStore.UsedMembership> = Arr.NonEmptyReadonlyArray<P>

const isSame = (a: Agent, b: Agent): boolean => a.merchantId === b.merchantId && a.id === b.id

/** Whether a person may sign in to this membership. */
export const isOpen = ({ agent, merchant }: StaffStore.Membership): boolean =>
  isActive(agent) && merchant.status === "ACTIVE"

/** Whether the person works here by their own will: any merchant can enter an address. */
export const hasAgreed = ({ agent, lastUsedAt }: StaffStore.UsedMembership): boolean =>
  agent.agreedAt !== null || lastUsedAt !== null

/**
 * Whether a sign-in without a named merchant leads to `a` rather than to `b`. Merchants where the person has signed in
 * before come first, because any merchant can enter an address. Then the last used merchant, then the oldest.
 */
const goesBefore = (a: StaffStore.UsedMembership, b: StaffStore.UsedMembership): boolean => {
  if (hasAgreed(a) !== hasAgreed(b)) return hasAgreed(a)
  if (a.lastUsedAt !== b.lastUsedAt) return (a.lastUsedAt ?? -1) > (b.lastUsedAt ?? -1)
  return a.agent.createdAt < b.agent.createdAt
}

/** The membership that a sign-in without a named merchant leads to. */
export const landing = ([first, ...others]: Memberships): StaffStore.UsedMembership =>
  others.reduce((best, membership) => (goesBefore(membership, best) ? membership : best), first)

type EndReason = "SIGN_OUT" | "REVOKED" | "REPLACED" | "TOO_MANY" | "CHANGED_OVER"

/** People's changes to their own sign-in belong to the merchant, not to an environment. */
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
 * Sessions of the people who work for merchants.
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
     * Resolves the token of a session cookie to an agent in an environment of their merchant; the live environment when
     * `kind` is null. Ended and unknown sessions give the same result.
     */
    readonly callerOf: (
      token: string,
      kind: EnvironmentKind | null
    ) => Effect.Effect<Caller, InvalidCredentials | MerchantSuspended | StoreError>
    /**
     * Starts a session after a person gave proof, at one of these memberships (see `landing`), in one commit with
     * `also`. All memberships must be open. A proven session may switch to the other memberships in their current era,
     * and not to later ones. Fails with `Conflict` when the decision is based on outdated state.
     */
    readonly begin: (
      memberships: Memberships,
      options: Shown,
      browser: Browser,
      extraChange?: Partial<StaffStore.Change>
    ) => Effect.Effect<Granted, Conflict | StoreError>
    /** Moves the session to another merchant that its sign-in reached, under a new token. */
    readonly changeOver: (
      merchantId: string,
      browser: Browser
    ) => Effect.Effect<Granted, InvalidCredentials | UnknownMerchant | Contended | StoreError>
    /**
     * Returns the accounts that a browser's session may add to a passkey or a provider's subject. After a code or a
     * provider, those are the accounts that the sign-in reached. After a link, only the link's own account. Empty
     * unless the sign-in is fresh.
     */
    readonly addable: (token: string | null) => Effect.Effect<ReadonlyArray<Account>, StoreError>
    /**
     * Like `addable`, for a caller's session of any method and age, to decide on credentials that already open
     * accounts.
     */
    readonly accountsOf: (
      person: Pick<Caller, "merchantId"> & { readonly person: SignedIn }
    ) => Effect.Effect<ReadonlyArray<Account>, StoreError>
    /** The holder of a session. */
    readonly accountStatus: (token: string) => Effect.Effect<AccountStatus, InvalidCredentials | StoreError>
    /**
     * A signed-in person's live sessions, newest first. After a link, a session sees only itself: the merchant that
     * made the link may have redeemed it.
     */
    readonly list: (
      person: Pick<Caller, "merchantId"> & { readonly person: SignedIn }
    ) => Effect.Effect<ReadonlyArray<Session>, StoreError>
    /** Ends a session that `list` shows. */
    readonly end: (
      caller: Pick<Caller, "merchantId" | "address"> & { readonly person: SignedIn },
      id: string
    ) => Effect.Effect<void, UnknownSession | Contended | StoreError>
    /** Drops this process's cached session after its own change. Other processes refresh within 3 seconds. */
    readonly forget: Effect.Effect<void>
  }
>()("@countersign/core/person/Sessions") {
  static readonly layer: Layer.Layer<Sessions, never, StaffStore | Merchants | Outbox> = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const store = yield* StaffStore
      const commit = yield* Outbox.committer(StaffStore)
      const merchants = yield* Merchants
      const sessionCache = yield* SteadyCache.make(store.session, { capacity, timeToLive })

      const callerOf = Effect.fnUntraced(function* (token: string, kind: EnvironmentKind | null) {
        const hash = hashOf(token)
        const entry = hash === null ? null : yield* sessionCache.get(hash)
        const now = yield* Clock.currentTimeMillis
        if (hash === null || entry === null || !isLive(entry.session, entry.agent, now)) {
          return yield* new InvalidCredentials()
        }
        const { agent, environments, session } = entry
        const caller = yield* merchants.callerIn(environments[kind ?? "live"], audience)
        const rules = yield* merchants.environment(environments.live)
        const needsPasskey = rules?.settings.requirePasskey === true && isBelowRule(agent, session)
        if (now >= session.lastUsedAt + noted) {
          yield* store.used(session, now)
          yield* sessionCache.forget(hash)
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

      /** A session as stored now; null when it admits no agent. */
      const loadLive = Effect.fnUntraced(function* (token: string | null, now: Instant) {
        const hash = token === null ? null : hashOf(token)
        const entry = hash === null ? null : yield* store.session(hash)
        return entry !== null && isLive(entry.session, entry.agent, now) ? entry : null
      })

      const sessionsOf = Effect.fnUntraced(function* ({ agent }: StaffStore.Membership, now: Instant) {
        const sessions = yield* store.sessions(agent.merchantId, agent.id)
        return sessions.filter((session) => isLive(session, agent, now))
      })

      /** The sessions of an agent that the given session may list and end. */
      const visibleSessions = Effect.fnUntraced(function* (
        { emailProven, sessionId }: SignedIn,
        membership: StaffStore.Membership
      ) {
        const sessions = yield* sessionsOf(membership, yield* Clock.currentTimeMillis)
        return emailProven ? sessions : sessions.filter(({ id }) => id === sessionId)
      })

      /** The memberships of the address that a session may see; after a link only the link's own. */
      const membershipsOf = (
        membership: StaffStore.Membership,
        { emailProven }: Session
      ): Effect.Effect<ReadonlyArray<StaffStore.Membership>, StoreError> =>
        emailProven ? store.memberships(membership.agent.canonical) : Effect.succeed([membership])

      /** Whether a session may switch to a membership of its address. */
      const canSwitchTo = (
        { agent: ownAgent }: StaffStore.Membership,
        session: Session,
        membership: StaffStore.Membership
      ): boolean => isOpen(membership) && (isSame(membership.agent, ownAgent) || reaches(session, membership.agent))

      /** The memberships that a session may switch to, including its own. */
      const reachableMemberships = (membership: StaffStore.Membership, session: Session) =>
        session.emailProven
          ? Effect.map(membershipsOf(membership, session), (memberships) =>
              memberships.filter((candidate) => canSwitchTo(membership, session, candidate))
            )
          : Effect.succeed([membership])

      const describeAccounts = Effect.fnUntraced(function* (membership: StaffStore.Membership, session: Session) {
        const { emailProven: proven } = session
        return yield* Effect.forEach(
          yield* membershipsOf(membership, session),
          Effect.fnUntraced(function* (accountMembership) {
            const { agent, environments } = accountMembership
            const rules = yield* merchants.environment(environments.live)
            const isOwn = canSwitchTo(membership, session, accountMembership)
            const account: Account = {
              agent,
              opening: isOwn ? { ...membershipKey(agent), proven } : null,
              needsPasskey: rules?.settings.requirePasskey === true && isBelowRule(agent, isOwn ? session : null)
            }
            return account
          })
        )
      })

      const accountStatusAt = Effect.fnUntraced(function* (membership: StaffStore.Membership, session: Session) {
        const namesOf = (memberMerchants: ReadonlyArray<Merchant>) =>
          memberMerchants.map(({ id, name }) => ({ id, name }))
        const accountStatus: AccountStatus = {
          agent: membership.agent,
          merchant: { id: membership.merchant.id, name: membership.merchant.name },
          merchants: namesOf((yield* reachableMemberships(membership, session)).map(({ merchant }) => merchant)),
          freshUntil: freshUntil(session, yield* Clock.currentTimeMillis)
        }
        return accountStatus
      })

      const beginAt = Effect.fnUntraced(function* (
        membership: StaffStore.Membership,
        shown: Shown & { readonly reach: ReadonlyArray<MembershipKey> },
        { address, token: oldToken, userAgent }: Browser,
        extraChange: Partial<StaffStore.Change> = {},
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
        const replaced = yield* loadLive(oldToken, now)
        const agreed = shown.emailProven && agent.agreedAt === null ? [{ ...agent, agreedAt: now }] : []
        const otherSessions = (yield* sessionsOf(membership, now)).filter(({ id }) => id !== replaced?.session.id)
        const ended = [
          ...(replaced === null ? [] : [{ agent: replaced.agent, session: replaced.session, reason: replacing }]),
          ...crowdedOut(otherSessions).map((session) => ({ agent, session, reason: "TOO_MANY" as const }))
        ]
        yield* commit(
          StaffStore.change({
            ...extraChange,
            agents: [...(extraChange.agents ?? []), ...agreed],
            sessions: [session, ...ended.map(({ session }) => ({ ...session, endedAt: now }))],
            audited: [
              ...(extraChange.audited ?? []),
              ...ended.map(({ agent, reason, session }) => endedEntry(agent, session, reason, address, now)),
              startedEntry(agent, session, now)
            ]
          })
        )
        for (const { session } of ended) yield* sessionCache.forget(session.hash)
        const granted: Granted = { ...(yield* accountStatusAt(membership, session)), token: Redacted.make(token) }
        return granted
      })

      const switchMerchant = (merchantId: string, browser: Browser) =>
        untilCommitted(
          Effect.gen(function* () {
            const current = yield* loadLive(browser.token, yield* Clock.currentTimeMillis)
            if (current === null) return yield* new InvalidCredentials()
            const { session } = current
            const memberships = session.emailProven ? yield* reachableMemberships(current, session) : []
            const membership = memberships.find(({ merchant }) => merchant.id === merchantId)
            if (membership === undefined) return yield* new UnknownMerchant({ id: merchantId })
            return yield* beginAt(membership, session, browser, {}, "CHANGED_OVER")
          })
        )

      const accountStatus = Effect.fnUntraced(function* (token: string) {
        const current = yield* loadLive(token, yield* Clock.currentTimeMillis)
        return current === null ? yield* new InvalidCredentials() : yield* accountStatusAt(current, current.session)
      })

      const list = Effect.fnUntraced(function* (caller: Pick<Caller, "merchantId"> & { readonly person: SignedIn }) {
        const membership = yield* store.membership(caller.merchantId, caller.person.agentId)
        return membership === null ? [] : (yield* visibleSessions(caller.person, membership)).toReversed()
      })

      const accountsForPasskey = Effect.fnUntraced(function* (token: string | null) {
        const now = yield* Clock.currentTimeMillis
        const current = yield* loadLive(token, now)
        return current === null || current.session.method === "PASSKEY" || freshUntil(current.session, now) <= now
          ? []
          : (yield* describeAccounts(current, current.session)).filter(({ opening }) => opening !== null)
      })

      const accountsOf = Effect.fnUntraced(function* ({ merchantId, person }: Parameters<typeof list>[0]) {
        const membership = yield* store.membership(merchantId, person.agentId)
        const sessions = membership === null ? [] : yield* sessionsOf(membership, yield* Clock.currentTimeMillis)
        const session = sessions.find(({ id }) => id === person.sessionId)
        return membership === null || session === undefined ? [] : yield* describeAccounts(membership, session)
      })

      const end = (caller: Pick<Caller, "merchantId" | "address"> & { readonly person: SignedIn }, id: string) =>
        untilCommitted(
          Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis
            const membership = yield* store.membership(caller.merchantId, caller.person.agentId)
            const session =
              membership === null
                ? undefined
                : (yield* visibleSessions(caller.person, membership)).find((candidate) => candidate.id === id)
            if (membership === null || session === undefined) return yield* new UnknownSession()
            const reason = id === caller.person.sessionId ? "SIGN_OUT" : "REVOKED"
            const agent = withoutDevices(membership.agent, ({ sessionId }) => sessionId === session.id)
            yield* commit(
              StaffStore.change({
                agents: agent === membership.agent ? [] : [agent],
                sessions: [{ ...session, endedAt: now }],
                audited: [endedEntry(membership.agent, session, reason, caller.address, now)]
              })
            )
            yield* sessionCache.forget(session.hash)
          })
        )

      return Sessions.of({
        callerOf,
        begin: (memberships, shown, browser, extraChange) => {
          const reach = shown.emailProven ? memberships.map(({ agent }) => membershipKey(agent)) : []
          return beginAt(landing(memberships), { ...shown, reach }, browser, extraChange)
        },
        changeOver: switchMerchant,
        addable: accountsForPasskey,
        accountsOf,
        accountStatus,
        list,
        end,
        forget: sessionCache.forgetAll
      })
    })
  )
}
