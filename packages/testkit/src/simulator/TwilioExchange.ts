import { Effect, type Scope } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { TwilioAnswer } from "./TwilioError.ts"
import type { TwilioRequest } from "./TwilioMessage.ts"

/** A request that was read to its end. */
export interface Exchange {
  readonly request: TwilioRequest
  /** As it came over the wire. */
  readonly raw: string
  /** Ends when the answer was handed to the network, or nobody is there to take it. */
  readonly answer: (answer: TwilioAnswer) => Effect.Effect<void>
  /** Closes the connection without a word. */
  readonly drop: Effect.Effect<void>
}

const longestBody = 1_024 * 1_024

const rawOf = ({ httpVersion, method, rawHeaders, url }: IncomingMessage, body: string) => {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
  return `${lines.join("\r\n")}\r\n\r\n${body}`
}

const write = (response: ServerResponse, { body, headers, status }: TwilioAnswer): Effect.Effect<void> =>
  Effect.callback((resume) => {
    if (response.destroyed) return resume(Effect.void)
    response.on("close", () => resume(Effect.void))
    response.writeHead(status, { ...headers, "twilio-request-id": "RQ00000000000000000000000000000001" })
    response.end(body)
  })

const exchangeOf = (request: IncomingMessage, response: ServerResponse, body: string): Exchange => ({
  request: {
    method: request.method ?? "",
    target: request.url ?? "",
    authorization: request.headers.authorization,
    contentType: request.headers["content-type"] ?? "",
    body
  },
  raw: rawOf(request, body),
  answer: (answer) => write(response, answer),
  drop: Effect.sync(() => void request.socket.resetAndDestroy())
})

/** Serves on 127.0.0.1 until the scope ends, and says at which address. */
export const listen = (
  port: number,
  onExchange: (exchange: Exchange) => void
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
      request.on("end", () => onExchange(exchangeOf(request, response, Buffer.concat(chunks).toString("utf8"))))
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
