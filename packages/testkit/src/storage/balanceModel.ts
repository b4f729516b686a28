import {
  BalanceStore,
  type Booking,
  Conflict,
  type Storage,
  Subject,
  VerificationStore
} from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import * as Race from "../Race.ts"
import { booking, today } from "./balanceFixtures.ts"
import { drawsOf } from "./drawsOf.ts"
import { change, fresh, verification } from "./fixtures.ts"

const days = [today, "2999-06-02"]
const channels = ["SMS", "WHATSAPP"]

/** The expected state, computed from the port's rules without storage. */
class Account {
  readonly environment = fresh("env")
  creditLimit = 0
  version = 0
  amount = 0
  readonly spent = new Map<string, number>()
  /** Committed bookings. The ledger must contain each once. */
  readonly written: Array<Booking> = []
  /** How many entries of the ledger were compared. */
  compared = 0

  spentOn(day: string, channel: string): number {
    return this.spent.get(`${day} ${channel}`) ?? 0
  }
}

const sum = (booked: ReadonlyArray<Booking>) => booked.reduce((total, { amount }) => total + amount, 0)
const takes = ({ amount }: Booking) => amount < 0

const isPaid = (account: Account, booked: ReadonlyArray<Booking>): boolean => {
  const mine = booked.filter(({ environment }) => environment === account.environment)
  if (mine.some(takes) && account.amount + sum(mine) < -account.creditLimit) return false
  const isTwice = ({ kind, reference }: Booking) =>
    kind === "TOP_UP" && account.written.some((one) => one.kind === "TOP_UP" && one.reference === reference)
  if (mine.some(isTwice)) return false
  return mine.filter(takes).every(({ spent }) => {
    if (spent === null || spent.cap === null) return true
    const alike = mine.filter((one) => one.spent?.day === spent.day && one.spent.channel === spent.channel)
    return account.spentOn(spent.day, spent.channel) - sum(alike) <= spent.cap
  })
}

const write = (account: Account, booked: ReadonlyArray<Booking>): void => {
  for (const one of booked.filter(({ environment }) => environment === account.environment)) {
    account.amount += one.amount
    account.written.push(one)
    if (one.spent === null) continue
    const { channel, day } = one.spent
    account.spent.set(`${day} ${channel}`, account.spentOn(day, channel) - one.amount)
  }
}

/**
 * Runs this many operations on two environments' balances, as services would: sends, refunds, top-ups, corrections,
 * credit, and several in one change. Some are decided and never committed, some are committed twice, some race. After
 * each operation the balance equals the sum of the ledger, and the ledger equals what was committed.
 */
