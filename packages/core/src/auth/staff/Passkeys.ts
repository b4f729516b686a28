import { Clock, Context, Effect, Layer, Result } from "effect"
import { LinkAddress } from "../../foundation/delivery/LinkAddress.ts"
import * as Identity from "../../foundation/identity/Identity.ts"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { Caller, SignedIn } from "../../account/merchant/Caller.ts"
import { InvalidCredentials } from "../../account/merchant/MerchantError.ts"
import { auditEntry } from "../../foundation/outbox/AuditEntry.ts"
import { noRecords } from "../../foundation/outbox/Change.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import * as Challenge from "./Challenge.ts"
import { isSameMembership, membershipKey } from "./Opening.ts"
import { mostPasskeys, openedBy, opens, type Passkey, usedFor, without } from "./Passkey.ts"
import { PasskeyStore } from "./PasskeyStore.ts"
import type { PasskeyJson, RelyingParty } from "./PasskeyVerifier.ts"
import { StaffStore } from "./StaffStore.ts"
import { type Account, type Browser, type Granted, isOpen, Sessions } from "./Sessions.ts"
import { PasskeyNeeded, PasskeysAbsent, UnknownPasskey } from "./SignInError.ts"
import { SignInMeans } from "./SignInMeans.ts"

/** A signed-in person and the merchant they work for. */
export type Holder = Caller & { readonly person: SignedIn }

const longestName = 60

const checkName = (rawName: string | null | undefined) => {
  const name = rawName?.trim() ?? ""
  return name.length > longestName || /[\p{Cc}\p{Cs}]/u.test(name)
    ? Effect.fail(invalidField("name", Problem.of("LINE_TOO_LONG", { max: longestName })))
    : Effect.succeed(name === "" ? "Passkey" : name)
}

const unanswered = () => invalidField("response", Problem.of("PASSKEY_MISMATCH"))

const handleLength = 32

const newHandle = () =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(handleLength))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "")

/**
 * Passkeys of the people who work for merchants. A passkey made after a code opens the agents that the sign-in reached.
 * A passkey made after a link opens only the link's agent. Removing or suspending an agent, or changing its role or
 * address, ends the passkey's access there. To add an agent made later, the person uses the passkey in a browser that
 * has just signed in with a code.
 *
 * @example
 * ```ts
 * import { Passkeys } from "@countersign/core"
 * import type { PasskeyJson } from "@countersign/core/person"
 * import { Effect } from "effect"
 *
 * const signIn = Effect.fn(function* (response: PasskeyJson) {
 *   const passkeys = yield* Passkeys
 *   const browser = { address: "192.0.2.7", userAgent: "Firefox", token: null }
 *   return yield* passkeys.signIn(response, browser) // a session, and the token for its cookie
 * })
 * ```
 */
export class Passkeys extends Context.Service<
  Passkeys,
  {
    /** A signed-in person's passkeys, oldest first. */
    readonly list: (holder: Holder) => Effect.Effect<ReadonlyArray<Passkey>, StoreError>
    /** The browser's options to make a passkey. */
    readonly creation: (
      holder: Holder
    ) => Effect.Effect<PasskeyJson, PasskeysAbsent | PasskeyNeeded | InvalidField | StoreError>
    /** Stores the passkey that the browser made. */
    readonly add: (
      holder: Holder,
      created: { readonly response: PasskeyJson; readonly name?: string | null | undefined }
    ) => Effect.Effect<Passkey, PasskeysAbsent | PasskeyNeeded | InvalidField | StoreError>
    readonly remove: (
      holder: Holder,
      id: string
    ) => Effect.Effect<void, UnknownPasskey | PasskeyNeeded | Contended | StoreError>
    /** The browser's options to sign in, the same for every browser. They reveal nothing about any person. */
    readonly request: Effect.Effect<PasskeyJson, PasskeysAbsent>
    /** Signs in with the browser's response. Every failure is the same error. */
    readonly signIn: (
      response: PasskeyJson,
      browser: Browser
    ) => Effect.Effect<Granted, PasskeysAbsent | InvalidCredentials | Contended | StoreError>
  }
