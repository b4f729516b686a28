import { Context, type Effect } from "effect"
import type { Contended } from "../storage/Contended.ts"
import type { StoreError } from "../storage/StoreError.ts"
import type { Inbound } from "./Inbound.ts"

/** Receives incoming messages. The inbox implements it. */
export class InboundListener extends Context.Service<
  InboundListener,
  {
    /**
     * Stores the messages of one callback, after its receipts are committed. Success means that they are stored,
     * because the provider then gets its 200. On failure it repeats the whole callback, so repeats are normal.
     */
    readonly take: (inbound: ReadonlyArray<Inbound>) => Effect.Effect<void, Contended | StoreError>
  }
>()("@countersign/core/delivery/InboundListener") {}
