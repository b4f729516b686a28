import type { IncomingMessage, ServerResponse } from "node:http"
import type { Exchange } from "../channel/ProviderServer.ts"
import type { GraphRequest } from "./WhatsAppGraph.ts"

/** The response to a request. */
export type Answer =
  | {
      readonly _tag: "Json"
      readonly status: number
      /** An empty string is an empty body. */
      readonly body: unknown
      readonly retryAfterSeconds?: number
      readonly afterMillis?: number
    }
  | { readonly _tag: "Bytes"; readonly mimeType: string; readonly bytes: Uint8Array }
  /** An HTML page instead of JSON. */
  | { readonly _tag: "Page" }
  | { readonly _tag: "Nothing" }
  | { readonly _tag: "Reset" }

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The fields of a multipart body. The platform's own parser reads it, as strictly as a server. */
const formIn = async (contentType: string | undefined, bytes: Uint8Array): Promise<FormData | null> => {
  try {
    const headers = { "content-type": contentType ?? "" }
    return await new Response(bytes as Uint8Array<ArrayBuffer>, { headers }).formData()
  } catch {
    return null
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

const read = (request: IncomingMessage, body: string, bytes: Uint8Array): GraphRequest | null => {
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
    body: parse(body),
    form: () => formIn(request.headers["content-type"], bytes)
  }
}

const unknownPath: Answer = {
  _tag: "Json",
  status: 400,
  body: { error: { message: "Unknown path components", type: "OAuthException", code: 2500 } }
}

/** Parses requests as the Graph API does, and writes the responses. */
export const answering =
  (answer: (request: GraphRequest, raw: string) => Answer | Promise<Answer>) =>
  ({ body, bytes, raw, request, response }: Exchange): void => {
    const asked = read(request, body, bytes)
    const said = asked === null ? unknownPath : answer(asked, raw)
    if (said instanceof Promise) return void said.then((later) => write(response, later))
    if (said._tag !== "Json" || said.afterMillis === undefined) return write(response, said)
    // Real time, like a slow provider's.
    const timer = setTimeout(() => write(response, said), said.afterMillis)
    response.on("close", () => clearTimeout(timer))
  }
