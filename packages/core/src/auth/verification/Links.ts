import { Clock, Context, Effect, Layer } from "effect"
import { LinkAddress } from "../../foundation/delivery/LinkAddress.ts"
import { InvalidField } from "../../foundation/identity/InvalidField.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { Merchants } from "../../account/merchant/Merchants.ts"
import { isRegistered } from "../../account/merchant/redirectUri.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import * as AuthorisationCode from "../../foundation/secret/AuthorisationCode.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import * as LinkToken from "../../foundation/secret/LinkToken.ts"
import * as MatchNumber from "../../foundation/secret/MatchNumber.ts"
import { Tokens } from "../../foundation/secret/Tokens.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { isExchangeable } from "./exchange.ts"
import { idTokenOf } from "./idTokenOf.ts"
import { linkOf } from "./linkOf.ts"
import { isLive, type LinkVerification, type Verification } from "./Verification.ts"
import { VerificationCommands } from "./VerificationCommands.ts"
import { UnknownAuthorisationCode } from "./VerificationError.ts"
import { VerificationStore } from "./VerificationStore.ts"
import { checkCodeVerifier } from "./checkCodeVerifier.ts"
import { type LinkView, viewOf } from "./LinkView.ts"
import { returnTo } from "./returnTo.ts"

/** The result of an approval. */
export type Approval =
  /** `location` is where the browser goes next; null when the merchant named no redirect URI. */
  | { readonly _tag: "Approved"; readonly location: string | null; readonly view: LinkView }
  /** The chosen number is not the one that the waiting page shows. The login is over. */
  | { readonly _tag: "Mistaken"; readonly view: LinkView }
  /**
   * The token is unknown, truncated, expired, used or ended, or the number was not one of those offered. The page does
   * not say which.
   */
  | { readonly _tag: "Unusable" }

export interface ExchangeRequest {
  readonly code: string
  readonly codeVerifier?: string | null | undefined
  /** The token of the device that the login returned to. */
  readonly deviceToken?: string | null | undefined
}

/** What a merchant's backend sees of a verification in addition to its state. */
export interface Shown {
  /** The authorisation code, while it can be exchanged. */
  readonly code: string | null
  /** The two digits that the waiting page shows; null without number matching. */
  readonly matchNumber: string | null
  /** The link itself, only in a test environment, where no message is sent. */
  readonly testLink: string | null
}

/**
 * Returns whether the redirect URI is still registered. A link to an address that the merchant has removed hands out no
 * code.
 */
const isAwaited = ({ handover: { redirectUri } }: LinkVerification, { redirectUris }: Settings): boolean =>
  redirectUri === null || isRegistered(redirectUris, redirectUri)

/**
 * Approves logins by link. Opening a link changes nothing, no matter how often or by whom. Pressing its button approves
 * once.
 *
 * @example
 * ```ts
 * import { type Caller, Links } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const finish = Effect.fn(function* (caller: Caller, code: string) {
 *   const links = yield* Links
 *   const { verification } = yield* links.exchange(caller, { code })
 *   return verification.identity.canonical
 * })
 * ```
 */
export class Links extends Context.Service<
  Links,
  {
    /** Returns what a link's page shows, or null for a link that can no longer approve. Both take the same time. */
    readonly look: (token: string) => Effect.Effect<LinkView | null, StoreError>
    /**
     * Approves the login when a person presses the button. `number` is their choice when the page asks for a number.
     */
    readonly approve: (token: string, number: string | null) => Effect.Effect<Approval, Contended | StoreError>
    /**
     * Exchanges an authorisation code within a minute of the approval. It works once. A repeat with the same
     * idempotency key or the same `codeVerifier` gets the same answer. A `deviceToken` makes its device trusted if the
     * link had number matching and a `codeChallenge`; otherwise it is ignored.
     */
    readonly exchange: (
      caller: Caller,
      request: ExchangeRequest,
      /** The idempotency key. A retry with the same key recovers a lost response. */
      idempotencyKey?: string | null
    ) => Effect.Effect<
      {
        readonly verification: Verification
        readonly idToken: string
        /** Whether the device that sent the token is now trusted. */
        readonly deviceTrusted: boolean
      },
      InvalidField | UnknownAuthorisationCode | Contended | StoreError
    >
    readonly shown: (caller: Pick<Caller, "kind">, verification: Verification) => Effect.Effect<Shown>
  }
