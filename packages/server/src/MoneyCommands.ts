import { InvalidField, MerchantBilling } from "@countersign/core"
import type { BalanceStore } from "@countersign/core/storage"
import { Console, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { byCommand, withMerchants } from "./withMerchants.ts"

const merchantId = Argument.String("merchant").pipe(Argument.withDescription("The merchant's id, mer_…"))

const environment = Flag.Literals("environment", ["live", "test"]).pipe(
  Flag.withDescription("The environment that the balance belongs to; live by default"),
  Flag.withDefault("live" as const)
)

const amount = (description: string) => Argument.Int("amount").pipe(Argument.withDescription(description))

const smallest = "in the smallest unit of the currency"

const showBalance = (view: MerchantBilling.View) => {
  const { available, balance, billing, creditLimit, currency, environment, spentToday } = view
  const today = spentToday.map(({ amount, cap, channel }) => `${channel} ${amount}${cap === null ? "" : ` of ${cap}`}`)
  const parts = [
    `balance ${balance} ${currency}`,
    `credit ${creditLimit}`,
    `available ${available}`,
    ...(today.length === 0 ? [] : [`today ${today.join(", ")}`])
  ]
  return Console.log([environment, billing.padEnd(7), ...parts].join("  "))
}

const showMoved = ({ amount, balance, number, reference }: BalanceStore.LedgerEntry) =>
  Console.log(`${number}  ${amount}  balance ${balance}  ${reference ?? ""}`)

const billing = <A, E>(use: (billing: MerchantBilling["Service"]) => Effect.Effect<A, E>) =>
  withMerchants(Effect.flatMap(MerchantBilling, use))

const balance = Command.make(
  "balance",
  { id: merchantId },
  Effect.fnUntraced(function* ({ id }) {
    for (const view of yield* billing(({ of }) => of(id))) yield* showBalance(view)
  })
).pipe(Command.withDescription("Show a merchant's balance, credit and spending today"))

const topUp = Command.make(
  "top-up",
  {
    environment,
    reference: Flag.String("reference").pipe(
      Flag.withDescription("The payment's id. Repeating a top-up with the same id has no effect"),
      Flag.optional
    ),
    merchantId,
    amount: amount(`The amount to add, ${smallest}`)
  },
  Effect.fnUntraced(function* ({ amount, environment, merchantId, reference }) {
    const request = { amount, reference: Option.getOrNull(reference) }
    yield* showMoved(yield* billing(({ topUp }) => topUp({ merchantId, environment, by: byCommand }, request, null)))
  })
).pipe(Command.withDescription("Top up a merchant's balance"))

const correct = Command.make(
  "correct",
  {
    environment,
    reason: Flag.String("reason").pipe(Flag.withDescription("The reason, which the merchant sees in the ledger")),
    merchantId,
    direction: Argument.Literals("direction", ["give", "take"]).pipe(
      Argument.withDescription("Add to the balance (give) or subtract from it (take)")
    ),
    amount: amount(`The amount, ${smallest}`)
  },
  Effect.fnUntraced(function* ({ amount, direction, environment, merchantId, reason }) {
    const whom = { merchantId, environment, by: byCommand }
    const request = { amount: direction === "give" ? amount : -amount, reason }
    yield* showMoved(yield* billing(({ correct }) => correct(whom, request, null)))
  })
).pipe(Command.withDescription("Correct a merchant's balance"))

const credit = Command.make(
  "credit",
  {
    environment,
    merchantId,
    limit: Argument.Int("limit").pipe(Argument.withDescription(`The credit limit, ${smallest}; 0 for none`))
  },
  Effect.fnUntraced(function* ({ environment, limit, merchantId }) {
    const whom = { merchantId, environment, by: byCommand }
    yield* showBalance(yield* billing(({ change }) => change(whom, { creditLimit: limit })))
  })
).pipe(Command.withDescription("Set how far below zero a balance may go"))

const example = '{"SMS":{"default":20,"prefixes":{"977":90}}}'

const pricesOf = (text: string) =>
  Effect.mapError(
    Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Unknown))(text),
    () => new InvalidField({ field: "prices", problem: `must be JSON, such as ${example}` })
  )

const prices = Command.make(
  "prices",
  {
    environment,
    billing: Flag.Literals("billing", ["OFF", "PREPAID"]).pipe(
      Flag.withDescription("Whether the merchant pays for messages: OFF or PREPAID"),
      Flag.optional
    ),
    merchantId,
    prices: Argument.String("prices").pipe(
      Argument.withDescription(`All prices as JSON, such as {"SMS":20} or ${example}`),
      Argument.optional
    )
  },
  Effect.fnUntraced(function* (given) {
    const { environment, merchantId } = given
    const [mode, text] = [Option.getOrUndefined(given.billing), Option.getOrUndefined(given.prices)]
    const prices = text === undefined ? undefined : yield* pricesOf(text)
    const shown = yield* billing(({ change, of }) =>
      mode === undefined && prices === undefined
        ? Effect.map(of(merchantId), (views) => views.find((view) => view.environment === environment)!)
        : change({ merchantId, environment, by: byCommand }, { billing: mode, prices })
    )
    yield* Console.log(`${environment}  ${shown.billing.padEnd(7)}  ${JSON.stringify(shown.prices)}`)
  })
).pipe(Command.withDescription("Show or set the price of each message, and whether the merchant pays"))

/** `countersign merchant balance`, `top-up` and the like. */
export const moneyCommands = [balance, topUp, correct, credit, prices] as const
