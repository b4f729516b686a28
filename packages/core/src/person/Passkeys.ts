import { Clock, Context, Effect, Layer, Result } from "effect"
import { LinkAddress } from "../delivery/LinkAddress.ts"
import * as Identity from "../identity/Identity.ts"
import { InvalidField } from "../identity/InvalidField.ts"
import type { Caller, SignedIn } from "../merchant/Caller.ts"
import { InvalidCredentials } from "../merchant/MerchantError.ts"
import { auditEntry } from "../outbox/AuditEntry.ts"
import { leavesNothing } from "../outbox/Change.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { Keyring } from "../secret/Keyring.ts"
import type { Contended } from "../storage/Contended.ts"
import type { StoreError } from "../storage/StoreError.ts"
import { untilCommitted } from "../storage/untilCommitted.ts"
import * as Challenge from "./Challenge.ts"
import { isBoundTo, isTheirs, mostPasskeys, type Passkey, removed, usedFor } from "./Passkey.ts"
import { PasskeyStore } from "./PasskeyStore.ts"
import type { PasskeyJson, RelyingParty } from "./PasskeyVerifier.ts"
import { PersonStore, type Post } from "./PersonStore.ts"
import { type Browser, type Granted, isOpen, Sessions } from "./Sessions.ts"
import { PasskeyNeeded, PasskeysAbsent, UnknownPasskey } from "./SignInError.ts"
import { SignInMeans } from "./SignInMeans.ts"

/** Somebody who is signed in, and for whom they work. */
export type Holder = Caller & { readonly person: SignedIn }

const longestName = 60

const checkName = (given: string | null | undefined) => {
  const name = given?.trim() ?? ""
  return name.length > longestName || /[\p{Cc}\p{Cs}]/u.test(name)
    ? Effect.fail(new InvalidField({ field: "name", problem: `must be at most ${longestName} characters of text` }))
    : Effect.succeed(name === "" ? "Passkey" : name)
}

const unanswered = () =>
  new InvalidField({ field: "response", problem: "does not answer our challenge; ask for options and try again" })

const handleLength = 32

const newHandle = () =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(handleLength))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "")

/**
 * Passkeys of the people who work for merchants. One that was made after a code had come to the address opens every
 * merchant that knows the address; one that was made after a link, the account alone that the link was of, until its role changes.
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
    /** Those of somebody who is signed in, the oldest first. */
    readonly list: (holder: Holder) => Effect.Effect<ReadonlyArray<Passkey>, StoreError>
    /** What their browser is given to make one. */
    readonly creation: (
      holder: Holder
    ) => Effect.Effect<PasskeyJson, PasskeysAbsent | PasskeyNeeded | InvalidField | StoreError>
    /** Keeps the one that their browser has made. */
    readonly add: (
      holder: Holder,
      made: { readonly response: PasskeyJson; readonly name?: string | null | undefined }
    ) => Effect.Effect<Passkey, PasskeysAbsent | PasskeyNeeded | InvalidField | StoreError>
    readonly remove: (
      holder: Holder,
      id: string
    ) => Effect.Effect<void, UnknownPasskey | PasskeyNeeded | Contended | StoreError>
    /** What any browser is given to sign in. It says nothing about anybody. */
    readonly request: Effect.Effect<PasskeyJson, PasskeysAbsent>
    /** Signs in with what the browser answered. Whatever is wrong with it is one error. */
    readonly signIn: (
      response: PasskeyJson,
      browser: Browser
    ) => Effect.Effect<Granted, PasskeysAbsent | InvalidCredentials | Contended | StoreError>
  }
