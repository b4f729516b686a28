import { SmsText } from "@countersign/core"
import { type TwilioAnswer, twilioError } from "./TwilioError.ts"

/** A message that the simulator accepted. */
export interface TwilioMessage {
  readonly sid: string
  /** As requested: the prefix `rcs:` means RCS. */
  readonly to: string
  /** Null when a Messaging Service chose the sender. */
  readonly from: string | null
  readonly messagingServiceSid: string | null
  readonly body: string
  readonly statusCallback: string | null
  /** Every parameter, in the order received. */
  readonly parameters: ReadonlyArray<readonly [name: string, value: string]>
  /** When it was accepted, in milliseconds. */
  readonly at: number
}

/** A send request before it becomes a message. */
export type Wanted = Omit<TwilioMessage, "sid" | "at">

export interface TwilioRequest {
  readonly method: string
  /** The path with its query. */
  readonly target: string
  readonly authorization: string | undefined
  readonly contentType: string
  readonly body: string
}

export interface TwilioAccount {
  readonly accountSid: string
  readonly authToken: string
  /** Whether numbers behave as with Twilio's test credentials. */
  readonly magicNumbers: boolean
  readonly status: "active" | "suspended" | "closed"
  readonly type: "Trial" | "Full"
}

const longestBody = 1_600

/** The sender of Twilio's test credentials. They reject every other sender. */
const magicFrom: ReadonlyMap<string, number | null> = new Map([
  ["+15005550006", null],
  ["+15005550001", 21212],
  ["+15005550007", 21606],
  ["+15005550008", 21611]
])

const magicTo: ReadonlyMap<string, number> = new Map([
  ["+15005550001", 21211],
  ["+15005550002", 21612],
  ["+15005550003", 21408],
  ["+15005550004", 21610],
  ["+15005550009", 21614]
])

const kindOf = (address: string) => /^(rcs|whatsapp):/.exec(address)?.[1] ?? "sms"

const isRecipient = (to: string) => /^((rcs|whatsapp):)?\+[1-9]\d{6,14}$/.test(to)

const isCallback = (text: string) => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && !url.hostname.includes("_")
}

const readWanted = (body: string): Wanted => {
  const parameters = [...new URLSearchParams(body)]
  const find = (name: string) => parameters.find(([each]) => each === name)?.[1] ?? null
  return {
    to: find("To") ?? "",
    from: find("From"),
    messagingServiceSid: find("MessagingServiceSid"),
    body: find("Body") ?? "",
    statusCallback: find("StatusCallback"),
    parameters
  }
}

const magicCode = ({ from, to }: Wanted): number | null => {
  const fromCode = from === null ? null : magicFrom.get(from)
  return (fromCode === undefined ? 21606 : fromCode) ?? magicTo.get(to) ?? null
}

/** The error code of the first problem in a send request. */
const problemOf = (wanted: Wanted, { magicNumbers }: TwilioAccount): number | null => {
  const { body, from, messagingServiceSid, parameters, statusCallback, to } = wanted
  const hasContent = parameters.some(([name]) => name === "MediaUrl" || name === "ContentSid")
  if (to === "") return 21604
  if ((from ?? "") === "" && (messagingServiceSid ?? "") === "") return 21603
  if (body.trim() === "" && !hasContent) return 21602
  if (body.length > longestBody) return 21617
  const magic = magicNumbers ? magicCode(wanted) : null
  if (magic !== null) return magic
  if (!isRecipient(to)) return 21211
  if (messagingServiceSid === null && kindOf(to) !== kindOf(from ?? "")) return 63007
  return statusCallback !== null && !isCallback(statusCallback) ? 21609 : null
}

const dateOf = (at: number) => new Date(at).toUTCString().replace("GMT", "+0000")

const opens = ({ authorization }: TwilioRequest, { accountSid, authToken }: TwilioAccount, pathSid: string) =>
  pathSid === accountSid &&
  authorization === `Basic ${Buffer.from(`${accountSid}:${authToken}`, "utf8").toString("base64")}`

/** Twilio's response to a request about the account itself; null for other requests. */
export const accountAsked = (request: TwilioRequest, account: TwilioAccount): TwilioAnswer | null => {
  const [, sid] = /^\/2010-04-01\/Accounts\/([^/?]+)\.json$/.exec(request.target) ?? []
  if (sid === undefined || request.method !== "GET") return null
  if (!opens(request, account, sid)) return twilioError(20003)
  const { status, type } = account
  return {
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify({
      sid,
      status,
      type,
      friendly_name: "Acme",
      owner_account_sid: sid,
      date_created: dateOf(0),
      date_updated: dateOf(0),
      uri: `/2010-04-01/Accounts/${sid}.json`,
      subresource_uris: { messages: `/2010-04-01/Accounts/${sid}/Messages.json` }
    })
  }
}

/** The message that a request wants to send, or Twilio's error response. */
export const read = (request: TwilioRequest, account: TwilioAccount): Wanted | TwilioAnswer => {
  const { body, contentType, method, target } = request
  const [, pathSid] = /^\/2010-04-01\/Accounts\/([^/?]+)\/Messages\.json$/.exec(target) ?? []
  if (pathSid === undefined || method !== "POST") return twilioError(20404)
  if (!opens(request, account, pathSid)) return twilioError(20003)
  // Twilio reads only form bodies, so parameters in any other body are missing.
  const wanted = readWanted(/^application\/x-www-form-urlencoded\b/i.test(contentType) ? body : "")
  const code = problemOf(wanted, account)
  return code === null ? wanted : twilioError(code, wanted.to)
}

/** Twilio's response for an accepted message. */
export const created = (message: TwilioMessage, { accountSid }: TwilioAccount): TwilioAnswer => {
  const { at, body, from, messagingServiceSid, sid, to } = message
  const uri = `/2010-04-01/Accounts/${accountSid}/Messages/${sid}`
  return {
    status: 201,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify({
      sid,
      account_sid: accountSid,
      api_version: "2010-04-01",
      messaging_service_sid: messagingServiceSid,
      from,
      to,
      body,
      status: messagingServiceSid === null ? "queued" : "accepted",
      direction: "outbound-api",
      error_code: null,
      error_message: null,
      num_segments: messagingServiceSid === null ? String(SmsText.measure(body).segments) : "0",
      num_media: "0",
      price: null,
      price_unit: "USD",
      date_created: dateOf(at),
      date_updated: dateOf(at),
      date_sent: null,
      uri: `${uri}.json`,
      subresource_uris: { media: `${uri}/Media.json` }
    })
  }
}
