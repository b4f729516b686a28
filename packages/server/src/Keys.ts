import { type Merchant, Merchants } from "@countersign/core"
import { Console, Effect, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as MasterSecret from "./MasterSecret.ts"
import { withMerchants } from "./withMerchants.ts"

const secret = Command.make(
  "secret",
  {},
  Effect.fnUntraced(function* () {
    yield* Console.log(yield* MasterSecret.generate)
  })
).pipe(Command.withDescription("Print a fresh value for COUNTERSIGN_SECRET"))

const merchantId = Argument.String("merchant").pipe(Argument.withDescription("The merchant's id, mer_…"))

const list = Command.make(
  "list",
  { merchantId },
  Effect.fnUntraced(function* ({ merchantId }) {
    yield* withMerchants(
      Effect.gen(function* () {
        const { credentials, environments } = yield* (yield* Merchants).get(merchantId)
        const kindOf = (id: string) => environments.find((environment) => environment.id === id)?.kind
        for (const credential of credentials) {
          yield* Console.log(`${kindOf(credential.environment)}  ${credential.kind.padEnd(6)}  ${credential.id}`)
        }
      })
    )
  })
).pipe(Command.withDescription("List a merchant's keys, without their secrets"))

const create = Command.make(
  "create",
  {
    merchantId,
    environment: Flag.Literals("environment", ["live", "test"]).pipe(
      Flag.withDescription("Which of the merchant's environments the keys open")
    )
  },
  Effect.fnUntraced(function* ({ environment, merchantId }) {
    yield* withMerchants(
      Effect.gen(function* () {
        const kind: Merchant.EnvironmentKind = environment
        const keys = yield* (yield* Merchants).addKeys(merchantId, kind)
        yield* Console.log(`X-Client-Id      ${keys.clientId}`)
        yield* Console.log(`X-Client-Secret  ${Redacted.value(keys.clientSecret)}`)
        yield* Console.log(`X-Public-Key     ${keys.publicKey}`)
      })
    )
  })
).pipe(Command.withDescription("Make another set of keys; the secret is shown this once"))

/** `countersign keys …` */
export const command = Command.make("keys").pipe(
  Command.withDescription("The master secret, and merchants' keys"),
  Command.withSubcommands([secret, list, create])
)
