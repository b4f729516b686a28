import {
  Conflict,
  slotOf,
  type StoredTemplate,
  StoreError,
  type TemplateContent,
  type TemplateHead,
  TemplateStore
} from "@countersign/core/storage"
import { Effect } from "effect"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"
import { instant, int, storable, text } from "./parameters.ts"
import { encode } from "./outboxParts.ts"
import { outboxStatement } from "./outboxStatement.ts"
import type { PgOutbox } from "./PgOutbox.ts"

/** Those that are there by `removed_at`, and not by their slot: so its index, which is no way to them, is out of it. */
export const heads = `
select environment, id, revision, version, head from template
where environment = $1 and removed_at is null order by id`

const whole = `
select t.environment, t.id, t.revision, t.version, t.head, c.content
from template t join template_content c on c.environment = t.environment and c.id = t.id and c.version = t.version`

export const get = `${whole} where t.environment = $1 and t.id = $2 and t.removed_at is null`

export const list = `${whole} where t.environment = $1 and t.id > $2 and t.removed_at is null order by t.id limit $3`

export const content = "select content from template_content where environment = $1 and id = $2 and version = $3"

export const atProvider = "select environment, id, revision, version, head from template where whatsapp = $1"

/** The words of earlier versions are retired, and with a removed template all. */
export const commit = outboxStatement({
  own: `known as (
  update template set revision = $3 + 1, version = $4, slot = $5, whatsapp = $6, removed_at = case when $7 = 1 then $9::timestamptz end, head = $8
  where environment = $1 and id = $2 and revision = $3 and $3 > 0
  returning revision
), fresh as (
  insert into template (environment, id, revision, version, slot, whatsapp, removed_at, head)
  select $1, $2, 1, $4, $5, $6, case when $7 = 1 then $9::timestamptz end, $8 where $3 = 0
  on conflict do nothing
  returning revision
), ok as materialized (
  select 1 as n, revision from known union all select 1, revision from fresh
), retired as (
  update template_content set retired_at = $9
  where environment = $1 and id = $2 and (version < $4 or $7 = 1) and retired_at is null and exists (select from ok)
), worded as (
  insert into template_content (environment, id, version, content)
  select $1, $2, $4, $10::text from ok where $10::text is not null
)`,
  parameters: 10,
  answer: "revision"
})

type State = Omit<TemplateHead, "environment" | "id" | "revision" | "version">

const encodeHead = ({ environment: _e, id: _i, revision: _r, version: _v, ...state }: TemplateHead): string =>
  JSON.stringify(state satisfies State)

const headOf = ([environment, id, revision, version, head]: Row): TemplateHead => ({
  environment: environment as string,
  id: id as string,
  revision: revision as number,
  version: version as number,
  ...(JSON.parse(head as string) as State)
})

const contentOf = (encoded: unknown): TemplateContent => JSON.parse(encoded as string) as TemplateContent

const storedOf = (row: Row): StoredTemplate => ({ head: headOf(row), content: contentOf(row[5]) })

const knownAs = (name: string | null, language: string | null) =>
  name === null || language === null ? null : `${name}/${language}`

const failed = (operation: string) =>
  Effect.mapError((failure: PgFailure) => failure.toStoreError(`TemplateStore.${operation}`))

const taken = "23505"

export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const database = yield* PgDatabase

  return TemplateStore.of({
    heads: (environment) =>
      storable(environment)
        ? Effect.map(database.query(heads, [text(environment)]), (rows) => rows.map(headOf)).pipe(failed("heads"))
        : Effect.succeed([]),
    get: (environment, id) =>
      storable(environment) && storable(id)
        ? Effect.map(database.query(get, [text(environment), text(id)]), ([row]) =>
            row === undefined ? null : storedOf(row)
          ).pipe(failed("get"))
        : Effect.succeed(null),
    list: ({ after, environment, limit }) =>
      storable(environment) && storable(after ?? "")
        ? Effect.map(database.query(list, [text(environment), text(after ?? ""), int(limit)]), (rows) =>
            rows.map(storedOf)
          ).pipe(failed("list"))
        : Effect.succeed([]),
    content: (environment, id, version) =>
      storable(environment) && storable(id)
        ? Effect.map(database.query(content, [text(environment), text(id), int(version)]), ([row]) =>
            row === undefined ? null : contentOf(row[0])
          ).pipe(failed("content"))
        : Effect.succeed(null),
    atProvider: (name, language) =>
      storable(name) && storable(language)
        ? Effect.map(database.query(atProvider, [text(knownAs(name, language))]), (rows) => rows.map(headOf)).pipe(
            failed("atProvider")
          )
        : Effect.succeed([]),
    commit: (change) =>
      Effect.suspend(() => {
        const { content, head } = change
        const { environment, id, removedAt, revision, updatedAt, version, whatsappLanguage, whatsappName } = head
        const slot = removedAt === null ? slotOf(head) : null
        const whatsapp = removedAt === null ? knownAs(whatsappName, whatsappLanguage) : null
        if (![environment, id, slot ?? "", whatsapp ?? ""].every(storable)) {
          return Effect.fail(
            new StoreError({
              operation: "TemplateStore.commit",
              cause: new Error("a key is not text that Postgres can keep")
            })
          )
        }
        const own = [
          text(environment),
          text(id),
          int(revision),
          int(version),
          text(slot),
          text(whatsapp),
          int(removedAt === null ? 0 : 1),
          text(encodeHead(head)),
          instant(updatedAt),
          text(content === null ? null : JSON.stringify(content))
        ]
        return outbox.run(commit, own, [encode(change)]).pipe(
          Effect.mapError((failure) =>
            failure.sqlState === taken ? new Conflict({ key: id }) : failure.toStoreError("TemplateStore.commit")
          ),
          Effect.flatMap(([row]) => {
            if (row === undefined) return Effect.fail(new Conflict({ key: id }))
            outbox.committed(change)
            return Effect.succeed({ ...head, revision: row[0] as number })
          })
        )
      })
  })
})
