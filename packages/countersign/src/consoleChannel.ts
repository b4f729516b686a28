import type { ChannelName, OptionProblem } from "@countersign/core/channel"
import type { PromiseChannel } from "@countersign/http"
import type { CountersignOptions } from "./Countersign.ts"

const made = new WeakSet<object>()

/**
 * A channel for development: it prints each message, code and all, instead of sending it. `Countersign.make` refuses it
 * where a real person could wait for the message: with `NODE_ENV=production`, beside a channel that sends, or behind an
 * https `baseUrl`.
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

/** Why the codes of a service must not be printed; null when they may. */
const problemOf = ({ channels, baseUrl }: CountersignOptions): string | null => {
  if (process.env["NODE_ENV"] === "production") return "NODE_ENV is production"
  if (channels.some((channel) => !made.has(channel))) return "another channel sends to real people"
  return typeof baseUrl === "string" && /^https:/i.test(baseUrl) ? "baseUrl is https" : null
}

/** What is wrong with printing codes here, by the name of each channel that would. */
export const consoleProblems = (options: CountersignOptions): ReadonlyArray<OptionProblem> => {
  if (!Array.isArray(options?.channels)) return []
  const why = problemOf(options)
  if (why === null) return []
  return options.channels.flatMap((channel, i) =>
    made.has(channel)
      ? [{ option: `channels[${i}]`, problem: `prints codes, which is for development, and ${why}: give a provider` }]
      : []
  )
}
