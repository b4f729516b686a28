import type { Answer } from "../api/Api.ts"
import type { Tone } from "../parts/Pill.tsx"
import { channelName } from "../words/channels.ts"
import { failureInWords, reasonInWords } from "../words/failureCode.ts"
import { duration, time } from "../words/format.ts"
import type { Verification } from "./result.ts"
import { say } from "./words.ts"
import { serviceReason } from "./serviceReason.ts"

export type TimelineItem = Answer<"GET /v1/dashboard/verifications/:requestId/timeline">["items"][number]
export type Kind = TimelineItem["kind"]

/** Group of a step, used as a filter. */
export type About = "message" | "code" | "webhook"
export { abouts } from "../address/filters.ts"

/** One line of the timeline. */
export interface Step {
  readonly key: string
  readonly ms: number
  readonly at: string
  readonly kind: Kind
  /** Null for the start and the result, which every filter shows. */
  readonly about: About | null
  readonly tone: Tone
  readonly title: string
  readonly note: string | null
  /** An identifier of the provider, shown verbatim. */
  readonly id: string | null
  /** The delivery of this step. */
  readonly deliveryId: string | null
  readonly webhookId: string | null
}

const about: { readonly [kind in Kind]: About | null } = {
  INITIATED: null,
  RESENT: "message",
  SEND_TRIED: "message",
  SENT: "message",
  SEND_FAILED: "message",
  RECEIPT: "message",
  FALLBACK_STARTED: "message",
  FALLBACK_SKIPPED: "message",
  CODE_TRIED: "code",
  VERIFIED: null,
  EXPIRED: null,
  FAILED: null,
  EVENT: "webhook",
  WEBHOOK_TRIED: "webhook"
}

type Said = Pick<Step, "title"> & Partial<Pick<Step, "id" | "note" | "tone">>

const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null)
const number = (value: unknown): number | null => (typeof value === "number" ? value : null)
const nameOf = (channel: unknown): string => channelName(String(channel))
const clock = (at: string) => time(new Date(at), true)
/** The service's reason, without the part that the title already shows. */
const reasonOf = ({ reason }: TimelineItem) =>
  serviceReason(reason.replace(/^no fallback: /, "").replace(/^not sent: /, ""))

/** Why a message failed: the provider's code in words with the code itself, or else the service's reason. */
const failureOf = (item: TimelineItem): Pick<Step, "id" | "note"> => {
  const code = text(item.data["providerCode"])
  if (code === null) return { id: null, note: reasonOf(item) }
  return { id: failureInWords(code) === null ? null : code, note: reasonInWords(code) }
}

const messageOf = ({ data, sinceStartMs }: TimelineItem, { createdAt, deliveries }: Verification) => {
  const delivery = deliveries.find(({ id }) => id === data["deliveryId"])
  return {
    waited: delivery === undefined ? null : sinceStartMs - (Date.parse(delivery.createdAt) - Date.parse(createdAt))
  }
}

const receiptOf = (item: TimelineItem, verification: Verification, sentMs: number | undefined): Said => {
  const { channel, deliveryStatus } = item.data
  if (deliveryStatus === "FAILED") return { title: say.bounced(nameOf(channel)), ...failureOf(item), tone: "bad" }
  const isLate = verification.verifiedAt !== null && Date.parse(verification.verifiedAt) < Date.parse(item.at)
  const after = sentMs === undefined ? null : say.afterSent(duration(Math.max(0, item.sinceStartMs - sentMs)))
  const title = deliveryStatus === "READ" ? say.read(nameOf(channel)) : say.delivered(nameOf(channel))
  return { title, note: isLate ? say.tooLate : after, tone: isLate ? "plain" : "good" }
}

const webhookOf = ({ data, reason }: TimelineItem): Said => {
  const [status, next] = [number(data["responseStatus"]), text(data["nextAttemptAt"])]
  const isDelivered = data["status"] === "DELIVERED"
  const type = /^[\w.]+/.exec(reason)?.[0] ?? ""
  const took = number(data["durationMs"])
  const parts = [
    say.tryNumber(number(data["attempt"]) ?? 1, took === null ? null : duration(took)),
    ...(isDelivered ? [] : [next === null ? say.notAgain : say.againAt(clock(next))])
  ]
  return {
    title: say.webhook(type, status === null ? say.noAnswer : String(status)),
    note: parts.join("; "),
    tone: isDelivered ? "plain" : "bad"
  }
}

const triedOf = (item: TimelineItem): Said => {
  const [left, leftOut] = [number(item.data["attemptsLeft"]), number(item.data["leftOut"])]
  if (leftOut !== null) return { title: say.leftOut(leftOut) }
  return left === null
    ? { title: say.codeTried, note: reasonOf(item) }
    : { title: say.wrong(left), note: say.counted, tone: "bad" }
}

