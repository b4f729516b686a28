import { LocalRequest } from "@countersign/http"
import type { IncomingMessage } from "node:http"

/** Whether development pages may answer: the request comes directly from this machine and names it as the host. */
export const isForDeveloper = (request: IncomingMessage): boolean =>
  LocalRequest.isForDeveloper({
    header: (name) => request.headers[name]?.toString(),
    remoteAddress: request.socket.remoteAddress ?? null
  })

/** The answer of development pages to all other requests. */
export const refusal = {
  errorCode: "FORBIDDEN",
  message:
    "This page is for development only: open it at http://localhost on the server's own machine, without a proxy",
  requestId: null
}
