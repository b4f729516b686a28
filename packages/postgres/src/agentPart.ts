import { type Agent, isActive } from "@countersign/core/storage"
import { type GuardedPart, rowsOf } from "./guardedStatements.ts"
import { encodeAgent } from "./leadRows.ts"
import { bools, ints, texts } from "./parameters.ts"
import { agentTurns, held, inTurn, written } from "./versionedRows.ts"

/** The agents of a change, whichever store it goes through. */
export const agentPart = <One>(agentsOf: (one: One) => ReadonlyArray<Agent>): GuardedPart<One> => ({
  isIn: (one) => agentsOf(one).length > 0,
  count: 8,
  parameters: (batch) => {
    const rows = rowsOf(batch, agentsOf)
    return [
      ints(rows.map(({ n }) => n)),
      texts(rows.map(({ row }) => row.merchantId)),
      ints(rows.map(({ row }) => row.id)),
      ints(rows.map(({ row }) => row.version)),
      texts(rows.map(({ row }) => row.canonical)),
      bools(rows.map(({ row }) => isActive(row))),
      bools(rows.map(({ row }) => row.removedAt !== null)),
      texts(rows.map(({ row }) => encodeAgent(row)))
    ]
  },
  looks: ($) => [
    `agent_given as materialized (
  select a.* from ${inTurn(agentTurns, `${$(2)}::text[]`)}unnest(${$(1)}::int[], ${$(2)}::text[], ${$(3)}::int[],
    ${$(4)}::int[], ${$(5)}::text[], ${$(6)}::bool[], ${$(7)}::bool[], ${$(8)}::text[]) as a(n, merchant_id, id, version, canonical, active, removed, state)
)`,
    held("agent", "merchant_id")
  ],
  found: ["agent_held"],
  taken: [],
  writes: written("agent", "merchant_id", ["canonical", "active", "removed", "state"])
})
