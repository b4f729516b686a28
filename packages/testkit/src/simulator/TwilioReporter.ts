import { Clock, Effect } from "effect"
import { createHmac } from "node:crypto"
import { request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import type { TwilioAccount, TwilioMessage } from "./TwilioMessage.ts"
import type { TwilioStatus } from "./TwilioScript.ts"

/** A receipt that was due, and its result. */
export interface TwilioReport {
  readonly sid: string
  readonly status: TwilioStatus
  readonly errorCode: number | null
  /** The address that was signed; null when the message requested no receipts, so nothing was sent. */
  readonly url: string | null
  /** Your service's HTTP status for each send; null when it did not respond. */
  readonly answers: ReadonlyArray<number | null>
}

/** Sends the receipts of messages. */
export interface Reporter {
  readonly report: (
    message: TwilioMessage,
    status: TwilioStatus,
    errorCode: number | null
  ) => Effect.Effect<TwilioReport>
  readonly reports: Effect.Effect<ReadonlyArray<TwilioReport>>
}

/** Real time: your service answers over a real network, which no test clock moves. */
const patience = 15_000

/** The value of `X-Twilio-Signature`. It signs the called address, then every parameter by name, without duplicates. */
export const sign = (
  authToken: string,
  url: string,
  parameters: Iterable<readonly [name: string, value: string]>
): string => {
  const pairs = new Map(
    Array.from(parameters, ([name, value]) => [JSON.stringify([name, value]), [name, value] as const])
  )
  const byteOrder = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
  const sorted = [...pairs.values()].sort(([a, x], [b, y]) => byteOrder(a, b) || byteOrder(x, y))
  const text = url + sorted.map(([name, value]) => name + value).join("")
  return createHmac("sha1", authToken).update(text, "utf8").digest("base64")
}

const isLocal = ({ hostname }: URL) => /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)

/** A POST on a separate connection, which ends with it. Null without a response. */
const post = (url: URL, body: string, headers: { readonly [name: string]: string }): Effect.Effect<number | null> =>
  Effect.callback((resume) => {
    const send = url.protocol === "https:" ? requestHttps : requestHttp
    const request = send(url, {
      method: "POST",
      agent: false,
      headers: { ...headers, "content-length": Buffer.byteLength(body) }
    })
    request.on("response", (response) => {
      response.resume()
      response.on("close", () => resume(Effect.succeed(response.complete ? (response.statusCode ?? null) : null)))
    })
    request.on("error", () => resume(Effect.succeed(null)))
    request.setTimeout(patience, () => request.destroy())
    request.end(body)
    return Effect.sync(() => request.destroy())
  })

/**
 * How Twilio retries a report, from the fragment of its address. By default once, and only after a failed connection.
 */
const retriesOf = (hash: string) => {
  const fragment = new URLSearchParams(hash.slice(1))
  const count = Number(fragment.get("rc") ?? "1")
  const when = (fragment.get("rp") ?? "ct").split(",")
  const kindOf = (answer: number | null) => (answer === null ? ["ct", "rt"] : [answer < 500 ? "4xx" : "5xx"])
  return {
    count: Number.isInteger(count) && count >= 0 && count <= 5 ? count : 1,
    wanted: (answer: number | null) =>
      (answer === null || answer >= 400) && (when.includes("all") || kindOf(answer).some((kind) => when.includes(kind)))
  }
}

/** `YYMMDDhhmm`, without a time zone. */
const dlrDate = (now: number) => new Date(now).toISOString().slice(2, 16).replace(/\D/g, "")

/** The sender that a simulated Messaging Service chooses. */
const chosenSender = "+15005550006"

const fieldsOf = (
  account: TwilioAccount,
  { from, messagingServiceSid, sid, to }: TwilioMessage,
  status: TwilioStatus,
  errorCode: number | null,
  now: number
): ReadonlyArray<readonly [string, string]> => {
  const rcs = to.startsWith("rcs:")
  const ended = status === "delivered" || status === "undelivered"
  return [
    ...(rcs ? [["ChannelInstallSid", `XE${sid.slice(2)}`] as const, ["ChannelPrefix", "rcs"] as const] : []),
    ...(errorCode === null ? [] : [["ErrorCode", String(errorCode)] as const]),
    ...(status === "read" ? [["EventType", "READ"] as const] : []),
    ...(ended && !rcs ? [["RawDlrDoneDate", dlrDate(now)] as const] : []),
    ["SmsSid", sid],
    ["SmsStatus", status],
    ["MessageStatus", status],
    ["To", to],
    ...(messagingServiceSid === null ? [] : [["MessagingServiceSid", messagingServiceSid] as const]),
    ["MessageSid", sid],
    ["AccountSid", account.accountSid],
    ["From", from ?? chosenSender],
    ["ApiVersion", "2010-04-01"]
  ]
}

/**
 * Sends each report to the address in its message, signed for that address. `forwardTo` replaces its scheme and host,
 * as a proxy in front of your service would. Without it, a report to another machine is not sent.
 */
export const make = (account: TwilioAccount, forwardTo: string | null): Reporter => {
  const reports: Array<TwilioReport> = []

  const targetOf = (signed: URL): URL | null => {
    if (forwardTo === null) return isLocal(signed) ? signed : null
    return new URL(signed.pathname + signed.search, forwardTo)
  }

  const answersOf = (signed: URL, fields: ReadonlyArray<readonly [string, string]>) =>
    Effect.gen(function* () {
      const { count, wanted } = retriesOf(signed.hash)
      const target = targetOf(signed)
      const url = signed.href.slice(0, signed.href.length - signed.hash.length)
      const answers: Array<number | null> = []
      const headers = {
        "content-type": "application/x-www-form-urlencoded; charset=UTF-8",
        "user-agent": "TwilioProxy/1.1",
        "x-twilio-signature": sign(account.authToken, url, fields)
      }
      const body = new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString()
      while (answers.length <= count) {
        const answer = target === null ? null : yield* post(target, body, headers)
        answers.push(answer)
        if (target === null || !wanted(answer)) break
      }
      return { url, answers }
    })

  const report = Effect.fnUntraced(function* (message: TwilioMessage, status: TwilioStatus, errorCode: number | null) {
    const fields = fieldsOf(account, message, status, errorCode, yield* Clock.currentTimeMillis)
    const { statusCallback } = message
    const outcome =
      statusCallback === null ? { url: null, answers: [] } : yield* answersOf(new URL(statusCallback), fields)
    const done: TwilioReport = { sid: message.sid, status, errorCode, ...outcome }
    reports.push(done)
    return done
  })

  return { report, reports: Effect.sync(() => [...reports]) }
}
