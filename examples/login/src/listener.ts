import type { IncomingMessage, ServerResponse } from "node:http"

const largestBody = 8 * 1024

const bodyOf = async (request: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | null> => {
  const chunks: Array<Uint8Array> = []
  let length = 0
  for await (const chunk of request) {
    chunks.push(chunk)
    length += chunk.length
    if (length > largestBody) return null
  }
  return Uint8Array.from(Buffer.concat(chunks))
}

/** The page's address in the browser. A proxy reports https in `X-Forwarded-Proto`. */
const addressOf = ({ headers, url = "/" }: IncomingMessage): string => {
  const secure = headers["x-forwarded-proto"] === "https"
  return `${secure ? "https" : "http"}://${headers.host ?? "localhost"}${url}`
}

const toRequest = async (request: IncomingMessage): Promise<Request | null> => {
  const { headers, method = "GET" } = request
  const body = method === "POST" ? await bodyOf(request) : undefined
  if (body === null) return null
  const given = Object.entries(headers).flatMap(
    ([name, value]): Array<[string, string]> => (typeof value === "string" ? [[name, value]] : [])
  )
  return new Request(addressOf(request), { method, headers: given, body: body ?? null })
}

const answer = async (
  handle: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse
): Promise<void> => {
  const request = await toRequest(incoming).catch(() => null)
  if (request === null) {
    outgoing.writeHead(400, { connection: "close" }).end()
    return
  }
  const response = await handle(request)
  const body = Buffer.from(await response.arrayBuffer())
  outgoing.setHeaders(response.headers)
  outgoing.writeHead(response.status).end(incoming.method === "HEAD" ? undefined : body)
}

/** Adapts a handler of `Request` and `Response` to Node's server. */
export const listener =
  (handle: (request: Request) => Promise<Response>) => (request: IncomingMessage, response: ServerResponse) => {
    answer(handle, request, response).catch(() => response.destroy())
  }
