import type { Storage } from "@countersign/core/storage"
import type { ServiceOptions } from "@countersign/http"
import type { NodePool } from "@countersign/postgres"
import type { Layer } from "effect"

/** A Postgres by its URL, or an embedded database by its directory. */
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
  /** A `Pool` of node-postgres (`pg`). End it after `close()`: the service holds `connections` of its clients until then. */
  readonly pool: NodePool
  /** The schema that the tables are in. Default `countersign`. */
  readonly schema?: string | undefined
  /** How many clients of the pool the service holds: at least 3, and fewer than the pool's `max`. Default 4. */
  readonly connections?: number | undefined
}

/** A Postgres URL or a directory, the same with details, or your own pool. */
export type DatabaseOption = string | DatabaseAt | DatabaseInPool

/** The options of `Countersign.make`. */
export interface CountersignOptions extends Omit<ServiceOptions, "secret" | "storage"> {
  /**
   * The database: the URL of a Postgres (`postgres://…`), the directory of an embedded database (`./data`),
   * `{ url, schema }`, or your own `{ pool }`.
   */
  readonly database?: DatabaseOption | undefined
  /** A layer instead of a database, such as `MemoryStorage.layer` of `countersign/memory`. */
  readonly storage?: Layer.Layer<Storage, unknown> | undefined
  /**
   * The master secret: 32 bytes as base64url or hex, for example from `openssl rand -hex 32`. Keep it outside the code and
   * the database. Optional with an embedded database, which stores its own secret in its directory, and with storage in
   * memory, which keeps nothing.
   */
  readonly secret?: string | undefined
}
