import type { Merchant } from "@countersign/core"
import * as Table from "./table.ts"

const scopes: Table.Column<ReadonlyArray<Merchant.KeyScope>> = {
  ...Table.word,
  write: (scopes) => scopes.join(","),
  read: (answer) => (answer === "" ? [] : (answer as string).split(","))
}

/** Excluded: only `used` writes the time of the last use. */
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

export const insertCredentials = (from: number): string => `
insert into credential (${credential.columns.join(", ")})
select * from unnest(${credential.given(from)})`
