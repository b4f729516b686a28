import {
  slotOf,
  type StoredTemplate,
  type TemplateContent,
  type TemplateHead,
  TemplateStore
} from "@countersign/core/storage"
import { Effect } from "effect"
import { outboxStatement } from "./outboxStatement.ts"
import { instant, int, text } from "./parameters.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { commitsOf, queriesOf } from "./storeQueries.ts"
import * as Table from "./table.ts"

const knownAs = (name: string | null, language: string | null) =>
  name === null || language === null ? null : `${name}/${language}`

/** A removed template has no slot and no WhatsApp name, so another template can use them. */
const head = Table.rows<TemplateHead>()("template", ["environment", "id"], {
  environment: Table.text,
  id: Table.text,
  revision: Table.int,
  version: Table.int,
  slot: Table.of(Table.nullable(Table.text), (head: TemplateHead) => (head.removedAt === null ? slotOf(head) : null)),
  whatsapp: Table.of(Table.nullable(Table.text), ({ removedAt, whatsappLanguage, whatsappName }: TemplateHead) =>
    removedAt === null ? knownAs(whatsappName, whatsappLanguage) : null
  ),
  head: Table.others
})

/**
 * Selects by `removed_at` alone. Without the slot in the condition, Postgres cannot choose the slot's index by mistake.
 */
export const heads = `
select ${head.select("t")} from template t
where environment = $1 and removed_at is null order by id`

const whole = `
select ${head.select("t")}, c.content
from template t join template_content c on c.environment = t.environment and c.id = t.id and c.version = t.version`

export const get = `${whole} where t.environment = $1 and t.id = $2 and t.removed_at is null`

export const list = `${whole} where t.environment = $1 and t.id > $2 and t.removed_at is null order by t.id limit $3`

export const content = "select content from template_content where environment = $1 and id = $2 and version = $3"

export const atProvider = `select ${head.select("t")} from template t where whatsapp = $1`

/** Retires the content of earlier versions. Removing a template retires all its content. */
export const commit = outboxStatement({
  own: `known as (
  update template set revision = $3 + 1, version = $4, slot = $5, whatsapp = $6, removed_at = case when $8 = 1 then $9::timestamptz end, head = $7
  where environment = $1 and id = $2 and revision = $3 and $3 > 0
  returning revision
), fresh as (
  insert into template (environment, id, revision, version, slot, whatsapp, removed_at, head)
  select $1, $2, 1, $4, $5, $6, case when $8 = 1 then $9::timestamptz end, $7 where $3 = 0
  on conflict do nothing
  returning revision
), ok as materialized (
  select 1 as n, revision from known union all select 1, revision from fresh
), retired as (
  update template_content set retired_at = $9
  where environment = $1 and id = $2 and (version < $4 or $8 = 1) and retired_at is null and exists (select from ok)
), worded as (
  insert into template_content (environment, id, version, content)
  select $1, $2, $4, $10::text from ok where $10::text is not null
)`,
  parameters: 10,
  answer: "revision"
})

const contentOf = (encoded: unknown): TemplateContent => JSON.parse(encoded as string) as TemplateContent

const storedOf = (row: Row): StoredTemplate => ({ head: head.decode(row), content: contentOf(row[head.selected]) })

export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const { row, rows } = queriesOf(yield* PgDatabase, "TemplateStore")
  const write = commitsOf(outbox, "TemplateStore")

  return TemplateStore.of({
    heads: (environment) => rows("heads", heads, () => [text(environment)], head.decode),
    get: (environment, id) => row("get", get, () => [text(environment), text(id)], storedOf),
    list: ({ after, environment, limit }) =>
      rows("list", list, () => [text(environment), text(after ?? ""), int(limit)], storedOf),
    content: (environment, id, version) =>
      row(
        "content",
        content,
        () => [text(environment), text(id), int(version)],
        ([words]) => contentOf(words)
      ),
    atProvider: (name, language) => rows("atProvider", atProvider, () => [text(knownAs(name, language))], head.decode),
    commit: (change) => {
      const { content, head: given } = change
      const own = () => [
        ...head.sent(given),
        int(given.removedAt === null ? 0 : 1),
        instant(given.updatedAt),
        text(content === null ? null : JSON.stringify(content))
      ]
      return Effect.map(write("commit", given.id, commit, own, change), ([revision]) => ({
        ...given,
        revision: revision as number
      }))
    }
  })
})
