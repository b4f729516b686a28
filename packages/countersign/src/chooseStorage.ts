import type { OptionProblem } from "@countersign/core/channel"
import type { Storage } from "@countersign/core/storage"
import { type NodePool, PgClock, PgStorage } from "@countersign/postgres"
import { Effect, Layer, Redacted } from "effect"
import type { CountersignOptions } from "./Countersign.ts"

/** A Postgres by its address, or an embedded database by its directory. */
export interface DatabaseAt {
  /** `postgres://user:password@host:5432/database`, or a directory. */
  readonly url: string | undefined
  /** Postgres only: the schema that the tables are in. Default `countersign`. */
  readonly schema?: string | undefined
  /** Postgres only: the most connections to open. Default 16. */
  readonly connections?: number | undefined
}

/** A Postgres through the application's own pool. */
export interface DatabaseInPool {
  /** A `Pool` of node-postgres (`pg`). End it after `close()`: `connections` of its clients are out until then. */
  readonly pool: NodePool
  /** The schema that the tables are in. Default `countersign`. */
  readonly schema?: string | undefined
  /** How many clients to take out of the pool and keep: at least 3, and fewer than its `max`. Default 4. */
  readonly connections?: number | undefined
}

/** Where everything is kept: an address or a directory, the same with details, or an own pool. */
export type DatabaseOption = string | DatabaseAt | DatabaseInPool

/** What a text or an address names. */
type Place = { readonly postgres: string } | { readonly directory: string }

const forms = "a Postgres address (postgres://…), a directory, { url, schema } or { pool, schema }"

/** Says what a text names, or what is wrong with it, repeating nothing of it: it may hold a password. */
const placeOf = (text: unknown): Place | string => {
  if (text === undefined || text === "") return "is missing: give the address of a Postgres, or a directory"
  if (typeof text !== "string") return `must be ${forms}`
  if (text.trim() === "") return "is blank: give the address of a Postgres, or a directory"
  if (/^postgres(ql)?:\/\//i.test(text)) return { postgres: text }
  // A misspelt address, or one in quotes, would make a directory of that name, with a password in it.
  return /^[a-z][a-z0-9+.-]+:|:\/\/|^postgres(ql)?\/\//i.test(text) || text.trim() !== text
    ? "must begin with postgres:// or be a directory, without quotes or blanks around it"
    : { directory: text }
}

const known: ReadonlyArray<string> = ["url", "schema", "connections"]
const knownWithPool: ReadonlyArray<string> = ["pool", "schema", "connections"]

const isPool = (pool: unknown): boolean =>
  typeof pool === "object" && pool !== null && "connect" in pool && typeof pool.connect === "function"

/** A pool of node-postgres, given where `{ pool }` belongs. */
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
      if (name in given) add(name, "is for Postgres, and the url is a directory")
  }
  if (schema !== undefined && (typeof schema !== "string" || schema === "")) add("schema", "must be a name")
  const fewest = withPool ? 3 : 1
  if (connections !== undefined && !(Number.isInteger(connections) && Number(connections) >= fewest))
    add("connections", `must be a whole number from ${fewest}`)
  return problems
}

/** What is wrong with the database, by the name of each option. */
const problemsOf = (database: unknown): ReadonlyArray<OptionProblem> => {
  if (typeof database === "object" && database !== null) {
    if (Layer.isLayer(database)) return [{ option: "database", problem: "is a layer: give it as storage" }]
    return isBarePool(database)
      ? [{ option: "database", problem: "is a pg.Pool: give { pool } instead of the pool itself" }]
      : detailsProblems(database)
  }
  const place = placeOf(database)
  return typeof place === "string" ? [{ option: "database", problem: place }] : []
}

const hasPool = (database: DatabaseOption): database is DatabaseInPool =>
  typeof database === "object" && database !== null && "pool" in database && database.pool !== undefined

/** The directory of the embedded database that is asked for; undefined where it is another one. */
export const directoryOf = (database: DatabaseOption | undefined): string | undefined => {
  if (database === undefined || hasPool(database)) return undefined
  const place = placeOf(typeof database === "string" ? database : database?.url)
  return typeof place === "object" && "directory" in place ? place.directory : undefined
}

/** Several processes on one Postgres agree about the time, unless somebody says what it is. */
const onPostgres = (storage: ReturnType<typeof PgStorage.layer>, clock: unknown): Layer.Layer<Storage, unknown> =>
  clock === undefined ? PgClock.layer.pipe(Layer.provideMerge(storage)) : storage

/** Stands in for a storage that is wrong. */
const nothing: Layer.Layer<Storage, unknown> = Layer.effectContext(Effect.die("no storage"))

interface Chosen {
  readonly storage: Layer.Layer<Storage, unknown>
  readonly problems: ReadonlyArray<OptionProblem>
}

/** With problems nothing is opened. */
const refused = (option: string, problem: string): Chosen => ({ storage: nothing, problems: [{ option, problem }] })

/** The storage that the options ask for, and what is wrong with how they do. */
export const chooseStorage = (options: CountersignOptions): Chosen => {
  const { clock, database, storage } = (options ?? {}) as Partial<CountersignOptions>
  if (storage !== undefined) {
    if (database !== undefined) return refused("storage", "is given beside database: give one of them")
    return Layer.isLayer(storage)
      ? { storage, problems: [] }
      : refused("storage", "is for a layer: give an address, a directory or a pool as database")
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
