import { Effect } from "effect"
import type { BalanceStore } from "../account/billing/BalanceStore.ts"
import { Conflict } from "../foundation/storage/Conflict.ts"
import type { MemoryBalances } from "./MemoryBalances.ts"
import type { MemoryOutbox } from "./MemoryOutbox.ts"

export const makeBalanceStore = (outbox: MemoryOutbox, balances: MemoryBalances): BalanceStore["Service"] => ({
  funds: (environment, day) => Effect.sync(() => balances.funds(environment, day)),
  commit: (change) =>
    Effect.suspend(() => {
      const { environment, version } = change.balance
      return balances.balance(environment).version === version
        ? Effect.map(
            outbox.write(change, () => balances.save(change.balance)),
            () => balances.balance(environment)
          )
        : Effect.fail(new Conflict({ key: environment }))
    }),
  ledger: (environment, { before, limit }) =>
    Effect.sync(() =>
      structuredClone(
        balances
          .ledger(environment)
          .filter(({ number }) => before === null || number < before)
          .toReversed()
          .slice(0, limit)
      )
    ),
  topUp: (environment, reference) => Effect.sync(() => structuredClone(balances.topUp(environment, reference)))
})
