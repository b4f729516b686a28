import { type Outgoing, OutboxStore } from "@countersign/core/storage"
import { Effect } from "effect"
import * as Batcher from "./Batcher.ts"
import { type EncodedOutgoing, encode, ownerOfOutgoing } from "./outboxParts.ts"
import { outboxStatement } from "./outboxStatement.ts"
import { int } from "./parameters.ts"
import type { PgOutbox } from "./PgOutbox.ts"

/** There is no aggregate and so no guard. Rows that exist already in either table stay unchanged. */
export const append = outboxStatement({
  own: "ok as materialized (select n from generate_series(1, $1) as n)",
  parameters: 1,
  answer: "1",
  repeatable: true
})

const keyOf = ({ audited, done, events, facts, folded, jobs }: Outgoing) =>
  events[0]?.id ?? jobs[0]?.key ?? done?.key ?? facts[0]?.key ?? folded[0]?.key ?? audited[0]?.id

export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const appends = yield* Batcher.make<EncodedOutgoing, true>({
    operation: "OutboxStore.append",
    keyOf: ({ outgoing }) => keyOf(outgoing) ?? "",
    sameKey: "wait",
    ownerOf: ({ outgoing }) => ownerOfOutgoing(outgoing),
    run: (batch) =>
      Effect.as(
        outbox.run(append, [int(batch.length)], batch),
        batch.map(() => true as const)
      )
  })

  return OutboxStore.of({
    append: (outgoing) =>
      Effect.suspend(() =>
        keyOf(outgoing) === undefined
          ? Effect.void
          : Effect.map(appends.submit(encode(outgoing)), () => outbox.committed(outgoing))
      )
  })
})
