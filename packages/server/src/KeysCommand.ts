import {
  Instant,
  InvalidField,
  type Key,
  Keys,
  type KeyWithSecret,
  Merchant,
  Merchants,
  UnknownKey
} from "@countersign/core"
import { Console, Effect, Redacted, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as MasterSecret from "./MasterSecret.ts"
import { byCommand, withMerchants } from "./withMerchants.ts"

const secret = Command.make(
  "secret",
  {},
  Effect.fnUntraced(function* () {
    yield* Console.log(yield* MasterSecret.generate)
  })
).pipe(Command.withDescription("Generate a value for COUNTERSIGN_SECRET"))

const merchantId = Argument.String("merchant").pipe(Argument.withDescription("The merchant's id, mer_…"))
const keyId = Argument.String("key").pipe(Argument.withDescription("The client id or the public key"))

/** The environments of a merchant, as owners of keys. */
const ownersOf = Effect.fnUntraced(function* (merchantId: string) {
  const { environments } = yield* (yield* Merchants).get(merchantId)
  return environments.map(({ id, kind }) => ({ ...byCommand, merchantId, environment: id, kind }))
})

/** The environment that a key belongs to. */
const ownerOf = Effect.fnUntraced(function* (merchantId: string, id: string) {
  const keys = yield* Keys
  for (const owner of yield* ownersOf(merchantId)) {
    if ((yield* keys.list(owner)).some((key) => key.id === id)) return owner
  }
  return yield* new UnknownKey({ id })
})

const detailsOf = ({ lastUsedAt, name, retiringAt, scopes }: Key) =>
  [
    ...(name === null ? [] : [JSON.stringify(name)]),
    ...(scopes.length === 0 ? [] : [scopes.join(", ")]),
    lastUsedAt === null ? "never used" : `last used ${Instant.toIso(lastUsedAt).slice(0, 13)}h UTC`,
    ...(retiringAt === null ? [] : [`the previous secret works until ${Instant.toIso(retiringAt)}`])
  ].join("; ")

const list = Command.make(
  "list",
  { merchantId },
  Effect.fnUntraced(function* ({ merchantId }) {
    yield* withMerchants(
      Effect.gen(function* () {
        const keys = yield* Keys
        for (const owner of yield* ownersOf(merchantId)) {
          for (const key of yield* keys.list(owner)) {
            yield* Console.log(`${owner.kind}  ${key.type.padEnd(6)}  ${key.id}\n              ${detailsOf(key)}`)
          }
        }
      })
    )
  })
).pipe(Command.withDescription("List a merchant's keys, without their secrets"))

const show = ({ clientSecret, key }: KeyWithSecret) =>
  clientSecret === null
    ? Console.log(`X-Public-Key     ${key.id}`)
    : Console.log(`X-Client-Id      ${key.id}\nX-Client-Secret  ${Redacted.value(clientSecret)}`)

const isScope = (text: string): text is Merchant.KeyScope => Merchant.keyScopes.some((scope) => scope === text)

const parseScopes = (text: string) => {
  const scopes = text.split(",").map((one) => one.trim())
  return scopes.every(isScope)
    ? Result.succeed(scopes)
    : Result.fail(
        new InvalidField({
          field: "--scopes",
          problem: `must be a comma-separated list of ${Merchant.keyScopes.join(", ")}`
        })
      )
}

const create = Command.make(
  "create",
  {
    merchantId,
    environment: Flag.Literals("environment", ["live", "test"]).pipe(
      Flag.withDescription("The environment that the key gives access to")
    ),
    type: Flag.Literals("type", ["both", "server", "public"]).pipe(
      Flag.withDescription("A server key, a public key, or one of each"),
      Flag.withDefault("both")
    ),
    scopes: Flag.String("scopes").pipe(
      Flag.withDescription(
        "What the server key may call: a comma-separated list of auth, leads and dashboard; all by default"
      ),
      Flag.withDefault(Merchant.keyScopes.join(","))
    ),
    name: Flag.String("name").pipe(Flag.withDescription("A name to recognise the key by"), Flag.withDefault(""))
  },
  Effect.fnUntraced(function* ({ environment, merchantId, name, scopes, type }) {
    yield* withMerchants(
      Effect.gen(function* () {
        const keys = yield* Keys
        const wanted = yield* Effect.fromResult(parseScopes(scopes))
        const owner = (yield* ownersOf(merchantId)).find(({ kind }) => kind === environment)!
        if (type !== "public") yield* show(yield* keys.create(owner, { type: "SERVER", scopes: wanted, name }))
        if (type !== "server") yield* show(yield* keys.create(owner, { type: "PUBLIC", name }))
      })
    )
  })
).pipe(Command.withDescription("Create keys. A secret is shown only once"))

const roll = Command.make(
  "roll",
  {
    merchantId,
    keyId,
    overlap: Flag.Int("overlap").pipe(
      Flag.withDescription("How many hours the previous secret stays valid, 0 to 168"),
      Flag.withDefault(24)
    )
  },
  Effect.fnUntraced(function* ({ keyId, merchantId, overlap }) {
    yield* withMerchants(
      Effect.gen(function* () {
        const owner = yield* ownerOf(merchantId, keyId)
        const rolled = yield* (yield* Keys).roll(owner, keyId, { overlapHours: overlap })
        const { retiringAt } = rolled.key
        yield* show(rolled)
        yield* Console.log(
          retiringAt === null
            ? "All previous secrets are revoked"
            : `The previous secret works until ${Instant.toIso(retiringAt)}`
        )
      })
    )
  })
).pipe(Command.withDescription("Give a server key a new secret, which is shown only once"))

const revoke = Command.make(
  "revoke",
  { merchantId, keyId },
  Effect.fnUntraced(function* ({ keyId, merchantId }) {
    yield* withMerchants(
      Effect.gen(function* () {
        const owner = yield* ownerOf(merchantId, keyId)
        // The operator can always create another key.
        yield* (yield* Keys).revoke(owner, keyId, { evenTheLast: true })
        yield* Console.log(`${keyId}  REVOKED`)
      })
    )
  })
).pipe(Command.withDescription("Revoke a key permanently. It takes effect within 5 seconds in every process"))

/** `countersign keys …` */
export const command = Command.make("keys").pipe(
  Command.withDescription("Generate the master secret, and manage merchants' keys"),
  Command.withSubcommands([secret, list, create, roll, revoke])
)
