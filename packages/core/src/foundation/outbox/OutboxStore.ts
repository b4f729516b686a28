import { Context, type Effect } from "effect"
import type { StoreError } from "../storage/StoreError.ts"
import type { Unbooked } from "./Change.ts"

/** Writes records without an aggregate. Records of an aggregate go through the `commit` of its own store. */
export class OutboxStore extends Context.Service<
  OutboxStore,
  {
    /** Writes all of it or nothing, durable when it returns. A repeat changes nothing. Bookings cannot go this way. */
    readonly append: (outgoing: Unbooked) => Effect.Effect<void, StoreError>
  }
>()("@countersign/core/outbox/OutboxStore") {}
