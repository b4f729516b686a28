import type { PasskeyJson, PasskeyKey, PasskeyVerifier, RelyingParty } from "@countersign/core/person"
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server"
import { Effect, Option } from "effect"

/** Loaded on first use: it takes longer to load than the service to start, and many services never use passkeys. */
const library = () => import("@simplewebauthn/server")
const helpers = () => import("@simplewebauthn/server/helpers")

/** The COSE numbers of EdDSA, ES256 and RS256, which all current browsers and authenticators support. */
const algorithms = [-8, -7, -257]

const fiveMinutes = 300_000

const described = ({ id, transports }: PasskeyKey) => ({ id, transports: [...transports] })

/** Turns the library's exceptions into null. Their messages say which check failed, which a stranger must not learn. */
const orNull = <A>(check: () => Promise<A | null>): Effect.Effect<A | null> =>
  Effect.map(Effect.option(Effect.tryPromise(check)), Option.getOrNull)

const expected = ({ id, origin }: RelyingParty, challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: origin,
  expectedRPID: id,
  requireUserVerification: true
})

/** Reads a new passkey from the browser's answer. */
const created: PasskeyVerifier["created"] = (party, { challenge, response }) =>
  orNull(async () => {
    const { isoBase64URL } = await helpers()
    const { registrationInfo } = await (await library()).verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON,
      supportedAlgorithmIDs: algorithms,
      ...expected(party, challenge)
    })
    if (registrationInfo === undefined) return null
    const { counter, id, publicKey, transports = [] } = registrationInfo.credential
    return { id, publicKey: isoBase64URL.fromBuffer(publicKey), counter, transports }
  })

const used: PasskeyVerifier["used"] = (party, { challenge, key, response }) =>
  orNull(async () => {
    const { isoBase64URL } = await helpers()
    const { authenticationInfo, verified } = await (await library()).verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      credential: {
        id: key.id,
        publicKey: isoBase64URL.toBuffer(key.publicKey),
        counter: key.counter,
        transports: [...key.transports]
      },
      ...expected(party, challenge)
    })
    return verified && response["id"] === key.id ? authenticationInfo.newCounter : null
  })

/** Removes `undefined` members, which the library leaves. */
const json = (options: object): PasskeyJson => JSON.parse(JSON.stringify(options)) as PasskeyJson

/**
 * Passkeys, verified with `@simplewebauthn/server`. Attestation is not requested, because invitations decide who may sign
 * in, not the authenticator's model.
 *
 * @example
 * ```ts
 * import { Passkeys } from "@countersign/passkeys"
 *
 * const passkeys = Passkeys.make()
 * ```
 */
export const make = (): PasskeyVerifier => ({
  creation: ({ id, name }, { challenge, existing, owner }) =>
    Effect.map(
      Effect.promise(async () => {
        const { isoBase64URL } = await helpers()
        return (await library()).generateRegistrationOptions({
          rpID: id,
          rpName: name,
          userName: owner.name,
          userDisplayName: owner.name,
          userID: isoBase64URL.toBuffer(owner.handle),
          challenge: isoBase64URL.toBuffer(challenge),
          timeout: fiveMinutes,
          attestationType: "none",
          excludeCredentials: existing.map(described),
          // Discoverable, so that a sign-in needs no e-mail address and does not reveal who has a passkey.
          authenticatorSelection: { residentKey: "required", userVerification: "required" },
          supportedAlgorithmIDs: algorithms
        })
      }),
      json
    ),
  created,
  request: ({ id }, { challenge }) =>
    Effect.map(
      Effect.promise(async () => {
        const { isoBase64URL } = await helpers()
        return (await library()).generateAuthenticationOptions({
          rpID: id,
          challenge: isoBase64URL.toBuffer(challenge),
          timeout: fiveMinutes,
          userVerification: "required"
        })
      }),
      json
    ),
  used
})
