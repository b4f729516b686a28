import type { ChannelName, OptionProblem } from "@countersign/core/channel"
import type { PromiseChannel } from "@countersign/http"
import type { CountersignOptions } from "./CountersignOptions.ts"

const made = new WeakSet<object>()

/**
 * A channel for development, which prints each message with its code instead of sending it. `Countersign.make` refuses it
 * when real users could wait for messages: with `NODE_ENV=production`, with another channel, or with an https `baseUrl`.
 *
 * @example
 * ```ts
 * import { consoleChannel, Countersign } from "countersign"
 *
 * const countersign = await Countersign.make({ database: "./data", channels: [consoleChannel(), consoleChannel("EMAIL")] })
 * ```
 */
export const consoleChannel = (name: ChannelName = "SMS"): PromiseChannel => {
  const channel: PromiseChannel = {
    name,
    provider: "console",
    links: true,
    send: async ({ text, to }) => console.log(`${name} to ${to}: ${text}`)
  }
  made.add(channel)
  return channel
}

/** Why the service must not print codes; null when it may. */
const problemOf = ({ channels, baseUrl }: CountersignOptions): string | null => {
  if (process.env["NODE_ENV"] === "production") return "NODE_ENV is production"
  if (channels.some((channel) => !made.has(channel))) return "another channel sends to real people"
  return typeof baseUrl === "string" && /^https:/i.test(baseUrl) ? "baseUrl is https" : null
}

/** The problems of all console channels. */
export const consoleProblems = (options: CountersignOptions): ReadonlyArray<OptionProblem> => {
  if (!Array.isArray(options?.channels)) return []
  const why = problemOf(options)
  if (why === null) return []
  return options.channels.flatMap((channel, i) =>
    made.has(channel)
      ? [
          {
            option: `channels[${i}]`,
            problem: `prints codes, which is only for development, but ${why}: use a provider`
          }
        ]
      : []
  )
}
