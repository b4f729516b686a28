import { Merchants, UnknownMerchant } from "@countersign/core"
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { byCommand, withMerchants } from "./withMerchants.ts"

const anywhere = "anywhere"

const shown = (addresses: ReadonlyArray<string>) => (addresses.length === 0 ? anywhere : addresses.join(", "))

/** `countersign merchant addresses`: what no key may change, and whoever runs the service can always mend. */
export const command = Command.make(
  "addresses",
  {
    environment: Flag.Literals("environment", ["live", "test"]).pipe(
      Flag.withDescription("Whose server keys; live by default"),
      Flag.withDefault("live" as const)
    ),
    merchantId: Argument.String("merchant").pipe(Argument.withDescription("The merchant's id, mer_…")),
    addresses: Argument.String("addresses").pipe(
      Argument.withDescription("Addresses and ranges, with commas between, or the word anywhere; shown if left out"),
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
).pipe(Command.withDescription("Show or change from where a merchant's server keys may be used"))
