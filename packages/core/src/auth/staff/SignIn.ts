import { Clock, Context, Effect, Layer, Redacted, Result } from "effect"
import * as Identity from "../../foundation/identity/Identity.ts"
import { inField, type InvalidField } from "../../foundation/identity/InvalidField.ts"
import { Channels } from "../../foundation/delivery/Channels.ts"
import { canMail } from "../../foundation/delivery/carries.ts"
import { LinkAddress } from "../../foundation/delivery/LinkAddress.ts"
import { Limits } from "../../foundation/limit/Limits.ts"
import type { RateLimited } from "../../foundation/limit/RateLimited.ts"
import { InvalidCredentials } from "../../account/merchant/MerchantError.ts"
import { systemCaller } from "../../account/merchant/systemEnvironment.ts"
import { auditEntry, system } from "../../foundation/outbox/AuditEntry.ts"
import { type JobOutcome, Jobs, type Work } from "../../foundation/outbox/Jobs.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import * as Seal from "../../foundation/secret/Seal.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { logStoreError } from "../../foundation/storage/logStoreError.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { type Instant, minutes } from "../../foundation/time/Instant.ts"
import { checkOtp } from "../verification/checkOtp.ts"
import { Verifications } from "../verification/Verifications.ts"
import * as Challenge from "./Challenge.ts"
import { StaffStore } from "./StaffStore.ts"
import { type Browser, type Granted, hasAgreed, isOpen, Sessions } from "./Sessions.ts"
import { hashOf } from "./sessionToken.ts"
import {
  type SignInCode,
  signInCodeJob,
  signInCodeKind,
  type SignInRefused,
  signInRefusedJob,
  signInRefusedKind
} from "./signInJobs.ts"
import * as SignInLink from "./SignInLink.ts"
import { type Asker, giveBackTo, placeOfAsker, placesOfNetwork, type Step } from "./signInLimits.ts"
import { SignInMeans } from "./SignInMeans.ts"

const [live, decoy] = [systemCaller("live"), systemCaller("test")]
/** The codes of an environment that sends nothing are publicly known. This code matches none of them. */
const neverACode = "none"

const purpose = "sign-in"
const completed: JobOutcome = { _tag: "Completed" }

/** The sign-in methods of this deployment. Links work everywhere. */
export interface SignInWays {
  /** With a code sent by e-mail. */
  readonly email: boolean
  /** With a provider of OpenID Connect. */
  readonly oidc: boolean
  readonly passkey: boolean
}

type ConfirmRefused = InvalidField | InvalidCredentials | RateLimited | Contended | StoreError

/**
 * Sign-in with an e-mailed code, which Countersign sends as for any merchant, or with a link.
 *
 * A request reveals nothing about who works for whom. It only stores a job, and the job looks up the agent. For an
 * unknown address the job starts a verification too, in an environment that sends nothing. So a wrong code costs the
 * same and gets the same response for known and unknown addresses.
 *
 * @example
 * ```ts
 * import { SignIn } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const browser = { address: "192.0.2.7", userAgent: "Firefox", token: null }
 * const signIn = Effect.fn(function* (email: string, code: string) {
 *   const { agent, token } = yield* (yield* SignIn).confirm({ email, code }, browser)
 *   return { role: agent.role, token }
 * })
 * ```
 */
export class SignIn extends Context.Service<
  SignIn,
  {
    readonly ways: SignInWays
    /**
     * Sends a code to an address if its owner may sign in. Returns a nonce for the browser to keep, and accepts the
     * nonce that the browser already has. With the nonce, its requests and tries count apart from those of other
     * browsers.
     */
    readonly ask: (
      email: string,
      from: Pick<Browser, "address"> & { readonly nonce: string | null }
    ) => Effect.Effect<Redacted.Redacted, InvalidField | RateLimited | Contended | StoreError>
    /**
     * Signs in with the code, in the browser that requested it. Every failure is the same error. Without the nonce no
     * code is compared.
     */
    readonly confirm: (
      given: { readonly email: string; readonly code: string; readonly nonce: string | null },
      browser: Browser
    ) => Effect.Effect<Granted, ConfirmRefused>
    /** Signs in with a link's token, once. An invited agent becomes active. */
    readonly redeem: (
      token: string,
      browser: Browser
    ) => Effect.Effect<Granted, InvalidCredentials | Contended | StoreError>
  }
