import { type KeySet, Merchants } from "@countersign/core"
import { Console, Effect, Redacted } from "effect"
import { Argument, Command } from "effect/cli"
import { byCommand, withMerchants } from "./withMerchants.ts"

const show = (title: string, { clientId, clientSecret, publicKey }: KeySet) =>
  Console.log(
    `${title}\n  X-Client-Id      ${clientId}\n  X-Client-Secret  ${Redacted.value(clientSecret)}\n  X-Public-Key     ${publicKey}`
  )

const create = Command.make(
  "create",
  { name: Argument.String("name").pipe(Argument.withDescription("Shown to people in messages")) },
  Effect.fnUntraced(function* ({ name }) {
    yield* withMerchants(
      Effect.gen(function* () {
        const { live, merchant, test } = yield* (yield* Merchants).create(name, byCommand)
        yield* Console.log(`${merchant.id}  ${merchant.name}`)
        yield* show("live", live)
        yield* show("test", test)
      })
    )
  })
).pipe(Command.withDescription("Make a merchant; its secrets are shown this once"))

const pageSize = 500

const list = Command.make(
  "list",
  {},
  Effect.fnUntraced(function* () {
    yield* withMerchants(
      Effect.gen(function* () {
        const merchants = yield* Merchants
        for (let after: string | null = null; ; ) {
          const page: ReadonlyArray<{ readonly id: string; readonly status: string; readonly name: string }> =
            yield* merchants.list({ after, limit: pageSize })
          for (const { id, name, status } of page) yield* Console.log(`${id}  ${status.padEnd(9)}  ${name}`)
          if (page.length < pageSize) return
          after = page[page.length - 1]!.id
        }
      })
    )
  })
).pipe(Command.withDescription("List all merchants"))

const change = (word: "suspend" | "resume", status: "SUSPENDED" | "ACTIVE", description: string) =>
  Command.make(
    word,
    { id: Argument.String("merchant").pipe(Argument.withDescription("The merchant's id, mer_…")) },
    Effect.fnUntraced(function* ({ id }) {
      yield* withMerchants(Effect.flatMap(Merchants, (merchants) => merchants.setStatus(id, status, byCommand)))
      yield* Console.log(`${id}  ${status}`)
    })
  ).pipe(Command.withDescription(description))

/** `countersign merchant …` */
export const command = Command.make("merchant").pipe(
  Command.withDescription("The merchants of this service"),
  Command.withSubcommands([
    create,
    list,
    change("suspend", "SUSPENDED", "Refuse every request of a merchant, within 5 seconds everywhere"),
    change("resume", "ACTIVE", "Let a suspended merchant call again")
  ])
)
