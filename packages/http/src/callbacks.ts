import { Receipts } from "@countersign/core"
import { CallbackRefused } from "@countersign/core/channel"
import { Effect } from "effect"
import { type BodyMemory, mostOfOwner } from "./BodyMemory.ts"
import { BodyUnreadable, MethodUnknown } from "./Fault.ts"
import { parseQuery, type WireRequest } from "./WireRequest.ts"
import type { Failure } from "./wire.ts"
import type { WireResponse } from "./WireResponse.ts"

/** Providers send callbacks to `/v1/callbacks/{name}`. */
export const prefix = "/v1/callbacks/"

const methods = ["GET", "POST"]

const noBody = Effect.succeed(new Uint8Array(0))

/**
 * Passes providers' requests to their adapters as bytes, because signatures cover the exact bytes. `publicUrl` is the URL
 * that the provider called, even if a proxy changed the request.
 */
export const make = (publicUrl: string, bodyMemory: BodyMemory) =>
  Effect.map(Receipts, (receipts) => {
    /**
     * Anyone can send bodies to callbacks, so all of them share the memory of one owner. Each provider has its own part of
     * it. All WhatsApp numbers share one part, because only the body says which number it is about.
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
        return yield* new BodyUnreadable({ problem: "must not be compressed; omit Content-Encoding" })
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
        // Anyone may call, so check the headers before reading the body.
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
