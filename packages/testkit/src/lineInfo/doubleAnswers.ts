import type { ServerResponse } from "node:http"

/** Answers in JSON. */
export const json = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: { readonly [name: string]: string } = {}
): void => {
  response.writeHead(status, { "content-type": "application/json", ...headers })
  response.end(JSON.stringify(body))
}

/** Answers like a proxy in front of the provider. */
export const page = (response: ServerResponse, status: number): void => {
  response.writeHead(status, { "content-type": "text/html" })
  response.end("<html><h1>Sorry</h1></html>")
}

/** Redirects to another host, with a status that carries the request along. */
export const redirected = (response: ServerResponse, to: string, path = ""): void => {
  response.writeHead(307, { location: `${to}${path}` })
  response.end()
}

/** More than any client should read, in chunks. */
const chunk = Buffer.alloc(64 * 1024, " ")
const chunks = 1024

const pour = (response: ServerResponse, left: number, after: string): void => {
  if (left === 0 || response.destroyed) return void response.end(after)
  response.write(chunk, () => pour(response, left - 1, after))
}

/** Puts 64 MB before a valid answer. */
export const flooded = (response: ServerResponse, body: unknown): void => {
  response.writeHead(200, { "content-type": "application/json" })
  pour(response, chunks, JSON.stringify(body))
}
