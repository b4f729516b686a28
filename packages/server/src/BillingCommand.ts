import { agreeOn, BilledBy, InvalidField, isCurrency } from "@countersign/core"
import { DeploymentStore } from "@countersign/core/storage"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { storage } from "./App.ts"
import * as Configuration from "./Configuration.ts"
import { Environment } from "./Environment.ts"
import * as MasterSecret from "./MasterSecret.ts"

const currency = (code: string) =>
  isCurrency(code)
    ? Effect.succeed(code)
    : Effect.fail(
        new InvalidField({ field: "--currency", problem: "must be a currency of ISO 4217 in upper case, as INR" })
      )

/** `countersign billing`: what all processes on this database agree on about money. */
export const command = Command.make(
  "billing",
  {
    billedBy: Flag.Literals("billed-by", BilledBy).pipe(
      Flag.withDescription("Who pays in and sets prices from now on, in every process"),
      Flag.optional
    ),
    currency: Flag.String("currency").pipe(
      Flag.withDescription("The currency of prices and balances, as ISO 4217. Amounts stay as they are"),
      Flag.optional
    )
  },
  Effect.fnUntraced(function* (given) {
    const configuration = yield* Configuration.read(yield* Environment, "command")
    const code = Option.isNone(given.currency) ? undefined : yield* currency(given.currency.value)
    yield* MasterSecret.beforeData(configuration)
    yield* Effect.gen(function* () {
      if (Option.isSome(given.billedBy)) yield* agreeOn("billedBy", given.billedBy.value)
      if (code !== undefined) yield* agreeOn("currency", code)
      const store = yield* DeploymentStore
      const recorded = (value: string | null, otherwise: string) => value ?? `${otherwise} (not recorded yet)`
      yield* Console.log(`billed by  ${recorded(yield* store.get("billedBy"), "merchant")}`)
      yield* Console.log(`currency   ${recorded(yield* store.get("currency"), "INR")}`)
      if (code !== undefined)
        yield* Console.log("Restart the processes that run: they go on showing the currency before")
    }).pipe(Effect.provide(storage(configuration)))
  })
).pipe(Command.withDescription("Show or change who bills and the currency, for all processes on this database"))
