import {
  ChannelError,
  type InvalidOptions,
  OutcomeUnknown,
  type Proof,
  type ProofRequest,
  type Prover
} from "@countersign/core/channel"
import { Duration, Effect, Redacted, type Result } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { accessTokenOf, proofOf } from "./answers.ts"
import { ask } from "./ask.ts"
import { type Account, check, type Options, provider } from "./Options.ts"

export type { Options } from "./Options.ts"

/** Longer than core waits, which gives up first and interrupts; this is for who asks without it. */
const deadline = Duration.seconds(15)

const told = <A>(result: Result.Result<A, ChannelError["reason"]>): Effect.Effect<A, ChannelError> =>
  Effect.mapError(Effect.fromResult(result), (reason) => new ChannelError({ channel: "TRUECALLER", reason }))

const unanswered = Effect.fail(
  new ChannelError({ channel: "TRUECALLER", reason: new OutcomeUnknown({ providerCode: "timeout" }) })
)

const proverOf = (client: HttpClient.HttpClient, { apiUrl, clientId }: Account): Prover => {
  const exchange = ({ code, codeVerifier }: ProofRequest) =>
    HttpClientRequest.post(`${apiUrl}/v1/token`).pipe(
      HttpClientRequest.bodyUrlParams({
        grant_type: "authorization_code",
        client_id: clientId,
        code: Redacted.value(code),
        code_verifier: Redacted.value(codeVerifier)
      }),
      HttpClientRequest.acceptJson
    )
  const userinfo = (accessToken: string) =>
    HttpClientRequest.get(`${apiUrl}/v1/userinfo`).pipe(
      HttpClientRequest.bearerToken(accessToken),
      HttpClientRequest.acceptJson
    )
  const prove = Effect.fnUntraced(function* (request: ProofRequest): Effect.fn.Return<Proof, ChannelError> {
    const accessToken = yield* told(accessTokenOf(yield* ask(client, exchange(request))))
    return yield* told(proofOf(yield* ask(client, userinfo(accessToken))))
  })
  return {
    name: "TRUECALLER",
    provider,
    prove: (request) => Effect.timeoutOrElse(prove(request), { duration: deadline, orElse: () => unanswered })
  }
}

/**
 * Proves numbers with Truecaller: changes the code that the app got for an access token, and asks with it whose number
 * it is. Two requests, neither ever repeated, because a code is good once.
 *
 * @example
 * ```ts
 * import { Truecaller } from "@countersign/truecaller"
 * import { Effect } from "effect"
 *
 * const truecaller = await Effect.runPromise(Truecaller.make({ clientId: "your-client-id" }))
 * ```
 */
export const make = (options: Options): Effect.Effect<Prover, InvalidOptions> =>
  Effect.flatMap(Effect.fromResult(check(options)), (account) =>
    Effect.map(HttpClient.HttpClient, (client) => proverOf(client, account)).pipe(Effect.provide(FetchHttpClient.layer))
  )
