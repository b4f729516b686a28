import type { Verification } from "./result.ts"
import type { Step } from "./stepsOf.ts"

export interface Mark {
  readonly ms: number
  readonly tone: Step["tone"]
  readonly title: string
}

/** A stretch of a lane: before the provider accepted it, with the provider, or without a receipt. */
export interface Bar {
  readonly from: number
  readonly to: number
  readonly state: "queued" | "underway" | "silent"
}

/** One message with its receipts, or the codes or webhooks. */
export interface Lane {
  readonly key: string
  /** Null for codes and webhooks. */
  readonly channel: string | null
  readonly bars: ReadonlyArray<Bar>
  readonly marks: ReadonlyArray<Mark>
}

const marksOf = (steps: ReadonlyArray<Step>): ReadonlyArray<Mark> =>
  steps.map(({ ms, title, tone }) => ({ ms, tone, title }))

/** Maximum number of message lanes. Beyond that, the first and last are drawn. */
const mostLanes = 8

const kept = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> =>
  all.length <= mostLanes ? all : [...all.slice(0, mostLanes / 2), ...all.slice(-mostLanes / 2)]

/**
 * Lanes of the chart: one per message, one for codes and the result, one for webhooks. `endMs` is the right edge of a
 * verification that is still pending.
 */
export const lanesOf = (
  { authStatus, createdAt, deliveries }: Verification,
  steps: ReadonlyArray<Step>,
  endMs: number
): ReadonlyArray<Lane> => {
  const over = steps.find(({ kind }) => kind === "VERIFIED" || kind === "EXPIRED" || kind === "FAILED")?.ms
  const messages = kept(deliveries).map((delivery): Lane => {
    const mine = steps.filter(({ deliveryId, kind }) => deliveryId === delivery.id && kind !== "FALLBACK_STARTED")
    const start = Math.max(0, Date.parse(delivery.createdAt) - Date.parse(createdAt))
    const sent = mine.find(({ kind }) => kind === "SENT")?.ms
    const heard = mine.findLast(({ kind }) => kind === "RECEIPT" || kind === "SEND_FAILED")?.ms
    const next = deliveries[deliveries.indexOf(delivery) + 1]
    const until = Math.max(
      sent ?? start,
      Math.min(
        next === undefined ? Number.POSITIVE_INFINITY : Date.parse(next.createdAt) - Date.parse(createdAt),
        over ?? Number.POSITIVE_INFINITY,
        authStatus === "PENDING" ? endMs : Math.max(endMs, 0)
      )
    )
    const bars: ReadonlyArray<Bar> = [
      { from: start, to: sent ?? heard ?? until, state: "queued" },
      ...(sent === undefined
        ? []
        : [
            { from: sent, to: heard ?? until, state: heard === undefined ? ("silent" as const) : ("underway" as const) }
          ])
    ]
    return { key: delivery.id, channel: delivery.channel, bars, marks: marksOf(mine) }
  })
  const codes = steps.filter(({ about, kind }) => about === "code" || (about === null && kind !== "INITIATED"))
  const hooks = steps.filter(({ kind }) => kind === "WEBHOOK_TRIED")
  return [
    ...messages,
    ...(codes.length === 0 ? [] : [{ key: "codes", channel: null, bars: [], marks: marksOf(codes) }]),
    ...(hooks.length === 0 ? [] : [{ key: "webhooks", channel: null, bars: [], marks: marksOf(hooks) }])
  ]
}