>()("@countersign/core/person/SignIn") {
  static readonly layerNoDeps: Layer.Layer<
    SignIn,
    never,
    Channels | Jobs | Keyring | Limits | LinkAddress | Outbox | StaffStore | Sessions | SignInMeans | Verifications
  > = Layer.effect(
    SignIn,
    Effect.gen(function* () {
      const channels = yield* Channels
      const jobs = yield* Jobs
      const keyring = yield* Keyring
      const limits = yield* Limits
      const { dashboard } = yield* LinkAddress
      const { passkeys, provider } = yield* SignInMeans
      const outbox = yield* Outbox
      const store = yield* StaffStore
      const sessions = yield* Sessions
      const verifications = yield* Verifications

      // Passkeys and providers are bound to the dashboard's address, so both are off when the address is not
      // configured.
      const ways: SignInWays = {
        email: channels.find("EMAIL") !== undefined,
        oidc: provider !== null && dashboard !== null,
        passkey: passkeys !== null && dashboard !== null
      }

      const canonicalOf = (email: string) =>
        Effect.fromResult(Identity.parse("EMAIL", email.trim())).pipe(
          Effect.map(({ canonical }) => canonical),
          Effect.mapError(inField("email"))
        )

      /** The requester, with a nonce only if it was made for this address within the hour. */
      const askerOf = (canonical: string, nonce: string | null, now: Instant): Asker => {
        const isGood = nonce !== null && Challenge.isGood(keyring, { _tag: "Code", canonical }, nonce, now)
        return { canonical, nonce: isGood ? nonce : null }
      }

      const admit = (step: Step, address: string | null, asker: Asker) =>
        limits.take(live.environment, [...placesOfNetwork(step, address), placeOfAsker(step, asker)])

      /**
       * Records a refused sign-in: the first in an hour for an address, in this process. A job looks up the agent, so a
       * known and an unknown address take the same time and the same writes.
       */
      const putDown = Effect.fnUntraced(
        function* (canonical: string, reason: SignInRefused["reason"], address: string | null) {
          const key = `sign-in.refused.${reason}:of:${canonical}`
          const cooldown = yield* limits.look(live.environment, [
            { key, most: 1, limit: "signIn", countedIn: "process" }
          ])
          const at = yield* Clock.currentTimeMillis
          const sealed = yield* Seal.seal(keyring, purpose, canonical)
          const job = signInRefusedJob(live.environment, { sealed, address, reason, at })
          yield* cooldown.during(outbox.append({ jobs: [job] }))
        },
        Effect.catchTags({
          RateLimited: () => Effect.void,
          Contended: () => Effect.void,
          StoreError: (error) => logStoreError("The audit entry about a refused sign-in was not recorded", error)
        })
      )

      const tell = Effect.fnUntraced(function* ({ payload: { address, at, reason, sealed } }: Work<SignInRefused>) {
        const canonical = yield* Seal.open(keyring, purpose, sealed)
        // Any merchant can enter an address, and must learn nothing about a person who has not agreed.
        const memberships = (yield* store.memberships(canonical)).filter(hasAgreed)
        const audited = memberships.map(({ agent: { id, merchantId, status } }) => {
          const target = { kind: "agent", id: String(id) }
          const by = { merchantId, environment: null, actor: system, address }
          return auditEntry(by, { action: "session.refused", target, to: { reason, status } }, at)
        })
        if (audited.length > 0) yield* outbox.append({ audited })
        return completed
      })
      yield* jobs.handle(signInRefusedKind, tell)

      const ask = Effect.fnUntraced(function* (
        email: string,
        { address, nonce }: Pick<Browser, "address"> & { readonly nonce: string | null }
      ) {
        const canonical = yield* canonicalOf(email)
        const now = yield* Clock.currentTimeMillis
        const asker = askerOf(canonical, nonce, now)
        yield* Effect.tapErrorTag(admit("ask", address, asker), "RateLimited", ({ limit }) =>
          // A network's limit reveals nothing about an address.
          limit === "signInCodes" ? putDown(canonical, "TOO_MANY_CODES", address) : Effect.void
        )
        const sealed = yield* Seal.seal(keyring, purpose, canonical)
        yield* outbox.append({ jobs: [signInCodeJob(live.environment, { sealed, until: now + minutes(10) }, now)] })
        return Redacted.make(asker.nonce ?? Challenge.make(keyring, { _tag: "Code", canonical }, now))
      })

      const isSent = (canonical: string): boolean => {
        const mail = channels.find("EMAIL")
        return mail !== undefined && canMail(mail, canonical)
      }

      /** The agents that an address may sign in to, and the environment of its verification. */
      const signInTarget = Effect.fnUntraced(function* (canonical: string) {
        const memberships = (yield* store.memberships(canonical)).filter(isOpen)
        const [first, ...otherMemberships] = isSent(canonical) ? memberships : []
        return first === undefined
          ? { memberships: null, caller: decoy }
          : { memberships: [first, ...otherMemberships] as const, caller: live }
      })

      const send = Effect.fnUntraced(function* ({ key, payload }: Work<SignInCode>) {
        if ((yield* Clock.currentTimeMillis) >= payload.until) return completed
        const canonical = yield* Seal.open(keyring, purpose, payload.sealed)
        const { caller } = yield* signInTarget(canonical)
        const request = {
          identity: canonical,
          identityType: "EMAIL",
          mode: "OTP",
          channel: "EMAIL",
          orderId: canonical
        }
        // Each request has its own idempotency key: a repeat sends once. A request over the limits is not sent.
        return yield* verifications.initiate(caller, request, key).pipe(
          Effect.as(completed),
          Effect.catchTags({
            RateLimited: () => Effect.succeed(completed),
            ProviderUnavailable: ({ channel }) =>
              Effect.as(Effect.logWarning("A sign-in code could not be sent", { channel }), completed)
          })
        )
      })
      yield* jobs.handle(signInCodeKind, send)

      const confirm = Effect.fnUntraced(function* (
        { code, email, nonce }: { readonly email: string; readonly code: string; readonly nonce: string | null },
        browser: Browser
      ) {
        const canonical = yield* canonicalOf(email)
        const asker = askerOf(canonical, nonce, yield* Clock.currentTimeMillis)
        const places = yield* admit("try", browser.address, asker)
        const refused = Effect.andThen(putDown(canonical, "WRONG_CODE", browser.address), new InvalidCredentials())
        // A browser that did not request a code cannot compare any, so it cannot use up the tries of the browser that
        // did. Malformed codes are rejected before the lookup, because the lookup of an unknown address takes a
        // different path and longer.
        if (asker.nonce === null || Result.isFailure(checkOtp("code", code))) return yield* refused
        const { caller, memberships } = yield* signInTarget(canonical)
        const otp = memberships === null ? neverACode : code
        const verified = yield* verifications.verify(caller, { orderId: canonical, otp }).pipe(
          // A code works once.
          Effect.map((result) => result._tag === "Verified" && !result.already),
          Effect.catchTags({
            InvalidField: () => Effect.succeed(false),
            UnknownVerification: () => Effect.succeed(false),
            VerificationExpired: () => Effect.succeed(false),
            AttemptsExhausted: () => Effect.succeed(false)
          })
        )
        if (!verified || memberships === null) return yield* refused
        const signInMethod = { method: "CODE", emailProven: true } as const
        const granted = yield* untilCommitted(
          Effect.gen(function* () {
            const { memberships } = yield* signInTarget(canonical)
            return memberships === null
              ? yield* new InvalidCredentials()
              : yield* sessions.begin(memberships, signInMethod, browser)
          })
        )
        yield* Effect.andThen(places.giveBack, giveBackTo(limits, live.environment, asker))
        return granted
      })

      const redeem = (token: string, browser: Browser) =>
        untilCommitted(
          Effect.gen(function* () {
            const hash = hashOf(token)
            const entry = hash === null ? null : yield* store.link(hash)
            const now = yield* Clock.currentTimeMillis
            if (
              entry === null ||
              entry.merchant.status !== "ACTIVE" ||
              !SignInLink.isOpen(entry.link, entry.agent, now)
            ) {
              return yield* new InvalidCredentials()
            }
            const { agent: invited, link } = entry
            const agent = { ...invited, status: "ACTIVE" as const }
            const isNew = invited.status === "INVITED"
            const activated = () =>
              auditEntry(
                {
                  merchantId: invited.merchantId,
                  environment: null,
                  actor: { kind: "AGENT", id: String(invited.id), label: invited.email },
                  address: browser.address
                },
                {
                  action: "agent.activated",
                  target: { kind: "agent", id: String(invited.id) },
                  from: { status: invited.status },
                  to: { status: agent.status }
                },
                now
              )
            return yield* sessions.begin(
              [{ ...entry, agent, lastUsedAt: null }],
              { method: "LINK", emailProven: false },
              browser,
              {
                links: [{ ...link, usedAt: now }],
                agents: isNew ? [agent] : [],
                audited: isNew ? [activated()] : []
              }
            )
          })
        )

      return SignIn.of({ ways, ask, confirm, redeem })
    })
  )
}
