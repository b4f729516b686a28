import { Effect } from "effect"
import type { Row } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"
import { migrationsTable } from "./Migrations.ts"
import { text } from "./parameters.ts"
import { InvalidSchema, ReadOnly, SchemaMissing, ForeignTables, StorageStartError } from "./StorageStartError.ts"

/** The default schema, unless the tables exist elsewhere or a schema is named. */
export const usual = "countersign"

/** Postgres truncates longer names, so two names could become one. */
const longest = 63

/** Why a schema name is invalid; undefined when it is valid. Postgres accepts every other name in quotes. */
export const problemOf = (name: string): string | undefined => {
  if (name === "" || name !== name.trim()) return "must be a name without spaces around it"
  if (!name.isWellFormed() || /\p{Cc}/u.test(name)) return "must not contain control characters"
  if (Buffer.byteLength(name) > longest) return `must not be longer than ${longest} bytes`
  if (/^pg_/i.test(name) || name === "information_schema") return "is reserved by Postgres: choose another name"
  // On a search path it stands for the role's name, also in quotes.
  if (name === "$user") return "must not be $user: choose another name"
  return undefined
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/**
 * The search path of a session: Postgres's own schema first, then ours. Temporary objects come last, so that no other
 * role can shadow our tables and functions.
 */
export const searchPath = (schema: string) => `${quoted(schema)}, pg_temp`

/** The advisory lock of a migration. Services in different schemas of a database do not share it. */
export const migrationLock = "hashtextextended('countersign migrations ' || current_schema()::text, 0)"

/** The channel that processes of a schema use to announce due jobs. */
export const jobChannel = "'countersign_job_' || md5(current_schema()::text)"

/** Whether a role is this session's, the database's owner, a superuser, or one that this session's is a member of. */
const isTrusted = (owner: string) => `exists (
    select 1 from pg_roles me, pg_roles owner, pg_database d
    where me.rolname = current_user and owner.oid = ${owner} and d.datname = current_database()
      and (owner.oid in (me.oid, d.datdba) or owner.rolsuper or (not me.rolsuper and pg_has_role(owner.oid, 'MEMBER')))
  )`

/** The owner of a schema, or of the tables in it, that is not trusted; null where there is none. */
const strangerIn = `
select pg_get_userbyid(o.owner)::text from (
  select nspowner from pg_namespace where nspname = $1
  union all
  select c.relowner from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relkind in ('r', 'p')
) o(owner) where not ${isTrusted("o.owner")} limit 1`

const look = `
select current_user::text, pg_is_in_recovery(), current_setting('transaction_read_only') = 'on',
  has_database_privilege(current_database(), 'CREATE'),
  (select has_schema_privilege(oid, 'USAGE') from pg_namespace where nspname = $1),
  n.nspname::text, pg_get_userbyid(c.relowner)::text,
  ${isTrusted("c.relowner")}
from (select to_regclass($2) as found) t
left join pg_class c on c.oid = t.found left join pg_namespace n on n.oid = c.relnamespace`

const elsewhere = `
select n.nspname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relname = $1 and c.relkind = 'r' and n.nspname <> $2 order by 1`

/** A new service beside an existing one may be intended, or the name may be misspelt. */
const sayWhereOthersAre = Effect.fnUntraced(function* (session: Session, name: string) {
  const others = yield* session.query(elsewhere, [text(migrationsTable), text(name)])
  if (others.length === 0) return
  const names = others.map(([other]) => quoted(String(other))).join(", ")
  yield* Effect.logWarning(
    `A new service starts in the schema ${quoted(name)} without data. This database has tables of Countersign in ${names}: to use them, configure that schema`
  )
})

/** Postgres checks the right to create a schema before it checks whether the schema exists. */
const make = (schema: string) => `create schema ${quoted(schema)}`
const madeByAnother = new Set(["42P06", "23505"])

interface Session {
  readonly query: (
    statement: string,
    parameters: ReadonlyArray<unknown>
  ) => Effect.Effect<ReadonlyArray<Row>, PgFailure>
}

export interface SchemaOptions {
  /** The requested schema. By default, the schema of our tables on the search path, or else the default schema. */
  readonly schema: string | undefined
  /** Whether it may be created. */
  readonly make: boolean
}

const fail = (reason: StorageStartError["reason"]) => Effect.fail(new StorageStartError({ reason }))

/**
 * The schema of the tables, created if missing. `session` has the search path of its role and database: tables that it
 * shows are used where they are. A schema or tables that another role may have planted are not used unless their schema
 * is named.
 */
export const find = Effect.fnUntraced(function* (session: Session, { make: mayMake, schema }: SchemaOptions) {
  const problem = schema === undefined ? undefined : problemOf(schema)
  if (problem !== undefined) return yield* fail(new InvalidSchema({ problem }))
  const [row = []] = yield* session.query(look, [text(schema ?? usual), text(migrationsTable)])
  const [role, recovers, readOnly, mayCreate, mayUse, seenIn, owner, trusted] = row
  if (recovers === true || readOnly === true) return yield* fail(new ReadOnly({ standby: recovers === true }))
  if (schema === undefined && typeof seenIn === "string") {
    if (trusted !== true) {
      return yield* fail(new ForeignTables({ schema: seenIn, owner: String(owner), role: String(role) }))
    }
    return seenIn
  }
  const name = schema ?? usual
  const [stranger] = mayUse === true ? yield* session.query(strangerIn, [text(name)]) : []
  if (stranger !== undefined) {
    const [owner, who] = [String(stranger[0]), String(role)]
    if (schema === undefined) return yield* fail(new ForeignTables({ schema: name, owner, role: who }))
    yield* Effect.logWarning(
      `The schema ${quoted(name)} or a table in it belongs to the role ${owner}, but this role is ${who}: ${owner} can read and change everything in it`
    )
  }
  if (mayUse === true || (mayUse !== false && !mayMake)) return name
  const missing = (statement: string) => fail(new SchemaMissing({ schema: name, role: String(role), statement }))
  if (mayUse === false)
    return yield* missing(`grant usage, create on schema ${quoted(name)} to ${quoted(String(role))}`)
  if (mayCreate !== true) return yield* missing(`create schema ${quoted(name)} authorization ${quoted(String(role))}`)
  yield* session.query(make(name), []).pipe(
    Effect.catchIf(
      ({ sqlState }) => sqlState !== null && madeByAnother.has(sqlState),
      () => Effect.void
    )
  )
  yield* sayWhereOthersAre(session, name)
  return name
})
