import type { OptionProblem } from "@countersign/core/channel"
import type { Storage } from "@countersign/core/storage"
import { PgClock, PgStorage } from "@countersign/postgres"
import { Effect, Layer, Redacted } from "effect"
import type { CountersignOptions, DatabaseInPool, DatabaseOption } from "./CountersignOptions.ts"

/** The database that a text names. */
type Place = { readonly postgres: string } | { readonly directory: string }

const forms = "a Postgres URL (postgres://…), a directory, { url, schema } or { pool, schema }"

/** Parses a text. A problem never repeats the text, because it may contain a password. */
const placeOf = (text: unknown): Place | string => {
  if (text === undefined || text === "") return "is missing: set a Postgres URL or a directory"
  if (typeof text !== "string") return `must be ${forms}`
  if (text.trim() === "") return "is blank: set a Postgres URL or a directory"
  if (/^postgres(ql)?:\/\//i.test(text)) return { postgres: text }
  // A misspelt or quoted URL would otherwise create a directory whose name contains the password.
  return /^[a-z][a-z0-9+.-]+:|:\/\/|^postgres(ql)?\/\//i.test(text) || text.trim() !== text
    ? "must start with postgres:// or be a directory, without quotes or spaces around it"
    : { directory: text }
}

const known: ReadonlyArray<string> = ["url", "schema", "connections"]
const knownWithPool: ReadonlyArray<string> = ["pool", "schema", "connections"]

const isPool = (pool: unknown): boolean =>
  typeof pool === "object" && pool !== null && "connect" in pool && typeof pool.connect === "function"

/** Whether a pool was passed directly instead of as `{ pool }`. */
const isBarePool = (given: object): boolean => !("pool" in given) && !("url" in given) && isPool(given)

const detailsProblems = (given: object): ReadonlyArray<OptionProblem> => {
  const { connections, pool, schema, url } = given as Record<string, unknown>
  const withPool = pool !== undefined
  const place = placeOf(url)
  const problems: Array<OptionProblem> = Object.keys(given)
    .filter((name) => !(withPool ? knownWithPool : known).includes(name))
    .map((name) => ({
      option: `database.${name}`,
      problem: withPool && name === "url" ? "is not allowed with a pool, which has its own" : "is not an option"
    }))
  const add = (name: string, problem: string) => void problems.push({ option: `database.${name}`, problem })
  if (withPool) {
    if (!isPool(pool)) add("pool", "must be a Pool of node-postgres")
  } else if (typeof place === "string") add("url", place)
  else if ("directory" in place) {
    for (const name of ["schema", "connections"])
      if (name in given) add(name, "is only for Postgres, but the url is a directory")
  }
  if (schema !== undefined && (typeof schema !== "string" || schema === "")) add("schema", "must be a name")
  const fewest = withPool ? 3 : 1
  if (connections !== undefined && !(Number.isInteger(connections) && Number(connections) >= fewest))
    add("connections", `must be a whole number from ${fewest}`)
  return problems
}

/** The problems of the option `database`. */
const problemsOf = (database: unknown): ReadonlyArray<OptionProblem> => {
  if (typeof database === "object" && database !== null) {
    if (Layer.isLayer(database)) return [{ option: "database", problem: "is a layer: pass it as storage" }]
    return isBarePool(database)
      ? [{ option: "database", problem: "is a pg.Pool: pass { pool } instead of the pool itself" }]
      : detailsProblems(database)
  }
  const place = placeOf(database)
  return typeof place === "string" ? [{ option: "database", problem: place }] : []
}

const hasPool = (database: DatabaseOption): database is DatabaseInPool =>
  typeof database === "object" && database !== null && "pool" in database && database.pool !== undefined

/** The directory of the embedded database; undefined for other databases. */
export const directoryOf = (database: DatabaseOption | undefined): string | undefined => {
  if (database === undefined || hasPool(database)) return undefined
  const place = placeOf(typeof database === "string" ? database : database?.url)
  return typeof place === "object" && "directory" in place ? place.directory : undefined
}

/** Processes on one Postgres share its clock, unless the option `clock` is set. */
const onPostgres = (storage: ReturnType<typeof PgStorage.layer>, clock: unknown): Layer.Layer<Storage, unknown> =>
  clock === undefined ? PgClock.layer.pipe(Layer.provideMerge(storage)) : storage

/** A placeholder for an invalid storage. */
const nothing: Layer.Layer<Storage, unknown> = Layer.effectContext(Effect.die("no storage"))

interface Chosen {
  readonly storage: Layer.Layer<Storage, unknown>
  readonly problems: ReadonlyArray<OptionProblem>
}

/** With problems, no storage is opened. */
const refused = (option: string, problem: string): Chosen => ({ storage: nothing, problems: [{ option, problem }] })

/** The storage of the options, and their problems. */
export const chooseStorage = (options: CountersignOptions): Chosen => {
  const { clock, database, storage } = (options ?? {}) as Partial<CountersignOptions>
  if (storage !== undefined) {
    if (database !== undefined) return refused("storage", "cannot be combined with database: set one of them")
    return Layer.isLayer(storage)
      ? { storage, problems: [] }
      : refused("storage", "must be a layer: pass a URL, a directory or a pool as database")
  }
  const problems = problemsOf(database)
  if (problems.length > 0 || database === undefined) return { storage: nothing, problems }
  if (hasPool(database)) return { storage: onPostgres(PgStorage.layerPool(database), clock), problems }
  const details = typeof database === "string" ? { url: database } : database
  const directory = directoryOf(database)
  return {
    storage:
      directory === undefined
        ? onPostgres(PgStorage.layer({ ...details, url: Redacted.make(details.url!) }), clock)
        : PgStorage.layerEmbedded({ directory }),
    problems
  }
}
