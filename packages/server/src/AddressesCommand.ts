import { Merchants, UnknownMerchant } from "@countersign/core"
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { byCommand, withMerchants } from "./withMerchants.ts"

const anywhere = "anywhere"

const shown = (addresses: ReadonlyArray<string>) => (addresses.length === 0 ? anywhere : addresses.join(", "))

/** `countersign merchant addresses`. No server key may change these addresses, so this command is the way out of a lockout. */
export const command = Command.make(
  "addresses",
  {
    environment: Flag.Literals("environment", ["live", "test"]).pipe(
      Flag.withDescription("The environment whose server keys are restricted; live by default"),
      Flag.withDefault("live" as const)
    ),
    merchantId: Argument.String("merchant").pipe(Argument.withDescription("The merchant's id, mer_…")),
    addresses: Argument.String("addresses").pipe(
      Argument.withDescription("Comma-separated addresses and ranges, or anywhere. Leave out to show the current list"),
      Argument.optional
    )
  },
  Effect.fnUntraced(function* ({ addresses, environment, merchantId }) {
    const found = yield* withMerchants(
      Effect.gen(function* () {
        const merchants = yield* Merchants
        const { environments } = yield* merchants.get(merchantId)
        const own = environments.find(({ kind }) => kind === environment)
        if (own === undefined) return yield* new UnknownMerchant({ id: merchantId })
        if (Option.isNone(addresses)) return own.settings.serverAddresses ?? []
        const list = addresses.value === anywhere ? [] : addresses.value.split(",").map((one) => one.trim())
        const by = { ...byCommand, merchantId, environment: own.id }
        return (yield* merchants.changeSettings(by, { serverAddresses: list })).serverAddresses
      })
    )
    yield* Console.log(`${environment}  ${shown(found)}`)
  })
).pipe(Command.withDescription("Show or change the addresses that a merchant's server keys may be used from"))
