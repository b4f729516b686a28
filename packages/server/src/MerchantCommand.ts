import { forgetPasskeys, Instant, Invitations, type KeySet, Merchants, MerchantUsage } from "@countersign/core"
import { Console, Effect, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as AddressesCommand from "./AddressesCommand.ts"
import { moneyCommands } from "./MoneyCommands.ts"
import { byCommand, withMerchants } from "./withMerchants.ts"

const merchantId = Argument.String("merchant").pipe(Argument.withDescription("The merchant's id, mer_…"))

const show = (title: string, { clientId, clientSecret, publicKey }: KeySet) =>
  Console.log(
    `${title}\n  X-Client-Id      ${clientId}\n  X-Client-Secret  ${Redacted.value(clientSecret)}\n  X-Public-Key     ${publicKey}`
  )

const create = Command.make(
  "create",
  { name: Argument.String("name").pipe(Argument.withDescription("The name that end users see in messages")) },
  Effect.fnUntraced(function* ({ name }) {
    yield* withMerchants(
      Effect.gen(function* () {
        const { live, merchant, test } = yield* (yield* Merchants).create(name, byCommand)
        yield* Console.log(`${merchant.id}  ${merchant.name}`)
        yield* show("live", live)
        yield* show("test", test)
        yield* Console.log(`\nSign in to the dashboard: countersign merchant invite ${merchant.id} you@example.com`)
      })
    )
  })
).pipe(Command.withDescription("Create a merchant. Its secrets are shown only once"))

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
    { id: merchantId },
    Effect.fnUntraced(function* ({ id }) {
      yield* withMerchants(Effect.flatMap(Merchants, (merchants) => merchants.setStatus(id, status, byCommand)))
      yield* Console.log(`${id}  ${status}`)
    })
  ).pipe(Command.withDescription(description))

const rename = Command.make(
  "rename",
  { id: merchantId, name: Argument.String("name").pipe(Argument.withDescription("The new name")) },
  Effect.fnUntraced(function* ({ id, name }) {
    const renamed = yield* withMerchants(
      Effect.flatMap(Merchants, (merchants) => merchants.rename(id, name, byCommand))
    )
    yield* Console.log(`${id}  ${renamed.name}`)
  })
).pipe(Command.withDescription("Rename a merchant. Messages show its brand setting, which stays as it is"))

const showMerchant = Command.make(
  "show",
  { id: merchantId },
  Effect.fnUntraced(function* ({ id }) {
    yield* withMerchants(
      Effect.gen(function* () {
        const { credentials, environments, merchant } = yield* (yield* Merchants).get(id)
        yield* Console.log(`${merchant.id}  ${merchant.status.padEnd(9)}  ${merchant.name}`)
        yield* Console.log(`since ${Instant.toIso(merchant.createdAt)}`)
        for (const { id: environment, kind } of environments) {
          const keys = credentials.filter((key) => key.environment === environment)
          for (const key of keys) yield* Console.log(`${kind}  ${key.kind.padEnd(6)}  ${key.id}`)
        }
      })
    )
  })
).pipe(Command.withDescription("Show a merchant and the ids of its keys"))

/** Standard output has only the link, so that a script can use it. Everything else goes to standard error. */
const link = (word: "invite" | "sign-in-link", kind: "inviteOwner" | "signInLink", description: string) =>
  Command.make(
    word,
    {
      merchantId,
      email: Argument.String("email").pipe(Argument.withDescription("The email address that the link is for"))
    },
    Effect.fnUntraced(function* ({ email, merchantId }) {
      yield* withMerchants(
        Effect.gen(function* () {
          const make = (yield* Invitations)[kind]
          const { expiresAt, url } = yield* make({ merchantId, email, by: byCommand })
          yield* Console.log(Redacted.value(url))
          yield* Console.error(`The link works once, until ${Instant.toIso(expiresAt)}. A new link revokes it`)
        })
      )
    })
  ).pipe(Command.withDescription(description))

const forget = Command.make(
  "forget-passkeys",
  {
    email: Argument.String("email").pipe(Argument.withDescription("The email address of the person who lost a passkey"))
  },
  Effect.fnUntraced(function* ({ email }) {
    const { bindings, passkeys } = yield* withMerchants(forgetPasskeys(email, byCommand))
    yield* Console.log(`Removed ${passkeys} passkeys and ${bindings} identity provider bindings`)
  })
).pipe(
  Command.withDescription("Remove all passkeys and identity provider bindings of an email address, at every merchant")
)

const day = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

const usage = Command.make(
  "usage",
  {
    id: merchantId,
    from: day("from", "The start, such as 2026-01-31T00:00:00Z; 30 days ago by default"),
    to: day("to", "The end (exclusive); now by default")
  },
  Effect.fnUntraced(function* ({ from, id, to }) {
    const query = { from: Option.getOrUndefined(from), to: Option.getOrUndefined(to) }
    const days = yield* withMerchants(Effect.flatMap(MerchantUsage, (usage) => usage.of(id, query)))
    for (const { at, environment, sent, started, verified } of days) {
      const messages = Object.entries(sent).map(([channel, count]) => `${channel} ${count}`)
      const counts = [`started ${started}`, `verified ${verified}`, ...messages].join("  ")
      yield* Console.log(`${environment}  ${Instant.toIso(at).slice(0, 10)}  ${counts}`)
    }
    if (days.length === 0) yield* Console.log("No usage in this period")
  })
).pipe(Command.withDescription("Show a merchant's usage by environment and day (UTC)"))

/** `countersign merchant …` */
export const command = Command.make("merchant").pipe(
  Command.withDescription("Manage the merchants of this service"),
  Command.withSubcommands([
    create,
    list,
    showMerchant,
    rename,
    usage,
    AddressesCommand.command,
    ...moneyCommands,
    link("invite", "inviteOwner", "Add an owner to a merchant and print their sign-in link"),
    link("sign-in-link", "signInLink", "Print a link that signs in a team member, once"),
    change("suspend", "SUSPENDED", "Refuse every request of a merchant, within 5 seconds in every process"),
    change("resume", "ACTIVE", "Allow a suspended merchant's requests again"),
    forget
  ])
)
