import { Context, type Effect } from "effect"
import type { InvalidField } from "../identity/InvalidField.ts"
import type { Caller } from "../merchant/Caller.ts"
import type { StoreError } from "../storage/StoreError.ts"
import type { UnknownSavedReply } from "./LeadError.ts"
import type { SavedReply } from "./SavedReply.ts"

/** What of a saved reply can be given. What a change leaves out stays. */
export interface SavedReplyFields {
  readonly name?: string | null | undefined
  readonly text?: string | null | undefined
}

/**
 * Words that agents of an environment send often.
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
>()("@countersign/core/lead/SavedReplies") {}
