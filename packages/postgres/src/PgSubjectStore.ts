import { SubjectStore } from "@countersign/core/storage"
import { Effect } from "effect"
import { text } from "./parameters.ts"
import { PgDatabase } from "./PgDatabase.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { commitsOf, queriesOf } from "./storeQueries.ts"
import * as Table from "./table.ts"
import { versionedRow } from "./versionedRow.ts"

const subject = Table.rows<SubjectStore.KnownSubject>()("known_subject", ["issuer", "subject"], {
  issuer: Table.text,
  subject: Table.text,
  version: Table.int,
  canonical: Table.text,
  knownSince: Table.once(Table.instant),
  state: Table.rest(
    ({ addresses, opens }: SubjectStore.KnownSubject) => addresses.forEach(Table.text.write) ?? { addresses, opens },
    (state: Pick<SubjectStore.KnownSubject, "addresses" | "opens">) => state
  )
})

export const get = `select ${subject.select("k")} from known_subject k where issuer = $1 and subject = $2`
export const list = `
select ${subject.select("k")} from known_subject_address a cross join lateral (
  select * from known_subject where issuer = a.issuer and subject = a.subject offset 0
) k where a.canonical = $1`

export const commit = versionedRow(
  subject,
  `, address as (
  select jsonb_array_elements_text($6::jsonb -> 'addresses') as canonical from ok
), named as (
  insert into known_subject_address (canonical, issuer, subject) select canonical, $1, $2 from address
  on conflict do nothing
), unnamed as (
  delete from known_subject_address
  where issuer = $1 and subject = $2 and exists (select 1 from ok) and canonical not in (select canonical from address)
)`
)

export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const { row, rows } = queriesOf(yield* PgDatabase, "SubjectStore")
  const write = commitsOf(outbox, "SubjectStore")

  return SubjectStore.of({
    get: (issuer, name) => row("get", get, () => [text(issuer), text(name)], subject.decode),
    list: (canonical) => rows("list", list, () => [text(canonical)], subject.decode),
    commit: (change) =>
      Effect.map(
        write("commit", change.subject.subject, commit, () => subject.sent(change.subject), change),
        ([version]) => ({ ...change.subject, version: version as number })
      )
  })
})
