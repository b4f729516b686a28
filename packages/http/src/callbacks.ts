import { Receipts } from "@countersign/core"
import { CallbackRefused } from "@countersign/core/channel"
import { Effect } from "effect"
import { BodyUnreadable, MethodUnknown } from "./Fault.ts"
import { parseQuery, type WireRequest } from "./WireRequest.ts"
import type { Failure } from "./wire.ts"
import type { WireResponse } from "./WireResponse.ts"

/** Where providers report: `/v1/callbacks/{name}`. */
export const prefix = "/v1/callbacks/"

const methods = ["GET", "POST"]

/**
 * Hands providers' requests to their adapters, as bytes: a signature is made over what was sent, not over what we make
 * of it. `publicUrl` is how the provider called us, whatever a proxy in between made of it.
 */
export const make = (publicUrl: string) =>
  Effect.map(
    Receipts,
    (receipts) =>
      (request: WireRequest): Effect.Effect<WireResponse, Failure> =>
        Effect.gen(function* () {
          if (!methods.includes(request.method)) return yield* new MethodUnknown({ allow: methods })
          // Anybody may call: what can be seen without the body is looked at before it is read.
          const name = request.path.slice(prefix.length)
          const { largestBody, signature } = yield* receipts.expects(name)
          if (request.method === "POST" && signature !== null && request.header(signature) === undefined) {
            return yield* new CallbackRefused({ provider: name })
          }
          const query = yield* Effect.fromResult(parseQuery(request.query))
          const body = request.method === "GET" ? new Uint8Array(0) : yield* request.body(largestBody)
          if ((request.header("content-encoding") ?? "identity") !== "identity") {
            return yield* new BodyUnreadable({ problem: "send it without content-encoding" })
          }
          const answer = yield* receipts.receive(name, {
            method: request.method,
            url: `${publicUrl}${request.path}${request.query === "" ? "" : `?${request.query}`}`,
            query,
            header: request.header,
            body
          })
          return { status: answer.status, headers: { "content-type": answer.contentType }, body: answer.body }
        })
  )
