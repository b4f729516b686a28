import type { Verification } from "../../life/result.ts"
import { may } from "../../session/may.ts"
import { channelName } from "../../words/channels.ts"
import { failureInWords, whyNotDelivered } from "../../words/failureCode.ts"
import { settingWords } from "../../words/settingsIndex.ts"
import { say } from "./outcomeWords.ts"

type Outcome = NonNullable<Verification["outcome"]>
type Advice = Outcome["advice"]

/** A screen where the advice can be followed. */
export type Target =
  | { readonly screen: "settings"; readonly find: string }
  | { readonly screen: "channels" | "money" | "templates" }

/** What happened, why, and the next step. */
export interface Headline {
  readonly what: string
  /** The reason, and what the fallback did. */
  readonly why: ReadonlyArray<string>
  readonly advice: string
  /** Where the current user can follow the advice. Null when that is not in the dashboard, or needs another role. */
  readonly target: Target | null
}

interface Remedy {
  readonly target: Target
  /** Undefined if the current user may do it. */
  readonly refusal: () => string | undefined
  readonly by: "admin" | "owner"
}

const setting = (name: Parameters<typeof may.set>[0], find: string = name): Remedy => ({
  target: { screen: "settings", find },
  refusal: () => may.set(name),
  by: ["prices", "dailyCap"].includes(name) ? "owner" : "admin"
})
const screen = (screen: "channels" | "templates"): Remedy => ({
  target: { screen },
  refusal: () => may.arrange,
  by: "admin"
})

/** What a team member can fix in the dashboard. Other advice is for the user or the operator. */
const remedies: { readonly [A in Advice]?: Remedy } = {
  ADD_FALLBACK: setting("fallbackChannel"),
  SHORTEN_FALLBACK: setting("fallbackAfterSeconds"),
  SET_PRICE: setting("prices"),
  RAISE_CAP: setting("dailyCap"),
  TOP_UP: { target: { screen: "money" }, refusal: () => may.own, by: "owner" },
  FIX_TEMPLATE: screen("templates"),
  FIX_PROVIDER: screen("channels"),
  CHANGE_DESTINATIONS: setting("allowedCountries", settingWords.groups.countries)
}

/** The cause as a sentence. A code without words is shown beside the reason. */
const causeOf = ({ cause, reason }: Pick<Outcome, "cause" | "reason">): ReadonlyArray<string> => {
  if (cause === null) return []
  const known = failureInWords(cause)
  const inWords = reason === null ? undefined : say.reasons[reason]
  return [known ?? (inWords === undefined ? whyNotDelivered(cause) : inWords(cause))]
}

const fallbackOf = ({ advice, channel, fallback }: Outcome): ReadonlyArray<string> => {
  if (fallback === null) return []
  const { state } = fallback
  if (state === "NOT_SET") return [advice === "ADD_FALLBACK" ? say.noneSet : say.none]
  const name = channelName(fallback.channel ?? "")
  if (state !== "USED") {
    const words = say.fallback[state]
    return words === undefined ? [] : [words(name)]
  }
  if (fallback.reason !== null) return [say.fallbackFailed(name), ...causeOf(fallback)]
  return [fallback.channel === channel ? say.wasFallback(name) : say.fallbackUsed(name)]
}

const adviceOf = (advice: Advice, verification: Verification): Pick<Headline, "advice" | "target"> => {
  const remedy = remedies[advice]
  const words = say.advice[advice]
  if (advice === "UNLOCK") return { advice: may.arrange === undefined ? words.do : words.ask("admin"), target: null }
  if (advice === "CHECK_IDENTITY" && verification.identityType === "EMAIL")
    return { advice: say.checkAddress, target: null }
  if (remedy === undefined) return { advice: words.do, target: null }
  return remedy.refusal() === undefined
    ? { advice: words.do, target: remedy.target }
    : { advice: words.ask(remedy.by), target: null }
}

/** The outcome of a verification as sentences, or null without one. */
export const headlineOf = (verification: Verification): Headline | null => {
  const { channel, deliveries, mode, outcome } = verification
  if (outcome === null) return null
  const isUnsent = deliveries.length === 0
  const kind = isUnsent ? "number" : mode === "OTP" ? "code" : "link"
  return {
    what: say.what[outcome.code](channelName(outcome.channel ?? channel), kind),
    why: [...causeOf(outcome), ...fallbackOf(outcome)],
    ...adviceOf(outcome.advice, verification)
  }
}
