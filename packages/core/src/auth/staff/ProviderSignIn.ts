import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { LinkAddress } from "../../foundation/delivery/LinkAddress.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import * as Identity from "../../foundation/identity/Identity.ts"
import { Limits, type Place } from "../../foundation/limit/Limits.ts"
import type { RateLimited } from "../../foundation/limit/RateLimited.ts"
import { InvalidCredentials } from "../../account/merchant/MerchantError.ts"
import { systemCaller } from "../../account/merchant/systemEnvironment.ts"
import { auditEntry } from "../../foundation/outbox/AuditEntry.ts"
import { noRecords } from "../../foundation/outbox/Change.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { Keyring, type MasterKey } from "../../foundation/secret/Keyring.ts"
import * as SecretHash from "../../foundation/secret/SecretHash.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { type Instant, minutes } from "../../foundation/time/Instant.ts"
import { freshLife } from "./Session.ts"
import type { Errand, ProvidedIdentity, ProviderAway } from "./IdentityProvider.ts"
import type { Agent } from "./Agent.ts"
import { isSameMembership, membershipKey, openingOf } from "./Opening.ts"
import { StaffStore } from "./StaffStore.ts"
import { type Browser, type Granted, isOpen, Sessions } from "./Sessions.ts"
import { ProviderAbsent } from "./SignInError.ts"
import { placesOfNetwork } from "./signInLimits.ts"
import { SignInMeans } from "./SignInMeans.ts"
import { SubjectStore } from "./SubjectStore.ts"

const { environment } = systemCaller("live")

/** How long a person may take at the provider. */
const errandLife = minutes(10)

const randomLength = 32
const pattern = new RegExp(`^[0-9a-z]{9}[0-9a-hjkmnp-tv-z]{${randomLength}}$`)

const newTicket = (now: Instant): string =>
  `${(now + errandLife).toString(36).padStart(9, "0")}${Identifier.randomText(randomLength)}`

/** The rate-limit place of a ticket. */
const placeOf = (ticket: Redacted.Redacted): Place => ({
  key: `sign-in.ticket:${SecretHash.hash(Redacted.value(ticket))}`,
  most: 1,
  limit: "signIn",
  countedIn: "storage"
})

const isOver = (ticket: string, now: Instant): boolean => now >= Number.parseInt(ticket.slice(0, 9), 36)

/**
 * The values that bind a sign-in, derived from the ticket with the master key. Only the browser with the ticket can
 * return, and nothing is stored. The mac has 32 bytes, and each makes at least one character of PKCE's 43.
 */
const errandOf = (key: MasterKey, ticket: string): Errand => {
  const part = (name: string) => Identifier.textOf(key.mac("errand", `${name}\n${ticket}`))
  return { state: part("state"), nonce: part("nonce"), codeVerifier: Redacted.make(part("verifier") + part("more")) }
}

/**
 * When the person authenticated at the provider. When that is older than allowed or unknown, the result is the last
 * instant that is not fresh. So an old session left open at the provider does not count as a fresh sign-in here.
 */
const signedInAt = ({ authenticatedAt }: ProvidedIdentity, now: Instant): Instant =>
  Math.min(now, Math.max(authenticatedAt ?? 0, now - freshLife))

/** Returns the canonical form of the address that the provider verified, or null if it verified none. */
const verifiedOf = ({ email, emailVerified }: ProvidedIdentity): string | null => {
  const parsed = email === null || !emailVerified ? null : Identity.parse("EMAIL", email)
  return parsed?._tag === "Success" ? parsed.success.canonical : null
}

const boundEntry = (agent: Agent, issuer: string, address: string | null, now: Instant) =>
  auditEntry(
    {
      merchantId: agent.merchantId,
      environment: null,
      actor: { kind: "AGENT", id: String(agent.id), label: agent.email },
      address
    },
    { action: "provider.bound", target: { kind: "agent", id: String(agent.id) }, to: { issuer } },
    now
  )

/** The URL to send the browser to, and the cookie that the browser keeps until it returns. */
export interface Departure {
  readonly url: URL
  readonly ticket: Redacted.Redacted
}

/**
 * Sign-in with a provider of OpenID Connect. The first sign-in finds a person by the address that the provider
 * verified. Later ones use the provider's subject, which is bound to the agents that it opened. Only existing agents
 * can sign in.
 *
 * @example
 * ```ts
 * import { ProviderSignIn } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const begin = Effect.gen(function* () {
 *   const { ticket, url } = yield* (yield* ProviderSignIn).start
 *   return { location: url.href, cookie: ticket }
 * })
 * ```
 */
export class ProviderSignIn extends Context.Service<
  ProviderSignIn,
  {
    readonly start: Effect.Effect<Departure, ProviderAbsent | ProviderAway>
    /**
     * Signs in the returning person, with the ticket from `start` and the query from the provider. Each ticket calls
     * the provider once. A network has the same hourly limit as for tries of codes.
     */
    readonly finish: (
      ticket: Redacted.Redacted,
      query: string,
      browser: Browser
    ) => Effect.Effect<
      Granted,
      ProviderAbsent | ProviderAway | InvalidCredentials | RateLimited | Contended | StoreError
    >
  }
