import { type Channel, ChannelName } from "@countersign/core/channel"
import { type PromiseChannel, toChannel } from "@countersign/http"
import { Effect, Result, Schema } from "effect"
import { createRequire } from "node:module"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { InvalidConfiguration } from "../InvalidConfiguration.ts"

const variable = "COUNTERSIGN_CHANNELS"

const fails = (path: string, problem: string) =>
  new InvalidConfiguration({ problems: [`${variable}: ${path} ${problem}`] })

const isName = Schema.is(ChannelName)

const isChannel = (value: unknown): value is Channel | PromiseChannel =>
  typeof value === "object" &&
  value !== null &&
  "send" in value &&
  typeof value.send === "function" &&
  "name" in value &&
  isName(value.name)

/** What happened, without what a provider's library may have put into its message. */
const whyNot = (cause: unknown): string => {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined
  if (code === "ERR_MODULE_NOT_FOUND") return "cannot be found, or imports what cannot be found"
  return `cannot be loaded: ${cause instanceof Error ? cause.name : typeof cause}`
}

/** The `effect` that a file would get if it asked for it, by the place of its manifest. */
const effectOf = (file: string): string | undefined =>
  Result.getOrUndefined(Result.try(() => createRequire(file).resolve("effect/package.json")))

/**
 * A channel as an Effect that was made with another copy of `effect` starts and then cannot open one secret: its first
 * message would fail, and every one after it.
 */
const isForeign = (path: string): boolean => {
  const its = effectOf(resolve(path))
  return its !== undefined && its !== effectOf(import.meta.filename)
}

const load = Effect.fnUntraced(function* (path: string) {
  const loaded = yield* Effect.tryPromise({
    try: (): Promise<{ readonly default?: unknown }> => import(pathToFileURL(resolve(path)).href),
    catch: (cause) => fails(path, whyNot(cause))
  })
  const channels = Array.isArray(loaded.default) ? loaded.default : [loaded.default]
  const wrong = channels.find((channel) => !isChannel(channel))
  if (channels.length === 0 || wrong !== undefined || channels.includes(undefined))
    return yield* fails(
      path,
      `must have a channel, or an array of channels, as its default export: { name, send }, with a name of ${ChannelName.literals.join(", ")}`
    )
  const found = channels as ReadonlyArray<Channel | PromiseChannel>
  if (found.some((channel) => channel.supports !== undefined) && isForeign(path))
    return yield* fails(
      path,
      "brings a copy of effect of its own, which cannot read what the server's hands it: install the countersign " +
        "program into the folder of this module and start it there, or answer with promises, without supports"
    )
  return found.map((channel) => (channel.supports === undefined ? toChannel(channel) : channel))
})

/** Channels that the operator wrote, each from a module of theirs. They are trusted as the server's own code is. */
export const channels = (paths: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Channel>, InvalidConfiguration> =>
  Effect.map(Effect.forEach(paths, load), (loaded) => loaded.flat())
