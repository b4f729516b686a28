import { type Channel, isChannelName, knownChannels, knownVerifiers, nameForm } from "@countersign/core/channel"
import { type PromiseChannel, toChannel } from "@countersign/http"
import { Effect, Result } from "effect"
import { createRequire } from "node:module"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { InvalidConfiguration } from "../InvalidConfiguration.ts"
import type { VariableReader } from "../VariableReader.ts"
import type { VariableGroup } from "../variables/Variable.ts"

/** A module with the operator's own channels, and the variable or option that named it. */
export interface OwnModule {
  readonly from: typeof variable | "--channel"
  /** Relative to the directory that the server is started in. */
  readonly path: string
}

const variable = "COUNTERSIGN_CHANNELS"

export const group: VariableGroup = {
  id: "own",
  title: "Your own channels",
  variables: [
    {
      name: variable,
      about: "a comma-separated list of modules with your own channels",
      example: "./acme-sms.mjs",
      more: "See [channels of your own](#channels-of-your-own)"
    }
  ]
}

/** Reads the list of modules. Undefined when the variable is not set. */
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

/** Explains a failed import without its message, which may contain values from a provider's library. */
const whyNot = (cause: unknown): string => {
  // Compare by name: a copy of core in the module's folder has its own class. The message never contains a value.
  if (cause instanceof Error && "_tag" in cause && cause._tag === "InvalidOptions")
    return `rejected its options: ${cause.message}`
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined
  if (code === "ERR_MODULE_NOT_FOUND") return "was not found, or imports a module that was not found"
  if (code === "ERR_UNSUPPORTED_DIR_IMPORT") return "is a folder: name a file in it"
  if (code === "ERR_UNKNOWN_FILE_EXTENSION") return "is not a module: name a file that ends in .js, .mjs or .ts"
  if (code === "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX") {
    return "uses TypeScript syntax that Node cannot strip, such as an enum: avoid it, or compile the file"
  }
  if (code === "ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING") {
    return "is TypeScript in node_modules, which Node does not load: name the compiled file"
  }
  return `failed to load: ${cause instanceof Error ? cause.name : typeof cause}`
}

/** The manifest of the `effect` package that a file would import. */
const effectOf = (file: string): string | undefined =>
  Result.getOrUndefined(Result.try(() => createRequire(file).resolve("effect/package.json")))

/**
 * Whether a module would use another copy of `effect`. Such a channel starts, but cannot read any `Redacted` value, so
 * all of its messages would fail.
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
      `must export a channel or an array of channels as default: { name, send }. The name is ${knownChannels.join(", ")}, or a new name of ${nameForm}`
    )
  const found = channels as ReadonlyArray<Channel | PromiseChannel>
  if (found.some((channel) => channel.supports !== undefined) && isForeign(path))
    return yield* fails(
      module,
      "has its own copy of effect, which cannot read the server's values: install countersign in this module's " +
        "folder and start it there, or return promises from send and leave out supports"
    )
  return found.map((channel) => (channel.supports === undefined ? toChannel(channel) : channel))
})

/** Loads the channels of a module. The module is trusted like the server's own code. */
export const channels = (module: OwnModule): Effect.Effect<ReadonlyArray<Channel>, InvalidConfiguration> => load(module)
