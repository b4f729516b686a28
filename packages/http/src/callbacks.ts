import { Receipts } from "@countersign/core"
import { CallbackRefused } from "@countersign/core/channel"
import { Effect } from "effect"
import type { BodyMemory, BodyOwner } from "./BodyMemory.ts"
import { BodyUnreadable, MethodUnknown } from "./Fault.ts"
import { parseQuery, type WireRequest } from "./WireRequest.ts"
import type { Failure } from "./wire.ts"
import type { WireResponse } from "./WireResponse.ts"

/** Where providers report: `/v1/callbacks/{name}`. */
export const prefix = "/v1/callbacks/"

const methods = ["GET", "POST"]

/** All callbacks share one part of the memory for bodies. Strangers can send them, and still get no more than that part. */
const owner: BodyOwner = { name: "callbacks", isAnybody: false }
const noBody = Effect.succeed(new Uint8Array(0))

/**
 * Hands providers' requests to their adapters as bytes, because a signature is made over the bytes that were sent.
 * `publicUrl` is how the provider called us, whatever a proxy in between changed.
 */
export const make = (publicUrl: string, bodyMemory: BodyMemory) =>
  Effect.map(Receipts, (receipts) => {
    const serve = Effect.fnUntraced(function* (
      name: string,
      request: WireRequest,
      largestBody: number
    ): Effect.fn.Return<WireResponse, Failure> {
      const query = yield* Effect.fromResult(parseQuery(request.query))
      const body = yield* request.method === "GET" ? noBody : request.body(largestBody)
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

    return (request: WireRequest): Effect.Effect<WireResponse, Failure> =>
      Effect.gen(function* () {
        if (!methods.includes(request.method)) return yield* new MethodUnknown({ allow: methods })
        // Any stranger may call, so the headers are checked before the body is read.
        const name = request.path.slice(prefix.length)
        const { checkHeaders, largestBody } = yield* receipts.expects(name)
        if (request.method === "POST" && !checkHeaders(request.header)) {
          return yield* new CallbackRefused({ provider: name })
        }
        return yield* bodyMemory.within(owner, request, (counted) => serve(name, counted, largestBody))
      })
  })