const saidOf = (item: TimelineItem, verification: Verification, sentMs: number | undefined): Said => {
  const { data } = item
  const carrier = text(data["carrier"])
  const channel = carrier === null ? nameOf(data["channel"]) : `${nameOf(data["channel"])} (${carrier})`
  switch (item.kind) {
    case "INITIATED": {
      const fallback = text(data["fallbackChannel"])
      const by = verification.trial ? say.tried : data["path"] === "SDK" ? say.askedByApp : say.askedByBackend
      const then = fallback === null ? say.withoutFallback : say.withFallback(nameOf(fallback))
      return {
        title: by(channel),
        note: verification.method === "ONETAP" ? say.nothingSent : then,
        tone: "accent"
      }
    }
    case "RESENT":
      return { title: say.askedAgain(channel), tone: "accent" }
    case "SEND_TRIED": {
      const next = text(data["nextTryAt"])
      const { id, note } = failureOf(item)
      const then = next === null ? say.mayBeOnItsWay : say.againAt(clock(next))
      return { title: say.notSentYet(channel), note: `${note}; ${then}`, id, tone: "warn" }
    }
    case "SENT": {
      const { waited } = messageOf(item, verification)
      return {
        title: say.sent(channel),
        note: waited === null ? null : say.acceptedIn(duration(Math.max(0, waited))),
        id: text(data["providerId"])
      }
    }
    case "SEND_FAILED":
      return data["deliveryStatus"] === "SKIPPED"
        ? { title: say.skipped(channel) }
        : { title: say.notSent(channel), ...failureOf(item), tone: "bad" }
    case "RECEIPT":
      return receiptOf(item, verification, sentMs)
    case "FALLBACK_STARTED":
      return { title: say.fallback(channel), note: reasonOf(item), tone: "warn" }
    case "FALLBACK_SKIPPED":
      return { title: say.noFallback, note: reasonOf(item) }
    case "CODE_TRIED":
      return triedOf(item)
    case "VERIFIED": {
      const method = verification.method ?? "OTP"
      return { title: say.verified, note: say.methods[method] ?? say.verifierKnew(channelName(method)), tone: "good" }
    }
    case "EXPIRED":
      return { title: say.expired, note: say.timeOver, tone: "warn" }
    case "FAILED":
      return { title: say.failed, note: reasonOf(item), tone: "bad" }
    case "EVENT":
      return { title: say.event(text(data["type"]) ?? "") }
    case "WEBHOOK_TRIED":
      return webhookOf(item)
  }
}

/** The timeline as texts: each step with its time and reason. */
export const stepsOf = (verification: Verification, items: ReadonlyArray<TimelineItem>): ReadonlyArray<Step> => {
  const sentMs = new Map<unknown, number>()
  return items.map((item, n): Step => {
    if (item.kind === "SENT") sentMs.set(item.data["deliveryId"], item.sinceStartMs)
    const stepText = saidOf(item, verification, sentMs.get(item.data["deliveryId"]))
    return {
      key: `${n}/${item.kind}/${item.sinceStartMs}`,
      ms: item.sinceStartMs,
      at: item.at,
      kind: item.kind,
      about: about[item.kind],
      tone: stepText.tone ?? "plain",
      title: stepText.title,
      note: stepText.note ?? null,
      id: stepText.id ?? null,
      deliveryId: item.kind === "WEBHOOK_TRIED" ? null : text(item.data["deliveryId"]),
      webhookId: text(item.data["webhookId"])
    }
  })
}

/** The steps of one group, between start and result. Null returns all steps. */
export const stepsAbout = (steps: ReadonlyArray<Step>, wanted: About | null): ReadonlyArray<Step> =>
  wanted === null ? steps : steps.filter((step) => step.about === null || step.about === wanted)

/** Time since the start: `+0.148`, `+41.007`, `+1:35.1`, `+2:03:11`, `+3 d 04:11`. */
export const offset = (ms: number): string => {
  const two = (value: number) => String(value).padStart(2, "0")
  if (ms < 0) return `−${(-ms / 1_000).toFixed(3)}`
  if (ms < 60_000) return `+${(Math.floor(ms) / 1_000).toFixed(3)}`
  const [seconds, minutes] = [Math.floor(ms / 1_000) % 60, Math.floor(ms / 60_000) % 60]
  if (ms < 3_600_000) return `+${minutes}:${two(seconds)}.${Math.floor((ms % 1_000) / 100)}`
  const hours = Math.floor(ms / 3_600_000)
  return hours < 24
    ? `+${hours}:${two(minutes)}:${two(seconds)}`
    : `+${Math.floor(hours / 24)} d ${two(hours % 24)}:${two(minutes)}`
}