>()("@countersign/core/person/ProviderSignIn") {
  static readonly layerNoDeps: Layer.Layer<
    ProviderSignIn,
    never,
    Keyring | Limits | LinkAddress | Outbox | StaffStore | Sessions | SignInMeans | SubjectStore
  > = Layer.effect(
    ProviderSignIn,
    Effect.gen(function* () {
      const keyring = yield* Keyring
      const limits = yield* Limits
      const { dashboard } = yield* LinkAddress
      const people = yield* StaffStore
      const sessions = yield* Sessions
      const { provider } = yield* SignInMeans
      const store = yield* SubjectStore
      const commit = yield* Outbox.committer(SubjectStore)

      const means =
        provider === null || dashboard === null
          ? Effect.fail(new ProviderAbsent())
          : Effect.succeed({ provider, redirectUri: `${dashboard}/oidc/callback` } as const)

      const start = Effect.gen(function* () {
        const { provider, redirectUri } = yield* means
        const ticket = newTicket(yield* Clock.currentTimeMillis)
        const url = yield* provider.start(errandOf(keyring.current, ticket), redirectUri, freshLife)
        return { url, ticket: Redacted.make(ticket) }
      })

      /** The binding of a ticket, under the key that it began with: the key that made the returned state. */
      const resumed = Effect.fnUntraced(function* (ticket: string, query: string) {
        if (!pattern.test(ticket) || isOver(ticket, yield* Clock.currentTimeMillis)) {
          return yield* new InvalidCredentials()
        }
        const state = new URLSearchParams(query).get("state")
        const errands = keyring.all.map((key) => errandOf(key, ticket))
        return errands.find((errand) => errand.state === state) ?? (yield* new InvalidCredentials())
      })

      const membershipsAt = Effect.fnUntraced(function* (addresses: ReadonlyArray<string>) {
        const membershipsByAddress = yield* Effect.forEach([...new Set(addresses)], people.memberships)
        return membershipsByAddress.flat()
      })

      /**
       * Finds the memberships that a provider's subject opens, and stores them.
       *
       * A verified address opens its agents once: at the subject's first sign-in, and again when the provider has
       * verified another address for it. After that the subject opens only those agents, each in its era. To add
       * another agent, the person signs in to it with a code or a link and then uses the provider in the same browser.
       */
      const openedBy = Effect.fnUntraced(function* (identity: ProvidedIdentity, { address, token }: Browser) {
        const { issuer, subject } = identity
        const storedSubject = yield* store.get(issuer, subject)
        const verified = verifiedOf(identity)
        const memberships = yield* membershipsAt([
          ...(storedSubject?.addresses ?? []),
          ...(verified === null ? [] : [verified])
        ])
        const addable = yield* sessions.addable(token)
        const now = yield* Clock.currentTimeMillis
        const before = storedSubject ?? {
          issuer,
          subject,
          version: 0,
          canonical: "",
          addresses: [],
          opens: [],
          knownSince: now
        }
        const isNewAddress = verified !== null && verified !== before.canonical
        const opened = memberships.flatMap((membership) => {
          const { agent } = membership
          const opening = openingOf(before.opens, agent)
          if (opening !== null) return [{ membership, opening, isNew: false }]
          const key = membershipKey(agent)
          const isAdded =
            agent.canonical === verified &&
            isOpen(membership) &&
            (isNewAddress || addable.some((account) => isSameMembership(membershipKey(account.agent), key)))
          return isAdded ? [{ membership, opening: { ...key, proven: true }, isNew: true }] : []
        })
        const open = opened.filter(({ membership }) => isOpen(membership)).map(({ membership }) => membership)
        const [first, ...otherMemberships] = open
        if (first === undefined) return yield* new InvalidCredentials()
        const added = opened.filter(({ isNew }) => isNew)
        if (isNewAddress || added.length > 0) {
          const canonical = verified ?? before.canonical
          const next: SubjectStore.KnownSubject = {
            ...before,
            canonical,
            addresses: [...new Set([canonical, ...opened.map(({ membership }) => membership.agent.canonical)])],
            opens: opened.map(({ opening }) => opening)
          }
          const audited = added.map(({ membership }) => boundEntry(membership.agent, issuer, address, now))
          yield* commit({ ...noRecords, subject: next, audited })
        }
        return [first, ...otherMemberships] as const
      })

      const finish = Effect.fnUntraced(function* (ticket: Redacted.Redacted, query: string, browser: Browser) {
        const { provider, redirectUri } = yield* means
        const errand = yield* resumed(Redacted.value(ticket), query)
        const place = yield* limits.take(environment, placesOfNetwork("try", browser.address))
        // The place of a ticket outlives the ticket, so no process asks the provider about a second code.
        yield* Effect.catchTag(
          limits.take(environment, [placeOf(ticket)]),
          "RateLimited",
          () => new InvalidCredentials()
        )
        const identity = yield* provider.finish(errand, redirectUri, query).pipe(
          Effect.catchTag("ProviderRefused", ({ reason }) =>
            Effect.andThen(
              Effect.logWarning("A sign-in with the OpenID Connect provider was refused", {
                provider: provider.name,
                reason
              }),
              Effect.fail(new InvalidCredentials())
            )
          )
        )
        const now = yield* Clock.currentTimeMillis
        const signInMethod = { method: "OIDC", emailProven: true, signedInAt: signedInAt(identity, now) } as const
        const granted = yield* untilCommitted(
          Effect.flatMap(openedBy(identity, browser), (memberships) =>
            sessions.begin(memberships, signInMethod, browser)
          )
        )
        yield* place.giveBack
        return granted
      })

      return ProviderSignIn.of({ start, finish })
    })
  )
}
