import { Merchant } from "@countersign/core"
import type { Row } from "./PgDatabase.ts"
import { instants, texts } from "./parameters.ts"

/** A credential's columns, as `c`, in the order that `credentialOf` reads them in. */
export const credentialColumns =
  "c.id, c.environment, c.kind, c.secret_hash, c.created_at, c.scopes, c.name, c.replaced, c.last_used_at, c.revoked_at"

const types = ["text", "text", "text", "text", "timestamptz", "text", "text", "text", "timestamptz", "timestamptz"]

/** The rows that `credentialParameters` gives, from that parameter on. */
export const credentialRows = (firstParameter: number): string =>
  `unnest(${types.map((type, i) => `$${firstParameter + i}::${type}[]`).join(", ")})`

export const insertCredentials = (firstParameter: number): string => `
insert into credential (id, environment, kind, secret_hash, created_at, scopes, name, replaced, last_used_at, revoked_at)
select * from ${credentialRows(firstParameter)}`

export const credentialParameters = (credentials: ReadonlyArray<Merchant.Credential>) => [
  texts(credentials.map(({ id }) => id)),
  texts(credentials.map(({ environment }) => environment)),
  texts(credentials.map(({ kind }) => kind)),
  texts(credentials.map(({ secretHash }) => secretHash)),
  instants(credentials.map(({ createdAt }) => createdAt)),
  texts(credentials.map(({ scopes }) => scopes.join(","))),
  texts(credentials.map(({ name }) => name)),
  texts(credentials.map(({ replaced }) => JSON.stringify(replaced))),
  instants(credentials.map(({ lastUsedAt }) => lastUsedAt)),
  instants(credentials.map(({ revokedAt }) => revokedAt))
]

const instantOrNull = (value: unknown) => (value === null ? null : (value as Date).getTime())

/**
 * A server key has a scope at least. One without was written by a process of a version that knew no scopes, while this
 * version was being rolled out beside it: like all keys of that version it may call everything.
 */
const scopesOf = (kind: Merchant.CredentialKind, text: string): ReadonlyArray<Merchant.KeyScope> =>
  text !== "" ? (text.split(",") as Array<Merchant.KeyScope>) : kind === "SERVER" ? Merchant.keyScopes : []

export const credentialOf = (row: Row, at: number): Merchant.Credential => {
  const kind = row[at + 2] as Merchant.CredentialKind
  return {
    id: row[at] as string,
    environment: row[at + 1] as string,
    kind,
    secretHash: row[at + 3] as string | null,
    createdAt: (row[at + 4] as Date).getTime(),
    scopes: scopesOf(kind, row[at + 5] as string),
    name: row[at + 6] as string | null,
    replaced: JSON.parse(row[at + 7] as string) as ReadonlyArray<Merchant.ReplacedSecret>,
    lastUsedAt: instantOrNull(row[at + 8]),
    revokedAt: instantOrNull(row[at + 9])
  }
}
