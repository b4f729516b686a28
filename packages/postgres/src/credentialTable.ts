import { Merchant } from "@countersign/core"
import type { Row } from "./PgDatabase.ts"
import * as Table from "./table.ts"

const scopes: Table.Column<ReadonlyArray<Merchant.KeyScope>> = {
  ...Table.word,
  write: (scopes) => scopes.join(","),
  read: (answer) => (answer === "" ? [] : (answer as string).split(","))
}

/** When it was last used, `used` writes by itself. */
export const credential = Table.rows<Merchant.Credential>()("credential", ["id"], {
  id: Table.text,
  environment: Table.once(Table.text),
  kind: Table.once(Table.word),
  secretHash: Table.nullable(Table.word),
  createdAt: Table.once(Table.time),
  scopes,
  name: Table.nullable(Table.text),
  replaced: Table.json,
  lastUsedAt: Table.once(Table.nullable(Table.time)),
  revokedAt: Table.nullable(Table.time)
})

/**
 * A server key has a scope at least. One without was written by a process of a version that knew no scopes, while this
 * version was being rolled out beside it: like all keys of that version it may call everything.
 */
export const credentialOf = (row: Row, from: number): Merchant.Credential => {
  const read = credential.decode(row, from)
  return read.kind === "SERVER" && read.scopes.length === 0 ? { ...read, scopes: Merchant.keyScopes } : read
}

export const insertCredentials = (from: number): string => `
insert into credential (${credential.columns.join(", ")})
select * from unnest(${credential.given(from)})`
