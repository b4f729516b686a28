import { Effect, type Scope } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { GraphRequest } from "./WhatsAppGraph.ts"

/** What a request hears. */
export type Answer =
  | {
      readonly _tag: "Json"
      readonly status: number
      /** An empty text is an empty body. */
      readonly body: unknown
      readonly retryAfterSeconds?: number
      readonly afterMillis?: number
    }
  | { readonly _tag: "Bytes"; readonly mimeType: string; readonly bytes: Uint8Array }
  /** A page where JSON belongs. */
  | { readonly _tag: "Page" }
  | { readonly _tag: "Nothing" }
  | { readonly _tag: "Reset" }

const longestBody = 1_024 * 1_024

const rawOf = ({ httpVersion, method, rawHeaders, url }: IncomingMessage, body: string) => {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
  return `${lines.join("\r\n")}\r\n\r\n${body}`
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const write = (response: ServerResponse, answer: Answer) => {
  if (answer._tag === "Nothing") return
  if (answer._tag === "Reset") return void response.socket?.resetAndDestroy()
  if (answer._tag === "Page") {
    response.writeHead(200, { "content-type": "text/html" })
    return void response.end("<!doctype html><title>Facebook</title>")
  }
  if (answer._tag === "Bytes") {
    response.writeHead(200, { "content-type": answer.mimeType, "content-length": answer.bytes.length })
    return void response.end(answer.bytes)
  }
  const { body, retryAfterSeconds, status } = answer
  response.writeHead(status, {
    "content-type": "application/json; charset=UTF-8",
    "x-fb-trace-id": "AbCdEfGhIjK",
    ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) })
  })
  response.end(body === "" ? "" : JSON.stringify(body))
}

const read = (request: IncomingMessage, body: string): GraphRequest | null => {
  const url = URL.parse(request.url ?? "/", "http://127.0.0.1")
  const [version = "", ...path] = url?.pathname.split("/").slice(1) ?? []
  const isOwn = version === "simulator"
  if (url === null || !(isOwn || /^v\d{1,3}\.\d{1,2}$/.test(version))) return null
  return {
    isOwn,
    method: request.method ?? "GET",
    path,
    query: url.searchParams,
    authorization: request.headers.authorization,
    body: parse(body)
  }
}

/** Serves on 127.0.0.1 until the scope ends, and says at which address. */
export const listen = (
  port: number,
  answer: (request: GraphRequest, raw: string) => Answer
): Effect.Effect<string, never, Scope.Scope> =>
  Effect.gen(function* () {
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      let length = 0
      request.on("data", (chunk: Buffer) => {
        length += chunk.length
        if (length > longestBody) request.destroy()
        else chunks.push(chunk)
      })
      request.on("error", () => response.destroy())
      request.on("end", () => {
        const body = Buffer.concat(chunks).toString("utf8")
        const asked = read(request, body)
        const said: Answer =
          asked === null
            ? {
                _tag: "Json",
                status: 400,
                body: { error: { message: "Unknown path components", type: "OAuthException", code: 2500 } }
              }
            : answer(asked, rawOf(request, body))
        if (said._tag !== "Json" || said.afterMillis === undefined) return write(response, said)
        // The double's own slowness is real, as a provider's is.
        const timer = setTimeout(() => write(response, said), said.afterMillis)
        response.on("close", () => clearTimeout(timer))
      })
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => {
        server.once("error", (error) => resume(Effect.die(error)))
        server.listen(port, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    )
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
