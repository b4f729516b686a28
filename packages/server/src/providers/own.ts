import { type Channel, isChannelName, knownChannels, knownVerifiers, nameForm } from "@countersign/core/channel"
import { type PromiseChannel, toChannel } from "@countersign/http"
import { Effect, Result } from "effect"
import { createRequire } from "node:module"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { InvalidConfiguration } from "../InvalidConfiguration.ts"
import type { VariableReader } from "../VariableReader.ts"
import type { VariableGroup } from "../variables/Variable.ts"

/** A module with channels of the operator's own, and where it was named. */
export interface OwnModule {
  readonly from: typeof variable | "--channel"
  /** Relative to where the server is started. */
  readonly path: string
}

const variable = "COUNTERSIGN_CHANNELS"

export const group: VariableGroup = {
  id: "own",
  title: "Channels of your own",
  variables: [
    {
      name: variable,
      about: "modules with channels of your own, with commas between",
      example: "./acme-sms.mjs",
      more: "See [channels of your own](#channels-of-your-own)"
    }
  ]
}

/** The modules that the environment names; undefined when it names none. */
export const read = (reader: VariableReader): ReadonlyArray<OwnModule> | undefined =>
  reader
    .text(variable)
    ?.split(",")
    .map((path) => ({ from: variable, path: path.trim() }))

const fails = ({ from, path }: OwnModule, problem: string) =>
  new InvalidConfiguration({ problems: [`${from}: ${path} ${problem}`] })

const isChannel = (value: unknown): value is Channel | PromiseChannel =>
  typeof value === "object" &&
  value !== null &&
  "send" in value &&
  typeof value.send === "function" &&
  "name" in value &&
  isChannelName(value.name) &&
  !knownVerifiers.includes(value.name)

/** What happened, without what a provider's library may have put into its message. */
const whyNot = (cause: unknown): string => {
  // By its name, because a copy of ours in the module's own folder is another class. It repeats no value by contract.
  if (cause instanceof Error && "_tag" in cause && cause._tag === "InvalidOptions") return `says of ${cause.message}`
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined
  if (code === "ERR_MODULE_NOT_FOUND") return "cannot be found, or imports what cannot be found"
  if (code === "ERR_UNSUPPORTED_DIR_IMPORT") return "is a folder: name the file in it"
  if (code === "ERR_UNKNOWN_FILE_EXTENSION") return "is no module: name a file that ends in .js, .mjs or .ts"
  if (code === "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX") {
    return "has TypeScript that Node cannot leave out, such as an enum: write it otherwise, or compile it"
  }
  if (code === "ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING") {
    return "is TypeScript under node_modules, which Node does not read: name the compiled file"
  }
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

const load = Effect.fnUntraced(function* (module: OwnModule) {
  const { path } = module
  const loaded = yield* Effect.tryPromise({
    try: (): Promise<{ readonly default?: unknown }> => import(pathToFileURL(resolve(path)).href),
    catch: (cause) => fails(module, whyNot(cause))
  })
  const channels = Array.isArray(loaded.default) ? loaded.default : [loaded.default]
  const wrong = channels.find((channel) => !isChannel(channel))
  if (channels.length === 0 || wrong !== undefined || channels.includes(undefined))
    return yield* fails(
      module,
      `must have a channel, or an array of channels, as its default export: { name, send }, with a name as ${knownChannels.join(", ")}, or one of its own of ${nameForm}`
    )
  const found = channels as ReadonlyArray<Channel | PromiseChannel>
  if (found.some((channel) => channel.supports !== undefined) && isForeign(path))
    return yield* fails(
      module,
      "brings a copy of effect of its own, which cannot read what the server's hands it: install the countersign " +
        "program into the folder of this module and start it there, or answer with promises, without supports"
    )
  return found.map((channel) => (channel.supports === undefined ? toChannel(channel) : channel))
})

/** The channels of a module that the operator wrote. It is trusted as the server's own code is. */
export const channels = (module: OwnModule): Effect.Effect<ReadonlyArray<Channel>, InvalidConfiguration> => load(module)
