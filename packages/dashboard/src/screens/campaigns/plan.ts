import type { Answer } from "../../api/Api.ts"
import { count } from "../../words/format.ts"
import { say } from "./words.ts"

export type DryRun = Extract<Answer<"POST /v1/dashboard/campaigns">, { readonly duplicates: number }>
export type Campaign = Answer<"GET /v1/dashboard/campaigns/:id">

export const steps = ["text", "list", "check", "start"] as const
export type Step = (typeof steps)[number]

/** The choices so far. The list is kept separately, because it can have five megabytes. */
export interface Plan {
  readonly name: string
  readonly channel: "SMS" | "WHATSAPP"
  readonly template: string
  readonly when: "now" | "later"
  /** Value of the browser's date field, in the viewer's zone: `2026-11-23T09:00`. */
  readonly at: string
}
export const emptyPlan: Plan = { name: "", channel: "WHATSAPP", template: "", when: "now", at: "" }

/** Whether the valid lines can be sent without the invalid ones. */
export const canSkip = ({ invalidTotal, skippable, total }: DryRun): boolean =>
  invalidTotal > 0 && skippable && total > 0

/** How many lines have a problem. The service does not count a line after which the list cannot be read. */
export const wrongLines = ({ invalid, invalidLines }: Pick<DryRun, "invalid" | "invalidLines">): number =>
  Math.max(invalidLines, new Set(invalid.map(({ line }) => line)).size)

/** Why the user cannot leave a step yet, or undefined. */
export const missingIn = (
  step: Step,
  { at, name, template, when }: Plan,
  csv: string,
  run: DryRun | null,
  now: number,
  skips = false
): string | undefined => {
  switch (step) {
    case "text":
      return name.trim() === "" ? say.missing.name : template === "" ? say.missing.template : undefined
    case "list":
      return csv.trim() === "" ? say.missing.list : undefined
    case "check":
      return run === null
        ? say.missing.check
        : run.invalidTotal > 0 && !(skips && run.skippable)
          ? canSkip(run)
            ? say.missing.fixOrSkip
            : say.missing.fixRows
          : run.total - run.optedOut < 1
            ? say.missing.noRecipients
            : undefined
    case "start": {
      if (when === "now") return undefined
      const moment = Date.parse(at)
      return Number.isNaN(moment) ? say.missing.when : moment <= now ? say.missing.past : undefined
    }
  }
}

/** Prefix of a step: a check mark when it is complete and before the current one, else its number. */
export const stepMark = (
  step: Step,
  current: Step,
  plan: Plan,
  csv: string,
  run: DryRun | null,
  now: number,
  skips = false
): string => {
  const isBefore = steps.indexOf(step) < steps.indexOf(current)
  return isBefore && missingIn(step, plan, csv, run, now, skips) === undefined ? "✓" : count(steps.indexOf(step) + 1)
}

/** The first reason that blocks the start. */
export const blockedBy = (
  plan: Plan,
  csv: string,
  run: DryRun | null,
  now: number,
  skips = false
): string | undefined =>
  steps.map((step) => missingIn(step, plan, csv, run, now, skips)).find((problem) => problem !== undefined)

export const bodyOf = ({ at, channel, name, template, when }: Plan, csv: string, skips = false) => ({
  name: name.trim(),
  channel,
  template,
  csv,
  ...(skips ? { skipInvalid: true } : {}),
  ...(when === "later" && !Number.isNaN(Date.parse(at)) ? { startAt: new Date(at).toISOString() } : {})
})

/** Whether the balance covers the cost. Null when nothing is charged or the balance is unknown. */
export const suffices = (cost: number | null, available: number | null): boolean | null =>
  cost === null || cost === 0 || available === null ? null : available >= cost

/** Statuses of a campaign's messages. They add up to `total`. */
export const partsOf = ({ delivered, failed, pending, read, sent, skipped }: Campaign) =>
  [
    { key: "read", value: read },
    { key: "delivered", value: delivered - read },
    { key: "sent", value: sent - delivered },
    { key: "failed", value: failed },
    { key: "skipped", value: skipped },
    { key: "pending", value: pending }
  ] as const

/** Number of messages that need no further work. */
export const doneOf = ({ pending, total }: Pick<Campaign, "pending" | "total">): number => total - pending

/** Why an action is not possible in the current status, or undefined. */
export const deedsOf = ({ status }: Pick<Campaign, "status">) => {
  const over = status === "DONE" ? say.blocked.done : status === "CANCELLED" ? say.blocked.cancelled : undefined
  return {
    pause: over ?? (status === "PAUSED" ? say.blocked.paused : undefined),
    resume: over ?? (status === "PAUSED" ? undefined : say.blocked.runs),
    cancel: over
  }
}

/** Whether the status changes without user action. */
export const isMoving = ({ status, sent, delivered }: Campaign): boolean =>
  status === "RUNNING" || status === "SCHEDULED" || (status === "DONE" && delivered < sent)
