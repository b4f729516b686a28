import { LocalRequest } from "@countersign/http"
import { Effect, FiberSet, Result, type Scope } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Mount } from "./HttpServer.ts"
import { isForDeveloper, refusal } from "./Loopback.ts"

/** Simulates a customer's message. Succeeds with the provider's message id, or fails with a sentence for the caller. */
export type Play = (
  message: unknown
) => Effect.Effect<{ readonly messageId: string }, { readonly _tag: string; readonly problem: string }>

const prefix = "/dev/whatsapp"

/** Leaves room for pictures in base64. */
const longestBody = 8 * 1_024 * 1_024

const problem = (errorCode: string, message: string) => ({ errorCode, message, requestId: null })
const invalid = (message: string) => problem("INVALID_REQUEST", message)

const usage = problem(
  "METHOD_NOT_ALLOWED",
  `Send a customer's message with POST, for example: curl localhost:8080${prefix} -d '{"from":"+919812345678","text":"Hi"}'`
)

const answer = (response: ServerResponse, status: number, body: object, headers: object = {}) => {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store", ...headers })
  response.end(JSON.stringify(body))
}

/** Whether a page of another site made a browser send the request. Such a request does harm even unanswered. */
const isForeign = ({ headers: { origin } }: IncomingMessage): boolean =>
  origin !== undefined && !LocalRequest.isLoopback(URL.parse(origin)?.hostname ?? "")

const parse = (text: string): unknown => Result.getOrUndefined(Result.try((): unknown => JSON.parse(text)))

/** Reads the body. Null when it is longer than the limit. */
const bodyOf = (request: IncomingMessage): Effect.Effect<string | null> =>
  Effect.callback((resume) => {
    const chunks: Array<Buffer> = []
    let length = 0
    request.on("data", (chunk: Buffer) => {
      length += chunk.length
      if (length <= longestBody) chunks.push(chunk)
    })
    request.on("error", () => resume(Effect.interrupt))
    request.on("close", () => resume(Effect.interrupt))
    request.on("end", () =>
      resume(Effect.succeed(length > longestBody ? null : Buffer.concat(chunks).toString("utf8")))
    )
  })

const serve = (play: Play, request: IncomingMessage, response: ServerResponse) =>
  Effect.gen(function* () {
    if (!isForDeveloper(request) || isForeign(request)) return answer(response, 403, refusal)
    if (request.method !== "POST") return answer(response, 405, usage, { allow: "POST" })
    const text = yield* bodyOf(request)
    if (text === null)
      return answer(response, 413, problem("PAYLOAD_TOO_LARGE", `The body must be at most ${longestBody} bytes`))
    const message = parse(text)
    if (message === undefined) return answer(response, 400, invalid("The body must be JSON"))
    return yield* play(message).pipe(
      Effect.match({
        onSuccess: (played) => answer(response, 200, played),
        onFailure: (error) => answer(response, 400, invalid(error.problem))
      })
    )
  })

/**
 * `POST /dev/whatsapp`, available with `--simulate`: plays a customer who writes, sends a picture or presses a button. The
 * message arrives like every webhook: signed, over HTTP, at this server's callback.
 */
export const make = (play: Play): Effect.Effect<Mount, never, Scope.Scope> =>
  Effect.map(FiberSet.makeRuntime<never, void, never>(), (run) => ({
    prefix,
    handler: (request, response) => void run(serve(play, request, response))
  }))
