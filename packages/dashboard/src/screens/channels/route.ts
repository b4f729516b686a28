import type { Channel } from "../channelState.ts"

/** Route of a request that names no channel. */
export interface Way {
  readonly first: string
  /** Null without a fallback. */
  readonly then: string | null
  readonly afterSeconds: number
  /** Why the route differs from the settings. */
  readonly problem: "firstOff" | "thenOff" | "same" | null
}

interface Chosen {
  readonly primaryChannel: string
  readonly fallbackChannel: string | null
  readonly fallbackAfterSeconds: number
}

export const wayOf = (
  { fallbackAfterSeconds, fallbackChannel, primaryChannel }: Chosen,
  channels: ReadonlyArray<Pick<Channel, "channel" | "enabled">>
): Way => {
  const isOff = (name: string) => channels.some(({ channel, enabled }) => channel === name && !enabled)
  const problem = isOff(primaryChannel)
    ? "firstOff"
    : fallbackChannel === primaryChannel
      ? "same"
      : fallbackChannel !== null && isOff(fallbackChannel)
        ? "thenOff"
        : null
  return { first: primaryChannel, then: fallbackChannel, afterSeconds: fallbackAfterSeconds, problem }
}

/** Variables that configure a provider for a channel. */
export const variablesOf: Readonly<Record<string, ReadonlyArray<string>>> = {
  SMS: ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_FROM"],
  RCS: ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_RCS_SENDER"],
  WHATSAPP: [
    "WHATSAPP_ACCESS_TOKEN",
    "WHATSAPP_PHONE_NUMBER_IDS",
    "WHATSAPP_APP_SECRET",
    "WHATSAPP_VERIFY_TOKEN",
    "WHATSAPP_TEMPLATE"
  ],
  EMAIL: ["SMTP_URL", "SMTP_FROM"]
}

/** Order: the route's channels, then other enabled ones, then those without a provider. */
export const inOrder = (channels: ReadonlyArray<Channel>): ReadonlyArray<Channel> => {
  const rank = ({ enabled, role }: Channel) => (!enabled ? 3 : role === "PRIMARY" ? 0 : role === "FALLBACK" ? 1 : 2)
  return [...channels].sort((one, other) => rank(one) - rank(other))
}
