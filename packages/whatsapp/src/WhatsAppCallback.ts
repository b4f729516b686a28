import { type Callback, type CallbackAnswer, CallbackRefused, type CallbackRequest } from "@countersign/core/channel"
import { isSame } from "@countersign/provider-http"
import { Clock, Effect } from "effect"
import * as Notification from "./Notification.ts"
import type { Settings } from "./Options.ts"
import { isSigned } from "./Signature.ts"

const name = "whatsapp"

/** Meta's own limit. */
const longestBody = 3 * 1_024 * 1_024

const decoder = new TextDecoder()

const plain = (body: string, { inbound, receipts, templates }: Notification.Notification): CallbackAnswer => ({
  status: 200,
  contentType: "text/plain; charset=utf-8",
  body,
  receipts,
  inbound,
  ...(templates.length === 0 ? {} : { templates })
})

const refused = Effect.suspend(() => Effect.fail(new CallbackRefused({ provider: name })))

const parse = (body: Uint8Array) =>
  Effect.try({ try: (): unknown => JSON.parse(decoder.decode(body)), catch: () => null }).pipe(
    Effect.orElseSucceed(() => null)
  )

const signature = "x-hub-signature-256"
const signatureForm = /^sha256=[0-9a-f]{64}$/

/**
 * Receives Meta's reports. Meta subscribes with a GET that must be answered with its challenge, and reports with POSTs,
 * signed over their bytes. Every signed report is answered with 200, because Meta repeats all others for days.
 */
export const make = ({ appSecret, verifyToken }: Pick<Settings, "appSecret" | "verifyToken">): Callback => {
  const subscribe = ({ query }: CallbackRequest) => {
    const challenge = query["hub.challenge"] ?? ""
    const isMeta = query["hub.mode"] === "subscribe" && isSame(verifyToken, query["hub.verify_token"])
    return isMeta && challenge !== "" ? Effect.succeed(plain(challenge, Notification.nothing)) : refused
  }

  const report = ({ body, header }: CallbackRequest) => {
    if (body.length > longestBody || !isSigned(appSecret, body, header(signature))) return refused
    return Effect.zipWith(parse(body), Clock.currentTimeMillis, (parsed, now) =>
      plain("", Notification.read(parsed, now))
    )
  }

  return {
    name,
    checkHeaders: (header) => signatureForm.test(header(signature) ?? ""),
    largestBody: longestBody,
    receive: (request) =>
      Effect.suspend(() => {
        if (request.method === "GET") return subscribe(request)
        return request.method === "POST" ? report(request) : refused
      })
  }
}
