import {
  ChannelError,
  FirebaseProof,
  firebaseRefusal,
  type InvalidOptions,
  type NumberVerifier,
  ProviderCheckFailed,
  Refused
} from "@countersign/core/channel"
import { Effect } from "effect"
import { checkToken } from "./checkToken.ts"
import * as KeySet from "./KeySet.ts"
import { check, defaultKeysUrl, type Options, provider } from "./Options.ts"

export type { Options } from "./Options.ts"

const name = "FIREBASE"

const verifierOf = ({ keysUrl = defaultKeysUrl, merchants, ...project }: Options): NumberVerifier<FirebaseProof> => {
  const keys = KeySet.make(keysUrl)
  const fail = (reason: ChannelError["reason"]) => new ChannelError({ channel: name, reason })
  return {
    name,
    label: "Firebase",
    provider,
    payload: FirebaseProof,
    refusal: firebaseRefusal,
    verify: ({ token }, { merchantId }) =>
      merchants === undefined || merchants.includes(merchantId)
        ? Effect.mapError(checkToken(project, keys, token), fail)
        : Effect.fail(fail(new Refused({ providerCode: "other_merchant" }))),
    check: Effect.matchEffect(keys.refresh, {
      onFailure: ({ providerCode }) =>
        Effect.fail(
          new ProviderCheckFailed({
            problem: `does not return its public keys (${providerCode})`,
            advice: `check that this machine can reach ${new URL(keysUrl).host} on port 443`
          })
        ),
      onSuccess: (size) =>
        size > 0
          ? Effect.succeed({ detail: "its public keys are readable; the project is tested by the first token" })
          : Effect.fail(
              new ProviderCheckFailed({
                problem: "publishes no key for ES256",
                advice: `check that ${new URL(keysUrl).host} answers there, and not a proxy`
              })
            )
    })
  }
}

/**
 * Verifies numbers with Firebase Phone Number Verification: checks the app's token with Google's public keys. It sends
 * nothing about a person to anyone.
 *
 * @example
 * ```ts
 * import { Firebase } from "@countersign/firebase"
 * import { Effect } from "effect"
 *
 * const firebase = await Effect.runPromise(
 *   Firebase.make({ projectNumber: "123456789012", projectId: "acme-login" })
 * )
 * ```
 */
export const make = (options: Options): Effect.Effect<NumberVerifier<FirebaseProof>, InvalidOptions> =>
  Effect.map(Effect.fromResult(check(options)), verifierOf)
