import { Context, type Effect } from "effect"
import type { StoreError } from "../storage/StoreError.ts"
import type { Unbooked } from "./Change.ts"

/** Writes what no aggregate changed with. Whatever an aggregate leaves goes through the `commit` of its own store. */
export class OutboxStore extends Context.Service<
  OutboxStore,
  {
    /** All of it or nothing, durable when it returns. Done twice, it is there once, as it was the first time. Money does not go this way. */
    readonly append: (outgoing: Unbooked) => Effect.Effect<void, StoreError>
  }
>()("@countersign/core/outbox/OutboxStore") {}
