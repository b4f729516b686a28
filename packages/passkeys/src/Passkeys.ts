import type { PasskeyJson, PasskeyKey, PasskeyVerifier, RelyingParty } from "@countersign/core/person"
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server"
import { Effect, Option } from "effect"

/** It takes longer to load than the whole service to start, and most starts never need it. */
const library = () => import("@simplewebauthn/server")
const helpers = () => import("@simplewebauthn/server/helpers")

/** EdDSA, ES256 and RS256 by their numbers in COSE: what every browser and authenticator of today can do. */
const algorithms = [-8, -7, -257]

const fiveMinutes = 300_000

const described = ({ id, transports }: PasskeyKey) => ({ id, transports: [...transports] })

/** The library throws at whatever does not fit. It says which part did not, and to a stranger that is nobody's business. */
const orNull = <A>(check: () => Promise<A | null>): Effect.Effect<A | null> =>
  Effect.map(Effect.option(Effect.tryPromise(check)), Option.getOrNull)

const expected = ({ id, origin }: RelyingParty, challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: origin,
  expectedRPID: id,
  requireUserVerification: true
})

/** A passkey of a browser's answer, as `PasskeyVerifier.created` promises. */
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

/** As JSON knows it: the library leaves members `undefined`. */
const json = (options: object): PasskeyJson => JSON.parse(JSON.stringify(options)) as PasskeyJson

/**
 * Passkeys, checked by `@simplewebauthn/server`. No attestation is asked for: who may sign in is decided by who was
 * invited, and not by what made the key.
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
          // It is found without asking first who somebody is, so that nobody learns who has one.
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
