import type { Answer } from "../../api/Api.ts"
import { count } from "../../words/format.ts"
import { say } from "./words.ts"

export type DryRun = Extract<Answer<"POST /v1/dashboard/campaigns">, { readonly duplicates: number }>
export type Campaign = Answer<"GET /v1/dashboard/campaigns/:id">

export const steps = ["text", "list", "check", "start"] as const
export type Step = (typeof steps)[number]

/** What somebody has decided so far. The list itself is kept apart: it may be five megabytes. */
export interface Plan {
  readonly name: string
  readonly channel: "SMS" | "WHATSAPP"
  readonly template: string
  readonly when: "now" | "later"
  /** As the browser's field has it, in its zone: `2026-11-23T09:00`. */
  readonly at: string
}
export const emptyPlan: Plan = { name: "", channel: "WHATSAPP", template: "", when: "now", at: "" }

/** Why a step cannot be left yet; undefined: it can. */
export const missingIn = (
  step: Step,
  { at, name, template, when }: Plan,
  csv: string,
  run: DryRun | null,
  now: number
): string | undefined => {
  switch (step) {
    case "text":
      return name.trim() === "" ? say.missing.name : template === "" ? say.missing.template : undefined
    case "list":
      return csv.trim() === "" ? say.missing.list : undefined
    case "check":
      return run === null
        ? say.missing.check
        : run.invalidTotal > 0
          ? say.missing.fixRows
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

/** What stands before a step's name: a check mark where it is complete and before the current one, else its number. */
export const stepMark = (
  step: Step,
  current: Step,
  plan: Plan,
  csv: string,
  run: DryRun | null,
  now: number
): string => {
  const isBefore = steps.indexOf(step) < steps.indexOf(current)
  return isBefore && missingIn(step, plan, csv, run, now) === undefined ? "✓" : count(steps.indexOf(step) + 1)
}

/** The first thing that keeps a campaign from starting. */
export const blockedBy = (plan: Plan, csv: string, run: DryRun | null, now: number): string | undefined =>
  steps.map((step) => missingIn(step, plan, csv, run, now)).find((problem) => problem !== undefined)

export const bodyOf = ({ at, channel, name, template, when }: Plan, csv: string) => ({
  name: name.trim(),
  channel,
  template,
  csv,
  ...(when === "later" && !Number.isNaN(Date.parse(at)) ? { startAt: new Date(at).toISOString() } : {})
})

/** Whether what there is to spend pays for it; null where nothing is paid, or nobody knows. */
export const suffices = (cost: number | null, available: number | null): boolean | null =>
  cost === null || cost === 0 || available === null ? null : available >= cost

/** The parts of a campaign's whole, which add up to `total`; each message is in one of them. */
export const partsOf = ({ delivered, failed, pending, read, sent, skipped }: Campaign) =>
  [
    { key: "read", value: read },
    { key: "delivered", value: delivered - read },
    { key: "sent", value: sent - delivered },
    { key: "failed", value: failed },
    { key: "skipped", value: skipped },
    { key: "pending", value: pending }
  ] as const

/** How many of a campaign need nothing more of us. */
export const doneOf = ({ pending, total }: Pick<Campaign, "pending" | "total">): number => total - pending

/** What may be done to a campaign in its state: undefined, or why not. */
export const deedsOf = ({ status }: Pick<Campaign, "status">) => {
  const over = status === "DONE" ? say.blocked.done : status === "CANCELLED" ? say.blocked.cancelled : undefined
  return {
    pause: over ?? (status === "PAUSED" ? say.blocked.paused : undefined),
    resume: over ?? (status === "PAUSED" ? undefined : say.blocked.runs),
    cancel: over
  }
}

/** Whether something moves by itself. */
export const isMoving = ({ status, sent, delivered }: Campaign): boolean =>
  status === "RUNNING" || status === "SCHEDULED" || (status === "DONE" && delivered < sent)
