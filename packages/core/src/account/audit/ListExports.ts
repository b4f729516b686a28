import { Clock, Context, Effect, Layer } from "effect"
import { auditEntry } from "../../foundation/outbox/AuditEntry.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Caller } from "../merchant/Caller.ts"
import { FreshSignInNeeded, isFresh } from "../merchant/guardRefusal.ts"

/** A list that somebody exports as a file. */
export interface ListExport {
  readonly list: "verifications" | "refusals" | "recipients" | "audit" | "attribution" | "ledger"
  /** The names of the filters. Their values may identify a person, so the history does not get them. */
  readonly filters: ReadonlyArray<string>
  /** Whether the file shows whole identities where the list shows masks. */
  readonly unmasked: boolean
  /** The object that the list belongs to, such as a campaign. */
  readonly of?: string
}

/** Records exports of lists in the history. */
export class ListExports extends Context.Service<
  ListExports,
  {
    /**
     * Records that the caller exports a list, before the first row can be read. An export with whole identities needs a
     * sign-in within the last ten minutes, like a single unmasking. The caller's role is checked before.
     */
    readonly begin: (caller: Caller, exported: ListExport) => Effect.Effect<void, FreshSignInNeeded | StoreError>
  }
>()("@countersign/core/audit/ListExports") {
  static readonly layerNoDeps: Layer.Layer<ListExports, never, Outbox> = Layer.effect(
    ListExports,
    Effect.map(Outbox, (outbox) =>
      ListExports.of({
        begin: Effect.fnUntraced(function* (caller, { filters, list, of, unmasked }) {
          const now = yield* Clock.currentTimeMillis
          if (unmasked && !isFresh(caller.person, now)) return yield* new FreshSignInNeeded()
          const target = { kind: "list", id: list }
          const to = { ...(of === undefined ? {} : { of }), filters, unmasked }
          yield* outbox.append({ audited: [auditEntry(caller, { action: "list.exported", target, to }, now)] })
        })
      })
    )
  )
}
