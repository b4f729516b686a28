import {
  Instant,
  type LineAnswer,
  Links,
  SdkSessions,
  type Shown,
  type Verification,
  Verifications,
  type Verified
} from "@countersign/core"
import { labelOf } from "@countersign/core/channel"
import { Effect } from "effect"
import type { AuthApi, ConfirmAnswer, LoginAnswer, VerifyAnswer } from "./contract.ts"
import type { Handlers } from "../Handlers.ts"
import type { errors as billing } from "../billing/errors.ts"
import type { errors } from "./errors.ts"

const leftMessage = (left: number) =>
  left === 0
    ? "Invalid OTP. No attempts remaining; initiate again for a new code."
    : `Invalid OTP. ${left} ${left === 1 ? "attempt" : "attempts"} remaining.`

const sentMessage = ({ channel, kind }: Verification.Verification) => {
  switch (kind) {
    // Initiate never relays a code.
    case "Relayed":
    case "Code":
      return "OTP sent successfully"
    case "Link":
      return "Link sent successfully"
    case "Number":
      return `Waiting for ${labelOf({ name: channel })}`
  }
}

const matchNumber = ({ matchNumber }: Shown) => (matchNumber === null ? {} : { matchNumber })

/** `shown` has the code of an approved OAUTH or MAGIC_LINK. */
const status = (verification: Verification.Verification, shown: Shown | null) => ({
  requestId: verification.id,
  identity: verification.identity.spelling,
  identityType: verification.identity.type,
  mode: verification.mode,
  authStatus: verification.status,
  verifiedAt: Instant.toIsoOrNull(verification.verifiedAt),
  orderId: verification.orderId,
  code: shown?.code ?? null,
  ...(shown === null ? {} : matchNumber(shown)),
  deliveries: verification.deliveries.map(({ attemptNumber, carrier, channel, providerCode, status, type }) => ({
    channel,
    type,
    deliveryStatus: status,
    attemptNumber,
    carrier: carrier ?? null,
    providerCode: status === "FAILED" ? providerCode : null
  }))
})

const nobody = {
  success: false,
  phoneNumber: null,
  countryCode: null,
  nationalPhoneNumber: null,
  identityType: null,
  authTime: null
} as const

const confirmation = (verification: Verification.Verification): typeof ConfirmAnswer.Type => {
  const { id, identity, status, verifiedAt } = verification
  if (status !== "VERIFIED") return { ...nobody, requestId: id }
  return {
    success: true,
    phoneNumber: identity.spelling,
    countryCode: identity.countryCode,
    nationalPhoneNumber: identity.nationalNumber,
    identityType: identity.type,
    authTime: Math.floor(verifiedAt / 1000),
    requestId: id
  }
}

const loggedIn = ({
  id,
  identity,
  orderId,
  verifiedAt
}: Verification.VerifiedVerification): typeof LoginAnswer.Type => ({
  requestId: id,
  identity: identity.type === "MOBILE" ? `+${identity.canonical}` : identity.canonical,
  identityType: identity.type,
  countryCode: identity.countryCode,
  nationalPhoneNumber: identity.nationalNumber,
  orderId,
  verifiedAt: Instant.toIso(verifiedAt)
})

const shownLine = ({ facts: { simSwappedAt, ...facts }, missing }: LineAnswer) => ({
  ...facts,
  ...(simSwappedAt === undefined ? {} : { simSwappedAt: Instant.toIsoOrNull(simSwappedAt) }),
  missing
})

/** The answer to a checked code, for backends and apps alike. */
export const verifyAnswer = (result: Verified): typeof VerifyAnswer.Type =>
  result._tag === "Verified"
    ? {
        requestId: result.verification.id,
        verified: true,
        message: result.already ? "Already verified" : "OTP verified successfully",
        idToken: result.idToken,
        ...(result.already ? { already: true } : {}),
        ...(result.line === undefined ? {} : { line: shownLine(result.line) })
      }
    : { requestId: result.verification.id, verified: false, message: leftMessage(result.left), idToken: null }

/** Answers `/v1/auth/*`. */
export const make = Effect.gen(function* () {
  const verifications = yield* Verifications
  const links = yield* Links
  const sessions = yield* SdkSessions
  const handlers: Handlers<typeof AuthApi, typeof errors | typeof billing> = {
    initiate: ({ caller, idempotencyKey, payload }) =>
      Effect.flatMap(
        verifications.initiate(caller, payload, idempotencyKey),
        ({ deviceToken, oneTapApplied, verification }) => {
          const answer = {
            requestId: verification.id,
            message: oneTapApplied ? "Authenticated via OneTap" : sentMessage(verification),
            oneTapApplied,
            deviceToken
          }
          if (oneTapApplied || verification.kind === "Code") return Effect.succeed(answer)
          return Effect.map(links.shown(caller, verification), (shown) => ({
            ...answer,
            ...matchNumber(shown),
            ...(shown.testLink === null ? {} : { link: shown.testLink })
          }))
        }
      ),
    verify: ({ caller, payload }) => Effect.map(verifications.verify(caller, payload), verifyAnswer),
    login: ({ caller, payload }) =>
      Effect.map(verifications.login(caller, payload), (verification) =>
        verification === null ? null : loggedIn(verification)
      ),
    token: ({ caller, idempotencyKey, payload }) =>
      Effect.map(
        links.exchange(caller, payload, idempotencyKey),
        ({ deviceTrusted, idToken, verification: { id, identity } }) => ({
          requestId: id,
          identity: identity.spelling,
          identityType: identity.type,
          idToken,
          deviceTrusted
        })
      ),
    status: ({ caller, query }) =>
      Effect.flatMap(verifications.status(caller, query), (verification) =>
        verification.kind === "Code"
          ? Effect.succeed(status(verification, null))
          : Effect.map(links.shown(caller, verification), (shown) => status(verification, shown))
      ),
    confirm: ({ caller, payload }) => Effect.map(verifications.confirm(caller, payload), confirmation),
    createSession: Effect.fnUntraced(function* ({ caller, payload }) {
      const { expiresAt, expiresIn, scope, token } = yield* sessions.create(caller, payload)
      return {
        sessionToken: token,
        scope,
        expiresIn,
        expiresAt: Instant.toIso(expiresAt)
      }
    })
  }
  return handlers
})
