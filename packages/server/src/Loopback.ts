import { LocalRequest } from "@countersign/http"
import type { IncomingMessage } from "node:http"

/** Whether a development page answers a request: it comes straight from here, and names this machine. */
export const isForDeveloper = (request: IncomingMessage): boolean =>
  LocalRequest.isForDeveloper({
    header: (name) => request.headers[name]?.toString(),
    remoteAddress: request.socket.remoteAddress ?? null
  })

/** What the pages of development answer to everybody else. */
export const refusal = {
  errorCode: "FORBIDDEN",
  message:
    "This page is for development: open it at http://localhost on the machine that the server runs on, without a proxy in between",
  requestId: null
}
