import {
  ChannelError,
  type InvalidOptions,
  OutcomeUnknown,
  type NumberVerifier,
  type Proof,
  TruecallerProof,
  truecallerRefusal
} from "@countersign/core/channel"
import { ask } from "@countersign/provider-http"
import { Duration, Effect, Redacted, type Result } from "effect"
import { accessTokenOf, proofOf } from "./answers.ts"
import { type Account, check, type Options, provider } from "./Options.ts"

export type { Options } from "./Options.ts"

/** For callers without core, which has a shorter timeout and interrupts. */
const deadline = Duration.seconds(15)

const told = <A>(result: Result.Result<A, ChannelError["reason"]>): Effect.Effect<A, ChannelError> =>
  Effect.mapError(Effect.fromResult(result), (reason) => new ChannelError({ channel: "TRUECALLER", reason }))

const unanswered = Effect.fail(
  new ChannelError({ channel: "TRUECALLER", reason: new OutcomeUnknown({ providerCode: "timeout" }) })
)

const verifierOf = ({ apiUrl, clientId }: Account): NumberVerifier<TruecallerProof> => {
  const exchange = ({ code, codeVerifier }: TruecallerProof) =>
    ask({
      url: `${apiUrl}/v1/token`,
      headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({
        grant_type: "authorization_code",
        client_id: clientId,
        code: Redacted.value(code),
        code_verifier: Redacted.value(codeVerifier)
      }).toString()
    })
  const userinfo = (accessToken: string) =>
    ask({
      url: `${apiUrl}/v1/userinfo`,
      method: "GET",
      headers: { accept: "application/json", authorization: `Bearer ${accessToken}` }
    })

  const verify = Effect.fnUntraced(function* (request: TruecallerProof): Effect.fn.Return<Proof, ChannelError> {
    const accessToken = yield* told(accessTokenOf(yield* exchange(request)))
    return yield* told(proofOf(yield* userinfo(accessToken)))
  })
  return {
    name: "TRUECALLER",
    provider,
    payload: TruecallerProof,
    refusal: truecallerRefusal,
    verify: (request) => Effect.timeoutOrElse(verify(request), { duration: deadline, orElse: () => unanswered })
  }
}

/**
 * Verifies numbers with Truecaller: exchanges the app's code for an access token, and reads the number with it. Neither
 * request is retried, because a code works only once.
 *
 * @example
 * ```ts
 * import { Truecaller } from "@countersign/truecaller"
 * import { Effect } from "effect"
 *
 * const truecaller = await Effect.runPromise(Truecaller.make({ clientId: "your-client-id" }))
 * ```
 */
export const make = (options: Options): Effect.Effect<NumberVerifier<TruecallerProof>, InvalidOptions> =>
  Effect.map(Effect.fromResult(check(options)), verifierOf)
