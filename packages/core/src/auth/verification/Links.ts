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

/** What became of an approval. */
export type Approval =
  /** `location` is where the browser goes now; null where the merchant named no place. */
  | { readonly _tag: "Approved"; readonly location: string | null; readonly view: LinkView }
  /** It was not the number that the waiting side shows. The login is over. */
  | { readonly _tag: "Mistaken"; readonly view: LinkView }
  /** Unknown, cut, expired, used or ended, or none of the offered numbers was chosen: nobody is told which. */
  | { readonly _tag: "Unusable" }

export interface ExchangeRequest {
  readonly code: string
  readonly codeVerifier?: string | null | undefined
  /** Of the device that the login came back to. */
  readonly deviceToken?: string | null | undefined
}

/** What a verification shows its backend besides itself. */
export interface Shown {
  /** The authorisation code, while it can be exchanged. */
  readonly code: string | null
  /** The two digits for the waiting side; null where none are asked for. */
  readonly matchNumber: string | null
  /** The link itself, in a test environment alone: nothing is sent there. */
  readonly testLink: string | null
}

/** Whether its merchant still waits where it would return to: what is registered no more gets nobody's code. */
const isAwaited = ({ handover: { redirectUri } }: LinkVerification, { redirectUris }: Settings): boolean =>
  redirectUri === null || isRegistered(redirectUris, redirectUri)

/**
 * Approves logins by link. Opening a link changes nothing, as often and by whomever it is opened; pressing its button
 * approves once.
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
    /** What a link's page says. Null for every link that approves nothing (any more), in the same time. */
    readonly look: (token: string) => Effect.Effect<LinkView | null, StoreError>
    /** Somebody pressed the button. `number` is the one that they chose, where numbers are asked for. */
    readonly approve: (token: string, number: string | null) => Effect.Effect<Approval, Contended | StoreError>
    /**
     * Exchanges an authorisation code within a minute of the approval. It works once, but for a repeat with the same
     * idempotency key or the same `codeVerifier`, which gets the same answer. A `deviceToken` makes its device trusted
     * where the link had number matching and a `codeChallenge`, and is ignored otherwise.
     */
    readonly exchange: (
      caller: Caller,
      request: ExchangeRequest,
      /** The idempotency key: the same request may ask again for an answer that was lost. */
      command?: string | null
    ) => Effect.Effect<
      {
        readonly verification: Verification
        readonly idToken: string
        /** Whether the device is trusted whose token came along. */
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

      /** Its number and code, as long as the key that makes them is on the ring. */
      const keyOf = ({ keyId }: Verification) => keyring.find(keyId)

      const codeOf = (verification: Verification) => {
        const key = keyOf(verification)
        return key === undefined ? null : AuthorisationCode.write(key, verification.environment, verification.id)
      }

      /** The verification whose link this is, if its link can approve it now. */
      const find = Effect.fnUntraced(function* (token: string) {
        const claim = LinkToken.read(token)
        const verification = yield* store.find(claim.environment, claim.id)
        const key = verification === null ? undefined : keyOf(verification)
        // Compared whether there is one or not, so that both take the same time.
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
          // What the page never offered nobody has chosen: a scanner that posts the bare form ends no login.
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

        exchange: Effect.fnUntraced(function* (caller, { code, codeVerifier, deviceToken }, command = null) {
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
            command
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