>()("@countersign/core/verification/Links") {
  static readonly layerNoDeps: Layer.Layer<
    Links,
    never,
    Keyring | LinkAddress | Merchants | Tokens | VerificationCommands | VerificationStore
  > = Layer.effect(
    Links,
    Effect.gen(function* () {
      const commands = yield* VerificationCommands
      const keyring = yield* Keyring
      const merchants = yield* Merchants
      const store = yield* VerificationStore
      const tokens = yield* Tokens
      const { base } = yield* LinkAddress

      /** The key that derives the verification's number and code. Undefined once it is removed from the keyring. */
      const keyOf = ({ keyId }: Verification) => keyring.find(keyId)

      const codeOf = (verification: Verification) => {
        const key = keyOf(verification)
        return key === undefined ? null : AuthorisationCode.write(key, verification.environment, verification.id)
      }

      /** Finds the verification of a link that can be approved now, or null. */
      const find = Effect.fnUntraced(function* (token: string) {
        const claim = LinkToken.read(token)
        const verification = yield* store.find(claim.environment, claim.id)
        const key = verification === null ? undefined : keyOf(verification)
        // Compares even when no verification exists, so that both cases take the same time.
        const isGenuine = LinkToken.isGenuine(key ?? keyring.current, claim)
        const now = yield* Clock.currentTimeMillis
        if (verification === null || key === undefined || !isGenuine) return null
        if (verification.kind !== "Link" || !isLive(verification, now)) return null
        const environment = yield* merchants.environment(verification.environment)
        return environment === null || !isAwaited(verification, environment.settings)
          ? null
          : { verification, key, now, settings: environment.settings }
      })

      const look = Effect.fnUntraced(function* (token: string) {
        const found = yield* find(token)
        if (found === null) return null
        const { key, now, settings, verification } = found
        return viewOf(verification, key, settings, now)
      })

      return Links.of({
        look,

        approve: Effect.fnUntraced(function* (token, number) {
          const found = yield* find(token)
          if (found === null) return { _tag: "Unusable" }
          const { key, now, settings, verification } = found
          const { offered, right } = MatchNumber.choices(key, verification.id)
          const asks = verification.matchesNumbers === true
          // A number that the page did not offer is not a person's choice. So a scanner that posts the empty form
          // cannot end the login.
          if (asks && (number === null || !offered.includes(number))) return { _tag: "Unusable" }
          const outcome = yield* commands.approve(verification.environment, verification.id, {
            method: "LINK",
            isRight: () => !asks || number === right
          })
          const view = viewOf(verification, key, settings, now)
          switch (outcome?._tag) {
            case "Approved":
              return { _tag: "Approved", location: returnTo(verification, codeOf(verification)), view }
            case "Mistaken":
              return { _tag: "Mistaken", view }
            default:
              return { _tag: "Unusable" }
          }
        }),

        exchange: Effect.fnUntraced(function* (caller, { code, codeVerifier, deviceToken }, idempotencyKey = null) {
          const verifier = yield* Effect.fromResult(checkCodeVerifier(codeVerifier))
          const claim = AuthorisationCode.read(code)
          if (
            claim === null ||
            !keyring.all.some((key) => AuthorisationCode.isGenuine(key, caller.environment, claim))
          ) {
            return yield* new UnknownAuthorisationCode()
          }
          const outcome = yield* commands.exchange(caller, claim.id, {
            codeVerifier: verifier,
            deviceToken: deviceToken ?? null,
            idempotencyKey
          })
          switch (outcome._tag) {
            case "Exchanged":
              return {
                verification: outcome.verification,
                deviceTrusted: outcome.deviceTrusted,
                idToken: yield* idTokenOf(tokens, caller, outcome.verification)
              }
            case "Unproved":
              return yield* new InvalidField({ field: "codeVerifier", problem: outcome.problem })
            case "Unknown":
              return yield* new UnknownAuthorisationCode()
          }
        }),

        shown: Effect.fnUntraced(function* ({ kind }, verification) {
          if (verification.kind === "Code") return { code: null, matchNumber: null, testLink: null }
          const now = yield* Clock.currentTimeMillis
          const key = keyOf(verification)
          const isLink = verification.kind === "Link"
          const token = kind === "test" && isLink ? linkOf(keyring, verification) : null
          return {
            code: isExchangeable(verification, now) ? codeOf(verification) : null,
            matchNumber:
              key !== undefined && isLink && verification.matchesNumbers === true
                ? MatchNumber.derive(key, verification.id)
                : null,
            testLink: token === null || base === null ? null : `${base}/${token}`
          }
        })
      })
    })
  )
}