>()("@countersign/core/person/Passkeys") {
  static readonly layerNoDeps: Layer.Layer<
    Passkeys,
    never,
    Keyring | LinkAddress | Outbox | PasskeyStore | StaffStore | Sessions | SignInMeans
  > = Layer.effect(
    Passkeys,
    Effect.gen(function* () {
      const keyring = yield* Keyring
      const { dashboard } = yield* LinkAddress
      const store = yield* PasskeyStore
      const commit = yield* Outbox.committer(PasskeyStore)
      const people = yield* StaffStore
      const sessions = yield* Sessions
      const { passkeys } = yield* SignInMeans

      const site = dashboard === null ? null : new URL(dashboard)
      const party: RelyingParty | null =
        site === null ? null : { id: site.hostname, name: "Countersign", origin: site.origin }
      const means =
        passkeys === null || party === null
          ? Effect.fail(new PasskeysAbsent())
          : Effect.succeed({ passkeys, party } as const)

      /**
       * The address that this sign-in proved, not the agent's current address. Otherwise a request that began before an
       * address change would register a passkey for another person's address.
       */
      const canonicalOf = ({ person }: Holder): string =>
        Result.match(Identity.parse("EMAIL", person.email), {
          onFailure: () => "",
          onSuccess: ({ canonical }) => canonical
        })

      /** The passkeys that open a holder's agent as it was at the sign-in; none once that era has ended. */
      const openingOf = Effect.fnUntraced(function* (holder: Holder) {
        const agent = (yield* people.membership(holder.merchantId, holder.person.agentId))?.agent ?? null
        if (agent === null || agent.era !== holder.person.era) return []
        return (yield* store.list(agent.canonical)).flatMap((passkey) => {
          const opening = opens(passkey, agent)
          return opening === null ? [] : [{ passkey, opening }]
        })
      })

      type Opens = Effect.Success<ReturnType<typeof openingOf>>

      /**
       * The passkeys that a holder may see. A merchant may have redeemed a link itself, so a link sign-in sees no
       * passkey made after a code.
       */
      const visiblePasskeys = ({ person }: Holder, openings: Opens) =>
        openings.filter(({ opening }) => person.emailProven || !opening.proven).map(({ passkey }) => passkey)

      /**
       * Where passkeys are required, a sign-in without a passkey changes none once any passkey opens the account,
       * visible or not. An account without passkeys may get its first.
       */
      const checkMayChange = ({ person }: Holder, openings: Opens) =>
        person.needsPasskey && openings.length > 0 ? Effect.fail(new PasskeyNeeded()) : Effect.void

      /**
       * The accounts that a session may add to a passkey. Each account's own passkey rule applies, even in a session at
       * a merchant without that rule. Otherwise a person who took over the mailbox could add a passkey there and sign
       * in here.
       */
      const openingsToAdd = Effect.fnUntraced(function* (accounts: ReadonlyArray<Account>, canonical: string) {
        const stored = accounts.some(({ needsPasskey }) => needsPasskey) ? yield* store.list(canonical) : []
        return accounts.flatMap(({ agent, needsPasskey, opening }) =>
          opening === null || (needsPasskey && stored.some((passkey) => opens(passkey, agent) !== null))
            ? []
            : [opening]
        )
      })

      const checkRoom = Effect.fnUntraced(function* (holder: Holder) {
        const openings = yield* openingOf(holder)
        yield* checkMayChange(holder, openings)
        const existing = visiblePasskeys(holder, openings)
        if (existing.length >= mostPasskeys) {
          return yield* invalidField("response", Problem.of("PASSKEYS_FULL", { max: mostPasskeys }))
        }
        return existing
      })

      const occasionOf = ({ person }: Holder) => ({ _tag: "Creation", sessionId: person.sessionId }) as const

      const entry = (holder: Holder, action: string, { id, name }: Passkey, now: number) =>
        auditEntry(
          { ...holder, environment: null },
          {
            action,
            target: { kind: "passkey", id },
            ...(action === "passkey.added" ? { to: { name } } : { from: { name } })
          },
          now
        )

      const creation = Effect.fnUntraced(function* (holder: Holder) {
        const { party, passkeys } = yield* means
        const existing = yield* checkRoom(holder)
        const now = yield* Clock.currentTimeMillis
        return yield* passkeys.creation(party, {
          challenge: Challenge.make(keyring, occasionOf(holder), now),
          owner: { handle: existing[0]?.handle ?? newHandle(), name: holder.person.email },
          existing: existing
        })
      })

      const add = Effect.fnUntraced(function* (holder: Holder, newPasskey: Parameters<Passkeys["Service"]["add"]>[1]) {
        const { party, passkeys } = yield* means
        const name = yield* checkName(newPasskey.name)
        const now = yield* Clock.currentTimeMillis
        const challenge = Challenge.answered(newPasskey.response)
        if (challenge === null || !Challenge.isGood(keyring, occasionOf(holder), challenge, now)) {
          return yield* unanswered()
        }
        const existing = yield* checkRoom(holder)
        const key = yield* passkeys.created(party, { challenge, response: newPasskey.response })
        if (key === null) return yield* unanswered()
        const passkey: Passkey = {
          ...key,
          version: 0,
          canonical: canonicalOf(holder),
          opens: yield* openingsToAdd(yield* sessions.accountsOf(holder), canonicalOf(holder)),
          handle: existing[0]?.handle ?? newHandle(),
          name,
          createdAt: now,
          lastUsedAt: null,
          answered: [],
          removedAt: null
        }
        // The authenticator chose the id, so an existing passkey is either this person's own or another person's.
        return yield* commit({
          ...noRecords,
          passkey,
          audited: [entry(holder, "passkey.added", passkey, now)]
        }).pipe(Effect.catchTag("Conflict", () => Effect.fail(unanswered())))
      })

      const remove = Effect.fnUntraced(function* (holder: Holder, id: string) {
        const openings = yield* openingOf(holder)
        const passkey = visiblePasskeys(holder, openings).find((candidate) => candidate.id === id)
        if (passkey === undefined) return yield* new UnknownPasskey()
        yield* checkMayChange(holder, openings)
        const now = yield* Clock.currentTimeMillis
        const agents = (yield* people.memberships(passkey.canonical)).map(({ agent }) => agent)
        const explicit = { ...passkey, opens: openedBy(passkey, agents, []) }
        // At other merchants it stays, after a sign-in by link and where this session does not meet the passkey rule.
        const ended = (yield* sessions.accountsOf(holder)).flatMap(({ agent, needsPasskey }) =>
          needsPasskey ? [] : [membershipKey(agent)]
        )
        const next = without(explicit, (opening) => ended.some((key) => isSameMembership(key, opening)), now)
        yield* commit({
          ...noRecords,
          passkey: next,
          audited: [entry(holder, "passkey.removed", passkey, now)]
        })
      })

      /** The passkey after it answered a challenge, with the agents that this browser's session adds. */
      const recordUse = Effect.fnUntraced(function* (response: PasskeyJson, { address, token }: Browser) {
        const { party, passkeys } = yield* means
        const now = yield* Clock.currentTimeMillis
        const challenge = Challenge.answered(response)
        const id = response["id"]
        const stored =
          challenge !== null && Challenge.isGood(keyring, { _tag: "SignIn" }, challenge, now) && typeof id === "string"
            ? yield* store.get(id)
            : null
        if (stored === null || challenge === null || stored.removedAt !== null) return yield* new InvalidCredentials()
        const counter = yield* passkeys.used(party, { challenge, response, key: stored })
        const used = counter === null ? null : usedFor(stored, challenge, counter, now)
        if (used === null) return yield* new InvalidCredentials()
        const memberships = yield* people.memberships(used.canonical)
        const added = yield* openingsToAdd(yield* sessions.addable(token), used.canonical)
        const opened = openedBy(
          used,
          memberships.map(({ agent }) => agent),
          added
        )
        const newlyBound = memberships.filter(
          ({ agent }) => opens(used, agent) === null && opens({ ...used, opens: opened }, agent)
        )
        const passkey = yield* commit({
          ...noRecords,
          passkey: { ...used, opens: opened },
          audited: newlyBound.map(({ agent }) =>
            auditEntry(
              {
                merchantId: agent.merchantId,
                environment: null,
                actor: { kind: "AGENT", id: String(agent.id), label: agent.email },
                address
              },
              { action: "passkey.bound", target: { kind: "passkey", id: used.id }, to: { name: used.name } },
              now
            )
          )
        })
        return passkey
      })

      const membershipsOf = Effect.fnUntraced(function* (passkey: Passkey) {
        return (yield* people.memberships(passkey.canonical)).filter(isOpen).flatMap((membership) => {
          const opening = opens(passkey, membership.agent)
          return opening === null ? [] : [{ membership, opening }]
        })
      })

      /** Starts a session at an agent that the passkey opens, preferably an agent whose opening is for the address. */
      const begin = Effect.fnUntraced(function* (passkey: Passkey, browser: Browser) {
        const opened = yield* membershipsOf(passkey)
        const proven = opened.filter(({ opening }) => opening.proven)
        const [first, ...otherMemberships] = (proven.length > 0 ? proven : opened).map(({ membership }) => membership)
        if (first === undefined) return yield* new InvalidCredentials()
        const signInMethod = { method: "PASSKEY", emailProven: proven.length > 0 } as const
        return yield* sessions.begin([first, ...otherMemberships], signInMethod, browser)
      })

      const signIn = Effect.fnUntraced(function* (response: PasskeyJson, browser: Browser) {
        const passkey = yield* untilCommitted(recordUse(response, browser))
        return yield* untilCommitted(begin(passkey, browser))
      })

      return Passkeys.of({
        list: (holder) => Effect.map(openingOf(holder), (openings) => visiblePasskeys(holder, openings)),
        creation,
        add,
        remove: (holder, id) => untilCommitted(remove(holder, id)),
        request: Effect.gen(function* () {
          const { party, passkeys } = yield* means
          const challenge = Challenge.make(keyring, { _tag: "SignIn" }, yield* Clock.currentTimeMillis)
          return yield* passkeys.request(party, { challenge })
        }),
        signIn
      })
    })
  )
}