export const playBalances = (operations: number, seed: number): Effect.Effect<void, unknown, Storage> =>
  Effect.gen(function* () {
    const { draw, oneOf } = drawsOf(seed)
    const upTo = (most: number) => 1 + Math.floor(draw() * most)
    const store = yield* BalanceStore
    const verifications = yield* VerificationStore
    const accounts = [new Account(), new Account()]
    const people = new Map<Account, Array<Subject.Subject>>(accounts.map((account) => [account, []]))

    const send = ({ environment }: Account, price = upTo(30), cap = draw() < 0.3 ? upTo(400) : null) =>
      booking(environment, -price, { spent: { channel: oneOf(channels), day: oneOf(days), cap } })

    const refund = (account: Account) => {
      const sent = account.written.filter(({ kind }) => kind === "SEND")
      const one = sent.length === 0 ? send(account) : oneOf(sent)
      return { ...one, kind: "REFUND" as const, amount: -one.amount }
    }

    const compare = Effect.fnUntraced(function* (account: Account, days: ReadonlyArray<string>) {
      const limit = account.written.length - account.compared + 2
      const entries = (yield* store.ledger(account.environment, { before: null, limit })).toReversed()
      const news = entries.filter(({ number }) => number > account.compared)
      const written = account.written.slice(account.compared)
      const ids = (all: ReadonlyArray<Pick<Booking, "reference" | "amount">>) =>
        all.map(({ amount, reference }) => `${reference} ${amount}`).toSorted()
      assert.deepStrictEqual(ids(news), ids(written))
      let balance = account.amount - sum(written)
      for (const [index, entry] of news.entries()) {
        balance += entry.amount
        assert.deepStrictEqual([entry.number, entry.balance], [account.compared + index + 1, balance])
      }
      account.compared = account.written.length
      for (const day of days) {
        const funds = yield* store.funds(account.environment, day)
        assert.deepStrictEqual(
          [funds.balance.amount, funds.balance.creditLimit, funds.balance.version],
          [account.amount, account.creditLimit, account.version]
        )
        for (const channel of channels) assert.strictEqual(funds.spent[channel] ?? 0, account.spentOn(day, channel))
      }
    })

    const refused = <A, E>(exit: Exit.Exit<A, E>) =>
      Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof Conflict

    const commit = Effect.fnUntraced(function* (account: Account, booked: ReadonlyArray<Booking>) {
      const known = people.get(account)!
      const subject =
        draw() < 0.5 || known.length === 0 ? Subject.empty(account.environment, fresh("91")) : oneOf(known)
      const decided = change(subject, { verification: verification(subject), booked })
      // Simulates a process that dies before its commit, or after it and repeats it.
      if (draw() < 0.05) return
      const committed = yield* Effect.exit(verifications.commit(decided))
      if (accounts.every((one) => isPaid(one, booked))) {
        const stored = yield* committed
        people.set(account, [...known.filter((one) => one !== subject).slice(-9), stored.subject])
        for (const one of accounts) write(one, booked)
        if (draw() < 0.1) assert.isTrue(refused(yield* Effect.exit(verifications.commit(decided))))
      } else assert.isTrue(refused(committed))
    })

    const agree = Effect.fnUntraced(function* (account: Account, booked: ReadonlyArray<Booking>) {
      const late = draw() < 0.2
      const { balance } = yield* store.funds(account.environment, today)
      const creditLimit = booked.length === 0 ? upTo(150) - 1 : balance.creditLimit
      const version = late ? balance.version + 1 : balance.version
      const committed = yield* Effect.exit(
        store.commit(BalanceStore.change({ ...balance, creditLimit, version }, { booked }))
      )
      if (late || !isPaid(account, booked)) return assert.isTrue(refused(committed))
      yield* committed
      account.version++
      account.creditLimit = creditLimit
      write(account, booked)
    })

    const race = Effect.fnUntraced(function* (account: Account) {
      const price = upTo(30)
      const sends = Array.from({ length: 2 + upTo(6) }, () => send(account, price, null))
      const affordable = Math.max(0, Math.floor((account.amount + account.creditLimit) / price))
      const { exits } = yield* Race.together(sends.length, (index) => {
        const subject = Subject.empty(account.environment, fresh("91"))
        return verifications.commit(change(subject, { verification: verification(subject), booked: [sends[index]!] }))
      })
      const paid = sends.filter((_, index) => Exit.isSuccess(exits[index]!))
      assert.isTrue(exits.every((exit) => Exit.isSuccess(exit) || refused(exit)))
      assert.strictEqual(paid.length, Math.min(sends.length, affordable))
      write(account, paid)
    })

    const topUp = ({ environment }: Account) =>
      booking(environment, upTo(200), { kind: "TOP_UP", reference: `bank ${upTo(operations / 10)}` })

    for (let n = 0; n < operations; n++) {
      const account = oneOf(accounts)
      const other = oneOf(accounts)
      const chance = draw()
      if (chance < 0.4) yield* commit(account, [send(account)])
      else if (chance < 0.5) yield* commit(account, [refund(account)])
      else if (chance < 0.6) yield* commit(account, [send(account), refund(account), send(other)])
      else if (chance < 0.65)
        yield* commit(account, [booking(account.environment, upTo(60) - 30, { kind: "CORRECTION" })])
      else if (chance < 0.75) yield* agree(account, [topUp(account)])
      else if (chance < 0.78) yield* commit(account, [topUp(account)])
      else if (chance < 0.85) yield* agree(account, [])
      else yield* race(account)
      for (const one of new Set([account, other])) yield* compare(one, [oneOf(days)])
    }
    for (const one of accounts) yield* compare(one, days)
    // A run in which every operation was refused, or none, proves nothing.
    for (const { written } of accounts) {
      for (const kind of ["SEND", "REFUND", "TOP_UP", "CORRECTION"]) {
        assert.isTrue(
          written.some((one) => one.kind === kind),
          kind
        )
      }
    }
  })
