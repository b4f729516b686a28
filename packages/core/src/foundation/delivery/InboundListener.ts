import { Context, type Effect } from "effect"
import type { Contended } from "../storage/Contended.ts"
import type { StoreError } from "../storage/StoreError.ts"
import type { Inbound } from "./Inbound.ts"

/** Whoever takes what people write to us: the inbox. */
export class InboundListener extends Context.Service<
  InboundListener,
  {
    /**
     * Takes what one callback brought, after its receipts are committed. It must be kept when this succeeds: the
     * provider hears only then that all is well, and repeats the whole callback otherwise. Repeats are normal.
     */
    readonly take: (inbound: ReadonlyArray<Inbound>) => Effect.Effect<void, Contended | StoreError>
  }
>()("@countersign/core/delivery/InboundListener") {}
