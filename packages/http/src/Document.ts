import { SecretHash } from "@countersign/core"
import { Effect } from "effect"
import type { WireRequest } from "./WireRequest.ts"
import type { WireResponse } from "./WireResponse.ts"

const encoder = new TextEncoder()

const compressed = (bytes: Uint8Array<ArrayBuffer>) =>
  Effect.promise(async () => {
    const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"))
    return new Uint8Array(await new Response(stream).arrayBuffer())
  })

/** Whether the header accepts gzip with a weight above zero. */
const takesGzip = (header: string | undefined) =>
  (header ?? "").split(",").some((one) => /^\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(one))

/**
 * A document that is the same for all clients. It is built and compressed at the first request, and answered with 304 when
 * the client has it. All answers share its bytes: with a string, each answer would hold its own copy until its client has
 * read it.
 */
export const make = (
  text: Effect.Effect<{ readonly text: string; readonly headers: WireResponse["headers"] }>
): Effect.Effect<(request: WireRequest) => Effect.Effect<WireResponse>> =>
  Effect.map(
    Effect.cached(
      Effect.gen(function* () {
        const made = yield* text
        const plain = encoder.encode(made.text)
        const etag = `"${SecretHash.hash(made.text).slice(0, 32)}"`
        return { headers: made.headers, plain, gzip: yield* compressed(plain), etag }
      })
    ),
    (cached) => (request) =>
      Effect.map(cached, ({ etag, gzip, headers, plain }) => {
        const shared = { ...headers, etag, "cache-control": "no-cache", vary: "accept-encoding" }
        const known = (request.header("if-none-match") ?? "").split(",").map((one) => one.trim().replace(/^W\//, ""))
        if (known.includes(etag) || known.includes("*")) return { status: 304, headers: shared, body: "" }
        return takesGzip(request.header("accept-encoding"))
          ? { status: 200, headers: { ...shared, "content-encoding": "gzip" }, body: gzip }
          : { status: 200, headers: shared, body: plain }
      })
  )
