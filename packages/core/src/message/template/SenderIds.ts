import { Clock, Context, Effect, Layer } from "effect"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { auditEntry } from "../../foundation/outbox/AuditEntry.ts"
import { noRecords } from "../../foundation/outbox/Change.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { type SenderId, SenderIdStore } from "./SenderIdStore.ts"
import { TemplateCatalogue } from "./TemplateCatalogue.ts"
import { SenderIdTaken, UnknownSenderId } from "./TemplateError.ts"

const mostPerEnvironment = 200

const isHeader = (text: string) => /^[A-Za-z]{6}$/.test(text)

/**
 * The DLT headers that an environment may send from. While none is registered, any header may be used.
 *
 * @example
 * ```ts
 * import { type Caller, SenderIds } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const register = Effect.fn(function* (caller: Caller) {
 *   const senderIds = yield* SenderIds
 *   return yield* senderIds.add(caller, "ACMEIN")
 * })
 * ```
 */
export class SenderIds extends Context.Service<
  SenderIds,
  {
    /** Lists the sender ids, oldest first. */
    readonly list: (caller: Caller) => Effect.Effect<ReadonlyArray<SenderId>, StoreError>
    readonly add: (
      caller: Caller,
      header: string | null | undefined
    ) => Effect.Effect<SenderId, InvalidField | SenderIdTaken | StoreError>
    readonly remove: (caller: Caller, header: string) => Effect.Effect<void, UnknownSenderId | StoreError>
  }
>()("@countersign/core/template/SenderIds") {
  static readonly layerNoDeps: Layer.Layer<SenderIds, never, Outbox | SenderIdStore | TemplateCatalogue> = Layer.effect(
    SenderIds,
    Effect.gen(function* () {
      const store = yield* SenderIdStore
      const commit = yield* Outbox.committer(SenderIdStore)
      const catalogue = yield* TemplateCatalogue

      const change = (caller: Caller, senderId: SenderId, becomes: "added" | "removed") =>
        Effect.gen(function* () {
          const { header } = senderId
          const deed = {
            action: `sender_id.${becomes}`,
            target: { kind: "sender_id", id: header },
            from: becomes === "removed" ? { header } : null,
            to: becomes === "added" ? { header } : null
          }
          const audited = [auditEntry(caller, deed, yield* Clock.currentTimeMillis)]
          yield* commit({ ...noRecords, audited, senderId, becomes })
        }).pipe(Effect.ensuring(catalogue.forget(caller.environment)))

      return SenderIds.of({
        list: ({ environment }) => store.list(environment),
        add: Effect.fnUntraced(function* (caller, header) {
          if (header == null || !isHeader(header)) {
            return yield* invalidField("header", Problem.of("SENDER_ID"))
          }
          const { environment } = caller
          const known = yield* store.list(environment)
          const before = known.find((senderId) => senderId.header === header)
          if (before !== undefined && (yield* RequestKey.isRepeatOf(before.createdAt))) return before
          if (known.length >= mostPerEnvironment) {
            return yield* invalidField(
              "header",
              Problem.of("FULL", { holder: "environment", max: mostPerEnvironment, things: "sender ids" })
            )
          }
          const senderId = { environment, header, createdAt: yield* Clock.currentTimeMillis }
          yield* Effect.catchTag(change(caller, senderId, "added"), "Conflict", () => Effect.fail(new SenderIdTaken()))
          return senderId
        }),
        remove: Effect.fnUntraced(function* (caller, header) {
          const { environment } = caller
          if (!isHeader(header)) return yield* new UnknownSenderId()
          const removed = change(caller, { environment, header, createdAt: 0 }, "removed")
          yield* Effect.catchTag(removed, "Conflict", () => Effect.fail(new UnknownSenderId()))
        })
      })
    })
  )
}
