import { carries } from "../../foundation/delivery/carries.ts"
import type { ChannelChoice } from "../../foundation/delivery/Channel.ts"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { EnvironmentKind } from "./Merchant.ts"
import type { Settings } from "./Settings.ts"

/** An allowed setting that has no effect or another effect than expected. */
export interface SettingsWarning extends Problem.Problem {
  readonly field: keyof Settings
}

type Length = "codeExpirySeconds" | "maxLifetimeSeconds" | "oneTapDays" | "oneTapMaxDays"

interface Pair {
  readonly field: Length
  /** The setting that takes effect before `field` can. */
  readonly other: Length
}

/** Pairs of limits where the first should not be longer than the second. Each alone may have any value of its range. */
const limits: ReadonlyArray<Pair> = [
  { field: "oneTapDays", other: "oneTapMaxDays" },
  { field: "codeExpirySeconds", other: "maxLifetimeSeconds" }
]

const isLonger = ({ field, other }: Pair, settings: Settings) => settings[field] > settings[other]

/**
 * A change that contradicts itself: it names both limits of a pair, and the wrong limit is longer. When it names only
 * one, the other may follow, so that is only a warning. Values stored earlier are not part of the change.
 */
export const contradiction = (names: ReadonlyArray<string>, before: Settings, after: Settings): InvalidField | null => {
  const isNew = ({ field, other }: Pair) => before[field] !== after[field] || before[other] !== after[other]
  const conflict = limits.find(
    (pair) => [pair.field, pair.other].every((name) => names.includes(name)) && isLonger(pair, after) && isNew(pair)
  )
  return conflict === undefined
    ? null
    : invalidField(
        conflict.field,
        Problem.of("SETTING_LONGER", { other: conflict.other, value: after[conflict.other] })
      )
}

/**
 * Everything apart from the settings that decides whether they work. The channels are those of live environments. In a
 * test environment every channel works.
 */
export interface Around extends ChannelChoice {
  readonly kind: EnvironmentKind
  /** Whether links have an address to lead to. */
  readonly links: boolean
}

const noProvider = (name: ChannelName, { find, kind }: Around) => kind === "live" && find(name) === undefined

const sendsLinks = ({ find, kind, links, names }: Around) =>
  links &&
  (kind === "test" ||
    names.some((name) => {
      const channel = find(name)
      return channel !== undefined && (["MOBILE", "EMAIL"] as const).some((type) => carries(channel, type, "Link"))
    }))

const fallbackProblem = (settings: Settings, around: Around): Problem.Problem | null => {
  const { fallbackChannel: fallback, primaryChannel: primary } = settings
  if (fallback === null) return null
  if (noProvider(fallback, around)) return Problem.of("FALLBACK_NO_PROVIDER", { channel: fallback })
  if (fallback === primary) return Problem.of("FALLBACK_IS_PRIMARY")
  return fallback === "EMAIL" ? Problem.of("FALLBACK_IS_EMAIL") : null
}

/** Money settings without effect, because nothing is charged. */
const unbilled = (
  { billing }: Settings,
  isSet: boolean,
  code: "UNBILLED_EFFECT" | "UNBILLED_RESERVE" | "UNBILLED_WARNING"
): Problem.Problem | null => (billing === "OFF" && isSet ? Problem.of(code) : null)

const problems: { readonly [F in keyof Settings]?: (settings: Settings, around: Around) => Problem.Problem | null } = {
  codeExpirySeconds: ({ codeExpirySeconds, maxLifetimeSeconds }) =>
    codeExpirySeconds > maxLifetimeSeconds
      ? Problem.of("REACHED_FIRST", { other: "maxLifetimeSeconds", value: maxLifetimeSeconds })
      : null,
  canonicalHourlyLimit: ({ canonicalHourlyLimit, hourlyLimit }) =>
    canonicalHourlyLimit !== null && canonicalHourlyLimit > 0 && canonicalHourlyLimit < hourlyLimit
      ? Problem.of("NEVER_REACHED", { other: "hourlyLimit", value: hourlyLimit })
      : null,
  primaryChannel: ({ primaryChannel }, around) =>
    noProvider(primaryChannel, around) ? Problem.of("NO_PROVIDER", { channel: primaryChannel }) : null,
  fallbackChannel: fallbackProblem,
  fallbackAfterSeconds: ({ codeExpirySeconds, fallbackAfterSeconds, fallbackChannel }) =>
    fallbackChannel !== null && fallbackAfterSeconds >= codeExpirySeconds
      ? Problem.of("CODE_EXPIRES_FIRST", { other: "codeExpirySeconds", value: codeExpirySeconds })
      : null,
  oneTapDays: ({ oneTap, oneTapDays, oneTapMaxDays }) =>
    oneTap && oneTapDays > oneTapMaxDays
      ? Problem.of("TRUST_ENDS_FIRST", { other: "oneTapMaxDays", value: oneTapMaxDays })
      : null,
  linkNumberMatch: ({ linkNumberMatch }, around) =>
    linkNumberMatch && !sendsLinks(around)
      ? around.links
        ? Problem.of("LINKS_NO_CHANNEL")
        : Problem.of("LINKS_NO_ADDRESS")
      : null,
  prices: ({ billing, fallbackChannel, prices, primaryChannel }) => {
    const free = [primaryChannel, fallbackChannel].find((name) => name !== null && prices[name] === undefined)
    return billing === "PREPAID" && free != null ? Problem.of("PRICE_MISSING", { channel: free }) : null
  },
  dailyCap: (settings) =>
    unbilled(
      settings,
      Object.values(settings.dailyCap).some((cap) => cap != null),
      "UNBILLED_EFFECT"
    ),
  balanceLowAt: (settings) => unbilled(settings, settings.balanceLowAt !== null, "UNBILLED_WARNING"),
  campaignFloor: (settings) => unbilled(settings, settings.campaignFloor !== null, "UNBILLED_RESERVE")
}

/** Settings that do not have the expected effect. Mere recommendations are not included. */
export const settingsWarnings = (settings: Settings, around: Around): ReadonlyArray<SettingsWarning> =>
  (Object.keys(problems) as ReadonlyArray<keyof Settings>).flatMap((field) => {
    const problem = problems[field]!(settings, around)
    return problem === null ? [] : [{ field, ...problem }]
  })
