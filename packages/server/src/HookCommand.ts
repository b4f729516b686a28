import { type Hook, HookKind, Hooks, Instant, Merchants, retiringAt, UnknownHook } from "@countersign/core"
import { Clock, Console, Effect, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { hookRecipes } from "@countersign/core/hookRecipes"
import { byCommand, withHooks } from "./withMerchants.ts"

const merchantId = Argument.String("merchant").pipe(Argument.withDescription("The merchant's id, mer_…"))
const hookId = Argument.String("hook").pipe(Argument.withDescription("The hook's id, hok_…"))
const secret = Flag.String("secret").pipe(
  Flag.withDescription("The secret that the sign-in system made; without it, a new one"),
  Flag.optional
)

/** The environments of a merchant, as owners of hooks. */
const ownersOf = Effect.fnUntraced(function* (merchantId: string) {
  const { environments } = yield* (yield* Merchants).get(merchantId)
  return environments.map(({ id, kind }) => ({ ...byCommand, merchantId, environment: id, kind }))
})

/** A hook, and the environment that it belongs to. */
const find = Effect.fnUntraced(function* (merchantId: string, id: string) {
  const hooks = yield* Hooks
  for (const owner of yield* ownersOf(merchantId)) {
    const hook = (yield* hooks.list(owner)).find((hook) => hook.id === id)
    if (hook !== undefined) return { hook, owner }
  }
  return yield* new UnknownHook()
})

/** What to paste into the sign-in system. The secret is null where it is no longer known. */
const showRecipe = Effect.fnUntraced(function* (hook: Hook, secret: string | null) {
  const url = (yield* Hooks).addressOf(hook)
  yield* Console.log(`\n${hookRecipes[hook.kind]({ url, secret }).trimEnd()}`)
})

const show = Effect.fnUntraced(function* ({ hook, secret }: Hooks.WithSecret) {
  const { addressOf } = yield* Hooks
  yield* Console.log(`Hook     ${hook.id}\nURL      ${addressOf(hook)}\nSecret   ${Redacted.value(secret)}`)
})

const create = Command.make(
  "create",
  {
    merchantId,
    environment: Flag.Literals("environment", ["live", "test"]).pipe(
      Flag.withDescription("The environment that sends the codes"),
      Flag.withDefault("live")
    ),
    kind: Flag.Literals("kind", HookKind).pipe(Flag.withDescription("The sign-in system that calls the hook")),
    name: Flag.String("name").pipe(Flag.withDescription("A name to recognise the hook by")),
    secret
  },
  Effect.fnUntraced(function* ({ environment, kind, merchantId, name, secret }) {
    yield* withHooks(
      Effect.gen(function* () {
        const owner = (yield* ownersOf(merchantId)).find((owner) => owner.kind === environment)!
        const made = yield* (yield* Hooks).create(owner, { kind, name, secret: Option.getOrNull(secret) })
        yield* show(made)
        yield* showRecipe(made.hook, Redacted.value(made.secret))
      })
    )
  })
).pipe(
  Command.withDescription(
    "Create a hook, at which a sign-in system asks to send its codes. Shows what to paste there, and the secret once"
  )
)

const showOne = Command.make(
  "show",
  { merchantId, hookId },
  Effect.fnUntraced(function* ({ hookId, merchantId }) {
    yield* withHooks(
      Effect.gen(function* () {
        const { hook } = yield* find(merchantId, hookId)
        yield* Console.log(`Hook     ${hook.id}\nURL      ${(yield* Hooks).addressOf(hook)}`)
        yield* showRecipe(hook, null)
      })
    )
  })
).pipe(Command.withDescription("Show what to paste into the sign-in system of a hook, without the secret"))

const detailsOf = (hook: Hook, now: Instant.Instant) => {
  const until = retiringAt(hook, now)
  return until === null ? "" : `\n      the previous secret is valid until ${Instant.toIso(until)}`
}

const list = Command.make(
  "list",
  { merchantId },
  Effect.fnUntraced(function* ({ merchantId }) {
    yield* withHooks(
      Effect.gen(function* () {
        const hooks = yield* Hooks
        const now = yield* Clock.currentTimeMillis
        for (const owner of yield* ownersOf(merchantId)) {
          for (const hook of yield* hooks.list(owner)) {
            yield* Console.log(
              `${owner.kind}  ${hook.id}  ${hook.kind}  ${JSON.stringify(hook.name)}\n      ${hooks.addressOf(hook)}${detailsOf(hook, now)}`
            )
          }
        }
      })
    )
  })
).pipe(Command.withDescription("List a merchant's hooks, without their secrets"))

const rotate = Command.make(
  "rotate",
  {
    merchantId,
    hookId,
    secret,
    endOthers: Flag.Boolean("end-others").pipe(
      Flag.withDescription(
        "End all older secrets now, for example after a leak; otherwise they are valid for 24 hours"
      ),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({ endOthers, hookId, merchantId, secret }) {
    yield* withHooks(
      Effect.gen(function* () {
        const { owner } = yield* find(merchantId, hookId)
        const hooks = yield* Hooks
        const rotated = yield* hooks.rotateSecret(owner, hookId, { secret: Option.getOrNull(secret), endOthers })
        yield* show(rotated)
        const until = retiringAt(rotated.hook, yield* Clock.currentTimeMillis)
        yield* Console.log(
          until === null
            ? "All previous secrets are ended"
            : `The previous secret is valid until ${Instant.toIso(until)}`
        )
      })
    )
  })
).pipe(Command.withDescription("Give a hook a new secret, which is shown only once"))

const remove = Command.make(
  "delete",
  { merchantId, hookId },
  Effect.fnUntraced(function* ({ hookId, merchantId }) {
    yield* withHooks(
      Effect.gen(function* () {
        yield* (yield* Hooks).remove((yield* find(merchantId, hookId)).owner, hookId)
        yield* Console.log(`${hookId}  DELETED`)
      })
    )
  })
).pipe(Command.withDescription("Delete a hook. Its address is unknown within 5 seconds in every process"))

/** `countersign hook …` */
export const command = Command.make("hook").pipe(
  Command.withDescription("Manage the hooks of sign-in systems: Supabase, Zitadel, Kratos, Auth0 and others"),
  Command.withSubcommands([create, list, showOne, rotate, remove])
)
