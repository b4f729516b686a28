import type { Merchant } from "@countersign/core"
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

export const credentialOf = (row: Row, at: number): Merchant.Credential => {
  const scopes = row[at + 5] as string
  return {
    id: row[at] as string,
    environment: row[at + 1] as string,
    kind: row[at + 2] as Merchant.CredentialKind,
    secretHash: row[at + 3] as string | null,
    createdAt: (row[at + 4] as Date).getTime(),
    scopes: scopes === "" ? [] : (scopes.split(",") as Array<Merchant.KeyScope>),
    name: row[at + 6] as string | null,
    replaced: JSON.parse(row[at + 7] as string) as ReadonlyArray<Merchant.ReplacedSecret>,
    lastUsedAt: instantOrNull(row[at + 8]),
    revokedAt: instantOrNull(row[at + 9])
  }
}