>()("@countersign/core/person/Passkeys") {
  static readonly layerNoDeps: Layer.Layer<
    Passkeys,
    never,
    Keyring | LinkAddress | Outbox | PasskeyStore | PersonStore | Sessions | SignInMeans
  > = Layer.effect(
    Passkeys,
    Effect.gen(function* () {
      const keyring = yield* Keyring
      const { dashboard } = yield* LinkAddress
      const store = yield* PasskeyStore
      const commit = yield* Outbox.door(PasskeyStore)
      const people = yield* PersonStore
      const sessions = yield* Sessions
      const { passkeys } = yield* SignInMeans

      const site = dashboard === null ? null : new URL(dashboard)
      const party: RelyingParty | null =
        site === null ? null : { id: site.hostname, name: "Countersign", origin: site.origin }
      const means =
        passkeys === null || party === null
          ? Effect.fail(new PasskeysAbsent())
          : Effect.succeed({ passkeys, party } as const)

      const holderOf = ({ merchantId, person: { agentId, emailProven, era } }: Holder) => ({
        merchantId,
        agentId,
        era,
        emailProven
      })

      /**
       * The address that this sign-in showed, and never the one that the agent has by now: a request that began before
       * their address was changed would have a passkey of somebody else's address.
       */
      const canonicalOf = ({ person }: Holder): string =>
        Result.match(Identity.parse("EMAIL", person.email), {
          onFailure: () => "",
          onSuccess: ({ canonical }) => canonical
        })

      const listOf = Effect.fnUntraced(function* (holder: Holder, canonical: string) {
        return (yield* store.list(canonical)).filter((passkey) => isTheirs(passkey, holderOf(holder)))
      })

      /** Where passkeys are the rule, nobody with less than one changes them. Who has none may make the first. */
      const checkMay = ({ person }: Holder, known: ReadonlyArray<Passkey>) =>
        person.needsPasskey && known.length > 0 ? Effect.fail(new PasskeyNeeded()) : Effect.void

      const room = Effect.fnUntraced(function* (holder: Holder) {
        const canonical = canonicalOf(holder)
        const known = yield* listOf(holder, canonical)
        yield* checkMay(holder, known)
        if (known.length >= mostPasskeys) {
          return yield* new InvalidField({
            field: "response",
            problem: `you have ${mostPasskeys} passkeys already; remove one first`
          })
        }
        return { canonical, known }
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
        const { known } = yield* room(holder)
        const now = yield* Clock.currentTimeMillis
        return yield* passkeys.creation(party, {
          challenge: Challenge.make(keyring, occasionOf(holder), now),
          owner: { handle: known[0]?.handle ?? newHandle(), name: holder.person.email },
          existing: known
        })
      })

      const add = Effect.fnUntraced(function* (holder: Holder, made: Parameters<Passkeys["Service"]["add"]>[1]) {
        const { party, passkeys } = yield* means
        const name = yield* checkName(made.name)
        const now = yield* Clock.currentTimeMillis
        const challenge = Challenge.answered(made.response)
        if (challenge === null || !Challenge.isGood(keyring, occasionOf(holder), challenge, now)) {
          return yield* unanswered()
        }
        const { canonical, known } = yield* room(holder)
        const key = yield* passkeys.created(party, { challenge, response: made.response })
        if (key === null) return yield* unanswered()
        const passkey: Passkey = {
          ...key,
          version: 0,
          canonical,
          ...(holder.person.emailProven
            ? { merchantId: null, agent: null }
            : { merchantId: holder.merchantId, agent: { id: holder.person.agentId, era: holder.person.era } }),
          handle: known[0]?.handle ?? newHandle(),
          name,
          createdAt: now,
          lastUsedAt: null,
          answered: [],
          removedAt: null
        }
        // Its id is the authenticator's: one that is there already was made before, or is somebody else's.
        return yield* commit({
          ...leavesNothing,
          passkey,
          audited: [entry(holder, "passkey.added", passkey, now)]
        }).pipe(Effect.catchTag("Conflict", () => Effect.fail(unanswered())))
      })

      const remove = Effect.fnUntraced(function* (holder: Holder, id: string) {
        const canonical = canonicalOf(holder)
        const known = yield* listOf(holder, canonical)
        const passkey = known.find((one) => one.id === id)
        if (passkey === undefined) return yield* new UnknownPasskey()
        yield* checkMay(holder, known)
        const now = yield* Clock.currentTimeMillis
        yield* commit({
          ...leavesNothing,
          passkey: removed(passkey, now),
          audited: [entry(holder, "passkey.removed", passkey, now)]
        })
      })

      /** The passkey that was used, once for this challenge. */
      const use = Effect.fnUntraced(function* (response: PasskeyJson) {
        const { party, passkeys } = yield* means
        const now = yield* Clock.currentTimeMillis
        const challenge = Challenge.answered(response)
        const id = response["id"]
        const known =
          challenge !== null && Challenge.isGood(keyring, { _tag: "SignIn" }, challenge, now) && typeof id === "string"
            ? yield* store.get(id)
            : null
        if (known === null || challenge === null || known.removedAt !== null) return yield* new InvalidCredentials()
        const counter = yield* passkeys.used(party, { challenge, response, key: known })
        const next = counter === null ? null : usedFor(known, challenge, counter, now)
        if (next === null) return yield* new InvalidCredentials()
        return yield* commit({ ...leavesNothing, passkey: next })
      })

      const openedBy = Effect.fnUntraced(function* (passkey: Passkey) {
        const opens = ({ agent: { era, id: agentId, merchantId } }: Post) =>
          passkey.merchantId === null || isBoundTo(passkey, { merchantId, agentId, era })
        const posts = (yield* people.posts(passkey.canonical)).filter((post) => isOpen(post) && opens(post))
        const [first, ...others] = posts
        return first === undefined ? yield* new InvalidCredentials() : ([first, ...others] as const)
      })

      const signIn = Effect.fnUntraced(function* (response: PasskeyJson, browser: Browser) {
        const passkey = yield* untilCommitted(use(response))
        const shown = { method: "PASSKEY", emailProven: passkey.merchantId === null } as const
        return yield* untilCommitted(
          Effect.flatMap(openedBy(passkey), (posts) => sessions.begin(posts, shown, browser))
        )
      })

      return Passkeys.of({
        list: (holder) => listOf(holder, canonicalOf(holder)),
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
