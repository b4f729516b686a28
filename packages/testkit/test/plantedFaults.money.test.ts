import { MemoryStorage } from "@countersign/core/memory"
import {
  BalanceStore,
  type Booking,
  Conflict,
  type Funds,
  type Storage,
  StoreError,
  type VerificationChange,
  VerificationStore
} from "@countersign/core/storage"
import { StorageTest } from "@countersign/testkit"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer } from "effect"

type Ports = Context.Context<Storage>
type Commit = VerificationStore["Service"]["commit"]

interface Fault {
  readonly noticedBy: RegExp
  readonly plant: (ports: Ports) => Ports
}

/** A fault in how verifications are paid. */
const inSends = (
  noticedBy: RegExp,
  fault: (commit: Commit, balances: BalanceStore["Service"], change: VerificationChange) => ReturnType<Commit>
): Fault => ({
  noticedBy,
  plant: (ports) => {
    const store = Context.get(ports, VerificationStore)
    const balances = Context.get(ports, BalanceStore)
    return Context.add(ports, VerificationStore, {
      ...store,
      commit: (change) => (change.booked.length === 0 ? store.commit(change) : fault(store.commit, balances, change))
    })
  }
})

const inBalances = (
  noticedBy: RegExp,
  fault: (store: BalanceStore["Service"]) => Partial<BalanceStore["Service"]>
): Fault => ({
  noticedBy,
  plant: (ports) => {
    const store = Context.get(ports, BalanceStore)
    return Context.add(ports, BalanceStore, { ...store, ...fault(store) })
  }
})

const booked = (change: VerificationChange, as: (booking: Booking) => Booking): VerificationChange => ({
  ...change,
  booked: change.booked.map(as)
})

let last = 0

const faults: { readonly [fault: string]: Fault } = {
  "debits the balance in a separate step": inSends(
    /VerificationStore.commit that exceeds the balance/,
    Effect.fnUntraced(function* (commit, balances, change) {
      const stored = yield* commit({ ...change, booked: [] })
      const { balance } = yield* balances.funds(change.subject.environment, "")
      yield* balances.commit(BalanceStore.change(balance, { booked: change.booked }))
      return stored
    })
  ),
  "skips the debit when the balance is too low": inSends(/balance for 5/, (commit, _, change) =>
    Effect.catchTag(commit(change), "Conflict", () => commit({ ...change, booked: [] }))
  ),
  "fails with a StoreError when the balance is too low": inSends(
    /VerificationStore.commit that exceeds the balance/,
    (commit, _, change) =>
      Effect.catchTag(commit(change), "Conflict", (cause) =>
        Effect.fail(new StoreError({ operation: "commit", cause }))
      )
  ),
  "refuses refunds to an environment in debt": inSends(
    /refunds are never refused/,
    Effect.fnUntraced(function* (commit, balances, change) {
      const { balance } = yield* balances.funds(change.subject.environment, "")
      if (balance.amount < -balance.creditLimit) return yield* new Conflict({ key: "" })
      return yield* commit(change)
    })
  ),
  "counts all channels against one cap": inSends(/limits only debits of its channel/, (commit, _, change) =>
    commit(
      booked(change, ({ spent, ...one }) => ({ ...one, spent: spent === null ? null : { ...spent, channel: "ALL" } }))
    )
  ),
  "ignores the daily cap": inSends(/limits only debits of its channel/, (commit, _, change) =>
    commit(booked(change, ({ spent, ...one }) => ({ ...one, spent: spent === null ? null : { ...spent, cap: null } })))
  ),
  "books a repeated top-up again": inSends(/a top-up reference is booked once/, (commit, _, change) =>
    commit(booked(change, (one) => ({ ...one, reference: one.kind === "TOP_UP" ? `${++last}` : one.reference })))
  ),
  "books debits before credits": inSends(/credits are booked before debits/, (commit, _, change) =>
    Effect.flatMap(commit({ ...change, booked: change.booked.filter(({ amount }) => amount < 0) }), () =>
      commit(change)
    )
  ),
  "returns the first balance that it read for ever": inBalances(/only bookings move the amount/, (store) => {
    const known = new Map<string, Funds>()
    return {
      funds: (environment, day) =>
        Effect.map(store.funds(environment, day), (funds) => {
          known.set(environment, known.get(environment) ?? funds)
          return known.get(environment)!
        })
    }
  }),
  "changes credit and warnings without checking the version": inBalances(/at one version, one succeeds/, (store) => ({
    commit: (change) =>
      Effect.flatMap(store.funds(change.balance.environment, ""), ({ balance }) =>
        store.commit({ ...change, balance: { ...change.balance, version: balance.version } })
      )
  })),
  "returns the amount of the change instead of the stored amount": inBalances(
    /only bookings move the amount/,
    (store) => ({
      commit: (change) => Effect.map(store.commit(change), (balance) => ({ ...balance, amount: change.balance.amount }))
    })
  ),
  "restarts the numbers of ledger entries on each page": inBalances(/page by page/, (store) => ({
    ledger: (environment, page) =>
      Effect.map(store.ledger(environment, page), (entries) => entries.map((one, at) => ({ ...one, number: at + 1 })))
  }))
}

for (const [fault, { noticedBy, plant }] of Object.entries(faults)) {
  it.live(`the checks detect a storage that ${fault}`, () =>
    Effect.gen(function* () {
      const broken: Array<string> = []
      for (const { check, promise } of ["BalanceStore", "OutboxStore"].flatMap(
        (port) => StorageTest.checks[port] ?? []
      )) {
        if (noticedBy.test(promise) && Exit.isFailure(yield* Effect.exit(Effect.scoped(check)))) broken.push(promise)
      }
      assert.isNotEmpty(broken)
    }).pipe(Effect.provide(Layer.effectContext(Effect.map(Layer.build(MemoryStorage.layer), plant))))
  )
}
