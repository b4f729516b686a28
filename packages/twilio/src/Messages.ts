import { type Answered, ask, field, json, type Question, type Reply as HttpReply } from "@countersign/provider-http"
import { Effect, Redacted } from "effect"
import type { Account, Choices, Sender } from "./Options.ts"

/** The result of a request. */
export type Reply =
  | { readonly _tag: "Taken"; readonly sid: string }
  | {
      readonly _tag: "Declined"
      readonly status: number
      readonly code: number | null
      readonly retryAfterSeconds: number | null
    }
  /** No connection was made, so the request was not sent. */
  | { readonly _tag: "NotReached"; readonly why: string }
  /** The request was sent, but no usable answer came. */
  | { readonly _tag: "Lost"; readonly why: string }

/** Twilio's answer about the account. */
export type AccountReply =
  | { readonly _tag: "Account"; readonly status: "active" | "suspended" | "closed"; readonly isTrial: boolean }
  | Exclude<Reply, { readonly _tag: "Taken" }>

/** The parameters of a message that this adapter uses. */
export type Parameters = Sender &
  Choices & {
    readonly to: string
    readonly body: string
    /** In seconds. */
    readonly validityPeriod: number
    readonly statusCallback?: string
  }

/** Twilio's Messages and Account resources. Each call sends one request. */
export interface Messages {
  readonly create: (parameters: Parameters) => Effect.Effect<Reply>
  readonly account: Effect.Effect<AccountReply>
}

/** Large, because a refusal may come as a proxy's HTML page. */
const longestAnswer = 1024 * 1024

/** Encodes per RFC 3986: a space is `%20`, and an unpaired surrogate becomes U+FFFD. */
const encoded = (text: string) =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  )

/** `validityPeriod` is `ValidityPeriod` on the wire. */
const nameOf = (parameter: string) => `${parameter.charAt(0).toUpperCase()}${parameter.slice(1)}`

const formOf = (parameters: Parameters) =>
  Object.entries(parameters)
    .map(([name, value]) => `${nameOf(name)}=${encoded(String(value))}`)
    .join("&")

/** Twilio's codes have five or six digits. Anything else is ignored. */
export const codeOf = (error: unknown): number | null => {
  const code = field(error, "code")
  const text = typeof code === "number" || typeof code === "string" ? String(code) : ""
  return /^[1-9]\d{4,5}$/.test(text) ? Number(text) : null
}

const unreadable = { _tag: "Lost", why: "unreadable" } as const

const taken = (sid: unknown): Reply =>
  typeof sid === "string" && /^[A-Za-z0-9_-]{1,64}$/.test(sid) ? { _tag: "Taken", sid } : unreadable

const accountOf = (account: unknown): AccountReply => {
  const status = field(account, "status")
  return status === "active" || status === "suspended" || status === "closed"
    ? { _tag: "Account", status, isTrial: field(account, "type") === "Trial" }
    : unreadable
}

/** An answer that was cut off, or has an invalid status, counts as no answer. */
const read = <A>(reply: HttpReply, yes: (said: unknown) => A) => {
  if (reply._tag !== "Answered") return reply
  if (reply.text === null || reply.status > 599) return unreadable
  return reply.status < 300 ? yes(json(reply)) : declined(reply)
}

const declined = (answer: Answered) => {
  const { retryAfterSeconds, status } = answer
  return { _tag: "Declined", status, code: codeOf(json(answer)), retryAfterSeconds } as const
}

export const make = ({
  accountSid,
  apiUrl,
  authToken
}: Pick<Account, "accountSid" | "apiUrl" | "authToken">): Messages => {
  const request = (question: Question) =>
    Effect.suspend(() => {
      const basic = Buffer.from(`${accountSid}:${Redacted.value(authToken)}`).toString("base64")
      const headers = { authorization: `Basic ${basic}`, accept: "application/json", ...question.headers }
      return ask({ ...question, longestAnswer, headers })
    })
  const url = `${apiUrl}/2010-04-01/Accounts/${accountSid}`
  return {
    create: (parameters) =>
      Effect.map(
        request({
          url: `${url}/Messages.json`,
          headers: { "content-type": "application/x-www-form-urlencoded" },
          body: formOf(parameters)
        }),
        (reply): Reply => read(reply, (message) => taken(field(message, "sid")))
      ),
    account: Effect.map(request({ method: "GET", url: `${url}.json` }), (reply): AccountReply => read(reply, accountOf))
  }
}
