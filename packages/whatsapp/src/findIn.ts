import { Effect, Option, Schema } from "effect"
import type { Graph, Reply } from "./Graph.ts"

const decodePage = Schema.decodeUnknownOption(
  Schema.Struct({
    data: Schema.Array(Schema.Unknown),
    paging: Schema.optionalKey(
      Schema.Struct({
        next: Schema.optionalKey(Schema.String),
        cursors: Schema.optionalKey(Schema.Struct({ after: Schema.optionalKey(Schema.String) }))
      })
    )
  })
)

const mostPages = 20
const pageSize = "100"

/** Whether an answer is readable and not an error. */
export const isGood = (reply: Reply): reply is Extract<Reply, { readonly _tag: "Answered" }> =>
  reply._tag === "Answered" && reply.status < 300 && reply.body !== undefined

/**
 * Searches a list of the Graph API page by page for the first picked item; null when there is none. Fails with an answer
 * that is not a list. Uses only the cursor of a page, never its `next` URL, which is not trusted.
 */
export const findIn = Effect.fnUntraced(function* <A>(
  graph: Graph,
  path: string,
  query: { readonly [name: string]: string },
  pick: (item: unknown) => Option.Option<A>
): Effect.fn.Return<A | null, Reply> {
  let after: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const asked = { ...query, limit: pageSize }
    const reply = yield* graph.get(path, after === undefined ? asked : { ...asked, after })
    const listed = isGood(reply) ? decodePage(reply.body) : Option.none()
    if (Option.isNone(listed)) return yield* Effect.fail(reply)
    const { data, paging } = listed.value
    for (const item of data) {
      const picked = pick(item)
      if (Option.isSome(picked)) return picked.value
    }
    after = paging?.next === undefined ? undefined : paging.cursors?.after
    if (after === undefined) break
  }
  return null
})

const decodeTemplate = Schema.decodeUnknownOption(
  Schema.Struct({ name: Schema.String, language: Schema.String, status: Schema.String })
)

/** Meta's status of a template, by name and language; null when the account does not have it. */
export const templateStatus = (
  graph: Graph,
  wabaId: string,
  { language, name }: { readonly name: string; readonly language: string }
): Effect.Effect<string | null, Reply> =>
  // Meta matches the name only partially, so items are compared again.
  findIn(graph, `${wabaId}/message_templates`, { name, fields: "name,language,status" }, (item) =>
    Option.flatMap(decodeTemplate(item), (found) =>
      found.name === name && found.language === language ? Option.some(found.status) : Option.none()
    )
  )
