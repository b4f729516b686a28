import { type EmbeddedService, makeService } from "@countersign/http"
import { consoleProblems } from "./consoleChannel.ts"
import { chooseSecret } from "./chooseSecret.ts"
import { chooseStorage } from "./chooseStorage.ts"
import type { CountersignOptions } from "./CountersignOptions.ts"

/** A verification service inside your own process. A process may have several. */
export interface Countersign extends EmbeddedService {}

/** Converts the options to those of `makeService`, with the problems of the options that only this package has. */
export const chosen = (options: CountersignOptions): Parameters<typeof makeService> => {
  const { problems: ofStorage, storage } = chooseStorage(options)
  const { problems: ofSecret, secret } = chooseSecret(options)
  const { database: _, ...others } = (options ?? {}) as CountersignOptions
  return [{ ...others, storage, secret }, [...ofStorage, ...ofSecret, ...consoleProblems(options)]]
}

/**
 * Starts a verification service inside your own process. The promise rejects with `InvalidOptions`, which names every
 * invalid option, and with `StorageStartError` when storage cannot be opened. It also rejects when storage was written with
 * another secret. Methods reject with `CountersignError`, with the `errorCode` of the HTTP API.
 *
 * @example
 * ```ts
 * import { consoleChannel, Countersign } from "countersign"
 *
 * const countersign = await Countersign.make({
 *   database: process.env.DATABASE_URL ?? "./data",
 *   secret: process.env.COUNTERSIGN_SECRET,
 *   channels: [consoleChannel()]
 * })
 * const { requestId } = await countersign.initiate({ identity: "+919876543210", identityType: "MOBILE" })
 * const { verified } = await countersign.verify({ requestId, otp: "123456" })
 * await countersign.close()
 * ```
 */
const make = (options: CountersignOptions): Promise<Countersign> => makeService(...chosen(options))

/** The instances of the process, shared by all copies of this module, because development servers load it repeatedly. */
const held = (): Map<string, Promise<Countersign>> => {
  const everywhere = globalThis as { [shared]?: Map<string, Promise<Countersign>> }
  return (everywhere[shared] ??= new Map())
}
const shared = Symbol.for("countersign/once")

/**
 * One instance for the whole process, created at the first call. Use it with frameworks that load your files during a
 * build, or again after each change. A failed start is retried at the next call. Use `name` for several instances.
 *
 * @example
 * ```ts
 * import { consoleChannel, Countersign } from "countersign"
 *
 * const countersign = Countersign.once({ database: "./data", channels: [consoleChannel()], basePath: "/auth" })
 *
 * export const GET = async (request: Request) => (await countersign()).handler(request)
 * ```
 */
const once =
  (options: CountersignOptions, name = "countersign"): (() => Promise<Countersign>) =>
  () => {
    const found = held().get(name)
    if (found !== undefined) return found
    // Remove only this instance, because it may be closed again after a newer one has started.
    const forget = () => void (held().get(name) === made && held().delete(name))
    const made = make(options).then((service) => ({
      ...service,
      close: () => {
        forget()
        return service.close()
      }
    }))
    held().set(name, made)
    made.catch(forget)
    return made
  }

export const Countersign = { make, once }
