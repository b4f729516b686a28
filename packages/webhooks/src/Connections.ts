import { type Duration, Effect, Schema, type Scope } from "effect"
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from "node:http"
import { Agent as HttpsAgent, request as httpsRequest } from "node:https"
import { Excerpt } from "./Excerpt.ts"
import type { WebhookTarget } from "./WebhookUrl.ts"

/** A connection failed before the answer was complete. */
export class ConnectionFault extends Schema.TaggedError<ConnectionFault>()("ConnectionFault", {
  /** Node's error code. */
  code: Schema.String,
  /** Whether the server was reached, so that it may have received the request. */
  connected: Schema.Boolean
}) {}

export interface Post {
  readonly target: WebhookTarget
  /** The resolved address of the target. No name is looked up after this. */
  readonly address: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string | Uint8Array
}

export interface Reply {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: string
}

export interface ConnectionOptions {
  /** Certificate authorities as PEM, trusted instead of Node's own. */
  readonly authorities?: string | undefined
  /** Redirects an address to another one, for tests without public addresses. */
  readonly route?: ((address: string, port: number) => readonly [address: string, port: number]) | undefined
}

const mostHeaders = 16 * 1024
/** The most bytes read of a body. Only one kilobyte is used; the rest is read to keep the connection. */
const mostBody = 64 * 1024
const mostInformation = 8
/** How long to try one address before the next. */
const connectWithin: Duration.Input = "4 seconds"

const pool = {
  keepAlive: true,
  maxFreeSockets: 64,
  // Shorter than servers usually keep idle connections, because a connection closed under a webhook fails it.
  timeout: 4_000
}

const codeOf = (error: Error) => ("code" in error && typeof error.code === "string" ? error.code : "UNKNOWN")

/** Sends a request over a new or an idle connection. Interruption closes the connection. */
export const open = ({
  authorities,
  route = (address, port) => [address, port]
}: ConnectionOptions): Effect.Effect<(post: Post) => Effect.Effect<Reply, ConnectionFault>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const plain = yield* Effect.acquireRelease(
      Effect.sync(() => new HttpAgent(pool)),
      (agent) => Effect.sync(() => agent.destroy())
    )
    const secure = yield* Effect.acquireRelease(
      Effect.sync(
        () =>
          new HttpsAgent({
            ...pool,
            // Explicit, so that neither the environment nor a cached connection can weaken it.
            rejectUnauthorized: true,
            minVersion: "TLSv1.2",
            maxCachedSessions: 0,
            ...(authorities === undefined ? {} : { ca: authorities })
          })
      ),
      (agent) => Effect.sync(() => agent.destroy())
    )

    const requestFor = ({ address, body, headers, target }: Post) => {
      const [host, port] = route(address, target.port)
      const options = {
        // An address, so that Node does no lookup. The certificate check and the server use the name.
        host,
        port,
        path: target.path,
        method: "POST",
        headers: { ...headers, host: target.authority, "content-length": String(Buffer.byteLength(body)) },
        setHost: false,
        maxHeaderSize: mostHeaders,
        insecureHTTPParser: false
      }
      return target.secure
        ? httpsRequest({ ...options, agent: secure, servername: target.host === address ? "" : target.host })
        : httpRequest({ ...options, agent: plain })
    }

    const exchange = (post: Post, progress: { connected: boolean }) =>
      Effect.callback<Reply, ConnectionFault>((resume) => {
        const request = requestFor(post)
        let secured = !post.target.secure
        const fail = (error: string) => {
          const code = error === "ECONNRESET" && progress.connected && !secured ? "ERR_SSL_CLOSED" : error
          resume(Effect.fail(new ConnectionFault({ code, connected: progress.connected })))
          request.destroy()
        }
        const read = (response: IncomingMessage) => {
          const excerpt = new Excerpt()
          const answer = () => {
            const reply: Reply = {
              status: response.statusCode ?? 0,
              retryAfter: response.headers["retry-after"],
              body: excerpt.text
            }
            // Node marks the connection as idle only after this turn. Without waiting, the next webhook would open another.
            resume(Effect.as(Effect.yieldNow, reply))
          }
          response.on("data", (chunk: Buffer) => {
            excerpt.add(chunk)
            if (excerpt.received <= mostBody) return
            answer()
            request.destroy()
          })
          response.on("end", answer)
          response.on("error", (error) => fail(codeOf(error)))
        }
        let information = 0
        request.on("socket", (socket) => {
          if (!socket.connecting) {
            progress.connected = true
            secured = true
            return
          }
          socket.once("connect", () => (progress.connected = true))
          socket.once("secureConnect", () => (secured = true))
        })
        request.on("information", () => {
          if (++information > mostInformation) fail("HPE_TOO_MUCH_INFORMATION")
        })
        request.on("upgrade", (_response, socket) => {
          socket.destroy()
          fail("HPE_UPGRADE")
        })
        request.on("response", read)
        request.on("error", (error) => fail(codeOf(error)))
        request.end(post.body)
        return Effect.sync(() => request.destroy())
      })

    return (post) =>
      Effect.suspend(() => {
        const progress = { connected: false }
        const unreachable = Effect.suspend(() =>
          progress.connected ? Effect.never : Effect.fail(new ConnectionFault({ code: "ETIMEDOUT", connected: false }))
        )
        return Effect.raceFirst(exchange(post, progress), Effect.delay(unreachable, connectWithin))
      })
  })
