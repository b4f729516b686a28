import { Effect, type Scope } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** What an HTTP provider answers. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** An HTTP response. A body that is not a string is sent as JSON. */
export const http = (status: number, body: unknown, headers: { readonly [name: string]: string } = {}): HttpAnswer => {
  const type = typeof body !== "string" ? "application/json" : body.startsWith("<") ? "text/html" : "text/plain"
  return {
    status,
    headers: { "content-type": type, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body)
  }
}

/** A complete request, and the callers that wait for its answer. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly body: string
  /** The body's bytes, such as those of an uploaded file. */
  readonly bytes: Uint8Array
  /** As received, including headers. */
  readonly raw: string
  readonly response: ServerResponse
}

/** Larger than the largest upload of any provider that a double plays. */
const longestBody = 20 * 1_024 * 1_024

const rawOf = ({ httpVersion, method, rawHeaders, url }: IncomingMessage, body: string) => {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
  return `${lines.join("\r\n")}\r\n\r\n${body}`
}

/** Answers a request. */
export const write = (response: ServerResponse, { body, headers, status }: HttpAnswer): void => {
  response.writeHead(status, headers)
  response.end(body)
}

/** Serves on 127.0.0.1 until the scope ends. Returns the address. The default port is a free one. */
export const listen = (onExchange: (exchange: Exchange) => void, port = 0): Effect.Effect<string, never, Scope.Scope> =>
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
      response.on("error", () => response.destroy())
      request.on("end", () => {
        const bytes = Buffer.concat(chunks)
        const body = bytes.toString("utf8")
        onExchange({ request, body, bytes, raw: rawOf(request, body), response })
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
