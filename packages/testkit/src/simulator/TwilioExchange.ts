import { Effect } from "effect"
import * as ProviderServer from "../channel/ProviderServer.ts"
import type { TwilioAnswer } from "./TwilioError.ts"
import type { TwilioRequest } from "./TwilioMessage.ts"

/** A request as Twilio reads it, and its possible results. */
export interface Exchange {
  readonly request: TwilioRequest
  /** As received, including headers. */
  readonly raw: string
  /** Ends when the answer was sent, or the client has disconnected. */
  readonly answer: (answer: TwilioAnswer) => Effect.Effect<void>
  /** Closes the connection without an answer. */
  readonly drop: Effect.Effect<void>
}

const requestId = "RQ00000000000000000000000000000001"

export const exchangeOf = ({ body, raw, request, response }: ProviderServer.Exchange): Exchange => ({
  request: {
    method: request.method ?? "",
    target: request.url ?? "",
    authorization: request.headers.authorization,
    contentType: request.headers["content-type"] ?? "",
    body
  },
  raw,
  answer: (answer) =>
    Effect.callback((resume) => {
      if (response.destroyed) return resume(Effect.void)
      response.on("close", () => resume(Effect.void))
      ProviderServer.write(response, { ...answer, headers: { ...answer.headers, "twilio-request-id": requestId } })
    }),
  drop: Effect.sync(() => void request.socket.resetAndDestroy())
})
