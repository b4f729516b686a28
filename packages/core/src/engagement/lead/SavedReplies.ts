import { Clock, Context, Effect, Layer } from "effect"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { checkName, checkText } from "./inboxFields.ts"
import { UnknownSavedReply } from "./LeadError.ts"
import { type SavedReply, SavedReplyStore } from "./SavedReply.ts"

const mostPerEnvironment = 1_000
/** The longest reply. */
const longestText = 4_096

/** The input for a saved reply. In a change, omitted fields stay unchanged. */
export interface SavedReplyFields {
  readonly name?: string | null | undefined
  readonly text?: string | null | undefined
}

/**
 * Texts that an environment's agents send often.
 *
 * @example
 * ```ts
 * import { type Caller, SavedReplies } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const save = Effect.fn(function* (caller: Caller) {
 *   const replies = yield* SavedReplies
 *   return yield* replies.create(caller, { name: "Hours", text: "We are open from 9 to 6." })
 * })
 * ```
 */
export class SavedReplies extends Context.Service<
  SavedReplies,
  {
    /** By id, which is by age. */
    readonly list: (caller: Caller) => Effect.Effect<ReadonlyArray<SavedReply>, StoreError>
    readonly create: (caller: Caller, fields: SavedReplyFields) => Effect.Effect<SavedReply, InvalidField | StoreError>
    readonly change: (
      caller: Caller,
      id: string,
      fields: SavedReplyFields
    ) => Effect.Effect<SavedReply, InvalidField | UnknownSavedReply | StoreError>
    readonly remove: (caller: Caller, id: string) => Effect.Effect<void, UnknownSavedReply | StoreError>
  }
>()("@countersign/core/lead/SavedReplies") {
  static readonly layerNoDeps: Layer.Layer<SavedReplies, never, SavedReplyStore> = Layer.effect(
    SavedReplies,
    Effect.gen(function* () {
      const store = yield* SavedReplyStore

      const save = (reply: SavedReply) =>
        store.save(reply).pipe(
          Effect.as(reply),
          Effect.catchTag("Conflict", () =>
            Effect.fail(invalidField("name", Problem.of("NAME_TAKEN", { thing: "saved reply" })))
          )
        )

      const create = Effect.fnUntraced(function* ({ environment }: Caller, fields: SavedReplyFields) {
        const name = yield* checkName("name", fields.name)
        const text = yield* checkText("text", fields.text, longestText)
        const createdAt = yield* Clock.currentTimeMillis
        const id = yield* RequestKey.idFor("srp", createdAt)
        const madeBefore = Effect.map(
          store.list(environment),
          (replies) => replies.find((reply) => reply.id === id) ?? null
        )
        return yield* RequestKey.once(madeBefore, add({ environment, id, name, text, createdAt }))
      })

      const add = Effect.fnUntraced(function* (reply: SavedReply) {
        const { environment } = reply
        if ((yield* store.list(environment)).length >= mostPerEnvironment) {
          return yield* invalidField(
            "name",
            Problem.of("FULL", { holder: "environment", max: mostPerEnvironment, things: "saved replies" })
          )
        }
        return yield* save(reply)
      })

      const change = Effect.fnUntraced(function* ({ environment }: Caller, id: string, fields: SavedReplyFields) {
        const found = (yield* store.list(environment)).find((reply) => reply.id === id)
        if (found === undefined) return yield* new UnknownSavedReply()
        const name = fields.name == null ? found.name : yield* checkName("name", fields.name)
        const text = fields.text == null ? found.text : yield* checkText("text", fields.text, longestText)
        return yield* save({ ...found, name, text })
      })

      return SavedReplies.of({
        list: ({ environment }) => store.list(environment),
        create,
        change,
        remove: Effect.fnUntraced(function* ({ environment }, id) {
          const removed = Identifier.is("srp", id) && (yield* store.remove(environment, id))
          if (!removed) return yield* new UnknownSavedReply()
        })
      })
    })
  )
}
