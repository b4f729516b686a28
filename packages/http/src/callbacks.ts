import { Receipts } from "@countersign/core"
import { CallbackRefused } from "@countersign/core/channel"
import { Effect } from "effect"
import { type BodyMemory, mostOfOwner } from "./BodyMemory.ts"
import { BodyUnreadable, MethodUnknown } from "./Fault.ts"
import { parseQuery, type WireRequest } from "./WireRequest.ts"
import type { Failure } from "./wire.ts"
import type { WireResponse } from "./WireResponse.ts"

/** Where providers report: `/v1/callbacks/{name}`. */
export const prefix = "/v1/callbacks/"

const methods = ["GET", "POST"]

const noBody = Effect.succeed(new Uint8Array(0))

/**
 * Hands providers' requests to their adapters as bytes, because a signature is made over the bytes that were sent.
 * `publicUrl` is how the provider called us, whatever a proxy in between changed.
 */
export const make = (publicUrl: string, bodyMemory: BodyMemory) =>
  Effect.map(Receipts, (receipts) => {
    /**
     * Any stranger can send bodies to callbacks, so all of these hold no more memory than one owner may, and each provider
     * has a part that no body for another one takes. WhatsApp's numbers share one: which number a body is about stands in
     * the body.
     */
    const share = mostOfOwner / Math.max(1, receipts.callbacks.length)
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
        return yield* bodyMemory.within(
          { name: `callbacks/${name}`, pool: "callbacks", most: Math.max(share, largestBody) },
          request,
          (counted) => serve(name, counted, largestBody)
        )
      })
  })
