import type { Item } from "../api/Api.ts"
import { guardReasonWords } from "../words/guardReasons.ts"
import { language } from "../words/language.ts"
import { settingWords } from "../words/settingsIndex.ts"
import { say } from "./words.ts"

type Refusal = Item<"GET /v1/dashboard/refusals">

const guardReasons: Readonly<Record<string, string>> = guardReasonWords[language]

/** An hourly budget is named by its setting. */
const settings: Readonly<Record<string, string>> = settingWords.names

/** A reason of the guard as a short label. An unknown reason is shown as its wire name. */
export const guardReasonOf = (reason: string): string => guardReasons[reason] ?? reason

/** What the guard had against a code. */
export const guardedFor = (reasons: ReadonlyArray<{ readonly reason: string }>): string =>
  say.guard(reasons.map(({ reason }) => guardReasonOf(reason)).join(", "))

/** The reason of a refusal as text. An unknown reason is shown as its wire name. */
export const refusedFor = ({ errorCode, reason }: Pick<Refusal, "errorCode" | "reason">): string =>
  reason.startsWith("guard.")
    ? guardedFor([{ reason: reason.slice("guard.".length) }])
    : (say.reasons[reason] ??
      settings[reason] ??
      (errorCode === "INVALID_REQUEST" ? say.wrongField(reason) : (say.reasons[errorCode] ?? reason)))

/** A refusal has no id. Entries with equal fields count as the same row. */
export const idOf = ({ at, channel, errorCode, identity, path, reason }: Refusal): string =>
  [at, path, errorCode, reason, identity, channel].join()
