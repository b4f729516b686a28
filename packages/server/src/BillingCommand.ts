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
        new InvalidField({
          field: "--currency",
          problem: "must be an ISO 4217 currency code in upper case, such as INR"
        })
      )

/** `countersign billing`: the billing settings that all processes on this database share. */
export const command = Command.make(
  "billing",
  {
    billedBy: Flag.Literals("billed-by", BilledBy).pipe(
      Flag.withDescription("Who tops up balances and sets prices, for every process"),
      Flag.optional
    ),
    currency: Flag.String("currency").pipe(
      Flag.withDescription("The ISO 4217 currency of prices and balances. Amounts are not converted"),
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
        yield* Console.log("Restart all running processes: until then they show the previous currency")
    }).pipe(Effect.provide(storage(configuration)))
  })
).pipe(Command.withDescription("Show or change who bills and in which currency, for all processes on this database"))
