import { type Message, OutcomeUnknown, Refused, type Sent, Unavailable } from "@countersign/core/channel"
import { isBroken, unavailable } from "@countersign/provider-http"
import { Option, Schema } from "effect"
import { type ErrorRow, find, type GraphError } from "./ErrorTable.ts"
import type { Reply } from "./Graph.ts"
import type { Lesson } from "./Numbers.ts"

/** The meaning of a reply for the message and for the sending number. */
export interface Outcome {
  readonly result: Sent | Refused | Unavailable | OutcomeUnknown
  readonly lesson: Lesson
}

const Accepted = Schema.Struct({
  messages: Schema.NonEmptyArray(
    Schema.Struct({ id: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(512)) })
  )
})
const decodeAccepted = Schema.decodeUnknownOption(Accepted)

const decodeError = Schema.decodeUnknownOption(
  Schema.Struct({
    error: Schema.Struct({
      code: Schema.Int,
      error_subcode: Schema.optionalKey(Schema.Unknown),
      error_data: Schema.optionalKey(Schema.Unknown)
    })
  })
)
const decodeDetails = Schema.decodeUnknownOption(Schema.Struct({ details: Schema.String }))

/** Meta's error in an answer, without its text, which may contain secrets. */
export const errorIn = (body: unknown): GraphError | null =>
  Option.match(decodeError(body), {
    onNone: () => null,
    onSome: ({ error }) => ({
      code: error.code,
      subcode: typeof error.error_subcode === "number" ? error.error_subcode : null,
      details: Option.match(decodeDetails(error.error_data), { onNone: () => "", onSome: ({ details }) => details })
    })
  })

const refused = (providerCode: string, { means, template }: ErrorRow) =>
  new Refused({
    providerCode,
    because: means === "later" ? "account" : means,
    ...(template === undefined ? {} : { template })
  })

/** Meta's `Retry-After`, if present. */
type Wish = Parameters<typeof unavailable>[1]

/** Interprets an answer without a known code by its status. Meta has not accepted a message that it answers with an error. */
const byStatus = (providerCode: string, status: number, wish: Wish, isMetas: boolean): Outcome => {
  if (status === 429) return { result: unavailable(providerCode, wish, "limit"), lesson: "rate" }
  if (!isMetas && isBroken(status)) return { result: new OutcomeUnknown({ providerCode }), lesson: "stumbled" }
  return status >= 500 || status === 408
    ? { result: unavailable(providerCode, wish), lesson: "stumbled" }
    : { result: new Refused({ providerCode, because: "account" }), lesson: "fine" }
}

/** Meta answers the same error with various statuses, so a known code decides. */
const byCode = (error: GraphError, status: number, wish: Wish): Outcome => {
  const providerCode = String(error.code)
  const row = find(error)
  if (row === undefined) return byStatus(providerCode, status, wish, true)
  if (row.means !== "later") return { result: refused(providerCode, row), lesson: row.sender ?? "fine" }
  return {
    result: unavailable(
      providerCode,
      { retryAfterSeconds: wish.retryAfterSeconds ?? row.retryAfterSeconds ?? null },
      row.because
    ),
    // Only messages to this recipient must wait, so the number is fine.
    lesson: row.sender ?? (row.retryAfterSeconds === undefined ? "stumbled" : "fine")
  }
}

export const outcomeOf = (reply: Reply): Outcome => {
  if (reply._tag === "NotReached")
    return { result: new Unavailable({ providerCode: "not_reached" }), lesson: "stumbled" }
  if (reply._tag === "Lost") return { result: new OutcomeUnknown({ providerCode: "no_answer" }), lesson: "stumbled" }
  const { body, status } = reply
  const error = errorIn(body)
  if (error !== null) return byCode(error, status, reply)
  if (status >= 300) return byStatus(`http_${status}`, status, reply, false)
  return Option.match(decodeAccepted(body), {
    onNone: (): Outcome => ({ result: new OutcomeUnknown({ providerCode: `http_${status}` }), lesson: "stumbled" }),
    onSome: ({ messages: [{ id }] }): Outcome => ({ result: { providerId: id }, lesson: "fine" })
  })
}

const waits = (providerCode: string, retryAfterSeconds: number | undefined) =>
  new Unavailable({
    providerCode,
    because: "sender",
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
  })

const isWait = (lesson: Lesson) => lesson === "rate" || lesson === "spam"

/**
 * Limits an outcome to its own message where needed. Core reads a faulty template as that of all codes or links, and a
 * waiting number as the whole provider. Neither holds for a merchant's own number or a template of their choice.
 */
export const boundedTo = (message: Message, outcome: Outcome): Outcome => {
  const { lesson, result } = outcome
  if (!("_tag" in result)) return outcome
  if (result._tag === "Refused" && result.because === "template") {
    const isOurs = message._tag === "Code" || message._tag === "Link"
    if (isOurs && message.account === undefined && message.template === undefined) return outcome
    const because = message._tag === "Text" || message._tag === "Media" ? "content" : "template"
    return { lesson, result: new Refused({ providerCode: result.providerCode, because }) }
  }
  if (result._tag !== "Unavailable" || message.account === undefined || !isWait(lesson)) return outcome
  const { providerCode, retryAfterSeconds } = result
  return { lesson, result: waits(providerCode, retryAfterSeconds) }
}
