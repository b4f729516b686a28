import { type Callback, CallbackRefused, type Receipt } from "@countersign/core/channel"
import { field, isSame, received } from "@countersign/provider-http"
import { Effect, type Redacted } from "effect"
import { provider } from "./Options.ts"

/** The header that the operator adds to the webhook in MSG91's panel. */
export const secretHeader = "x-countersign-secret"

/** Statuses by the numbers of MSG91's older reports and the words of its newer ones. Others are ignored. */
const statuses: ReadonlyMap<string, Receipt["status"]> = new Map([
  ["1", "DELIVERED"],
  ["delivered", "DELIVERED"],
  ["sent", "SENT"],
  ["2", "FAILED"],
  ["failed", "FAILED"],
  ["undelivered", "FAILED"],
  ["9", "FAILED"],
  ["ndnc", "FAILED"],
  ["16", "FAILED"],
  ["25", "FAILED"],
  ["rejected", "FAILED"],
  ["17", "FAILED"],
  ["blocked", "FAILED"],
  ["expired", "FAILED"]
] as const)

/** India's do-not-disturb register and numbers that the carrier blocks. These are not opt-outs from this sender. */
const ofRecipient: ReadonlyArray<string> = ["9", "ndnc", "17", "blocked"]

const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value).trim() : ""

const receiptOf = (report: unknown): ReadonlyArray<Receipt> => {
  const said = textOf(field(report, "status")).toLowerCase()
  const status = statuses.get(said)
  const reference = textOf(field(report, "CRQID"))
  // Messages from other sources have `0` here.
  if (status === undefined || !/^[\w-]{1,64}(\.[\w-]{1,64}){2,3}$/.test(reference)) return []
  const id = textOf(field(report, "requestId"))
  const isOfRecipient = ofRecipient.includes(said)
  return [
    {
      reference,
      status,
      providerId: id === "" ? null : id,
      providerCode: status === "FAILED" ? said : null,
      ...(isOfRecipient ? { because: "recipient" } : {})
    }
  ]
}

const decoder = new TextDecoder()

const parsed = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(decoder.decode(body))
  } catch {
    return null
  }
}

/** Accepts one or several MSG91 reports. Only the secret in the header proves that they come from MSG91. */
export const make = (secret: Redacted.Redacted): Callback => ({
  name: provider,
  checkHeaders: (header) => isSame(secret, header(secretHeader)),
  receive: ({ body, header, method }) =>
    Effect.suspend(() => {
      if (method !== "POST" || !isSame(secret, header(secretHeader))) {
        return Effect.fail(new CallbackRefused({ provider }))
      }
      const reports = parsed(body)
      return Effect.succeed(received((Array.isArray(reports) ? reports.slice(0, 1000) : [reports]).flatMap(receiptOf)))
    })
})
