import { type EmbeddedService, makeService, type ServiceOptions } from "@countersign/http"
import type { Storage } from "@countersign/core/storage"
import type { Layer } from "effect"
import { consoleProblems } from "./consoleChannel.ts"
import { chooseSecret } from "./chooseSecret.ts"
import { chooseStorage, type DatabaseOption } from "./chooseStorage.ts"

/** The options of `Countersign.make`. */
export interface CountersignOptions extends Omit<ServiceOptions, "secret" | "storage"> {
  /**
   * Where everything is kept: the address of a Postgres (`postgres://…`), the directory of an embedded database
   * (`./data`), `{ url, schema }`, or `{ pool }` of your own.
   */
  readonly database?: DatabaseOption | undefined
  /** A layer instead of a database, such as `MemoryStorage.layer` of `countersign/memory`. */
  readonly storage?: Layer.Layer<Storage, unknown> | undefined
  /**
   * The master secret: 32 bytes as base64url or hex, as `openssl rand -hex 32` makes them. Keep it outside the code and
   * the database. Only an embedded database can do without: it keeps one of its own in its directory, and storage in
   * memory forgets everything together.
   */
  readonly secret?: string | undefined
}

/** A verification service inside your own process. Several can live side by side. */
export interface Countersign extends EmbeddedService {}

/** The options of the service behind this one, and what is wrong with those that only this one has. */
export const chosen = (options: CountersignOptions): Parameters<typeof makeService> => {
  const { problems: ofStorage, storage } = chooseStorage(options)
  const { problems: ofSecret, secret } = chooseSecret(options)
  const { database: _, ...others } = (options ?? {}) as CountersignOptions
  return [{ ...others, storage, secret }, [...ofStorage, ...ofSecret, ...consoleProblems(options)]]
}

/**
 * Starts a verification service inside your own process. The promise rejects with `InvalidOptions`, which names every
 * option that is wrong, with `StorageStartError` when storage cannot be opened, or when it was written with another
 * secret; the methods reject with `CountersignError`, whose `errorCode` is that of the HTTP interface.
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

/** Every copy of this module in the process knows the same ones: development servers load it again and again. */
const held = (): Map<string, Promise<Countersign>> => {
  const everywhere = globalThis as { [shared]?: Map<string, Promise<Countersign>> }
  return (everywhere[shared] ??= new Map())
}
const shared = Symbol.for("countersign/once")

/**
 * One instance for the whole process, made when it is first asked for: for frameworks that load your files while they
 * build, or again after each change. A start that fails is tried again at the next call. `name` tells several apart.
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
    // Itself alone: somebody may close it once more when the next one is there.
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
