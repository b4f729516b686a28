import { type Hook, HookReceiver, Hooks, Instant, retiringAt } from "@countersign/core"
import { Clock, Effect, Redacted } from "effect"
import type { HookApi } from "./contract.ts"
import type { errors } from "./errors.ts"
import type { Handlers } from "../Handlers.ts"
import { page } from "../page.ts"

const pageSize = 50

const shownRequest = ({
  at,
  deliveries,
  errorCode,
  id,
  outcome,
  problem,
  purpose,
  recipients
}: HookReceiver.Request) => ({
  id,
  createdAt: Instant.toIso(at),
  outcome,
  recipients,
  purpose,
  deliveries,
  errorCode,
  problem
})

/** Answers `/v1/dashboard/hooks`. */
export const make = Effect.gen(function* () {
  const hooks = yield* Hooks
  const receiver = yield* HookReceiver

  const shown = (hook: Hook) =>
    Effect.map(Clock.currentTimeMillis, (now) => ({
      id: hook.id,
      kind: hook.kind,
      name: hook.name,
      url: hooks.addressOf(hook),
      retiringAt: Instant.toIsoOrNull(retiringAt(hook, now)),
      createdAt: Instant.toIso(hook.createdAt)
    }))

  const shownOnce = ({ hook, secret }: Hooks.WithSecret) =>
    Effect.map(shown(hook), (shown) => ({ ...shown, secret: Redacted.value(secret) }))

  const handlers: Handlers<typeof HookApi, typeof errors> = {
    list: Effect.fnUntraced(function* ({ caller }) {
      return { items: yield* Effect.forEach(yield* hooks.list(caller), shown), nextCursor: null }
    }),
    create: ({ caller, payload }) => Effect.flatMap(hooks.create(caller, payload), shownOnce),
    delete: ({ caller, params }) => hooks.remove(caller, params.id),
    rotateSecret: ({ caller, params, payload: { endOthers, secret } }) =>
      Effect.flatMap(hooks.rotateSecret(caller, params.id, { secret, endOthers: endOthers ?? false }), shownOnce),
    requests: ({ caller, params, query }) => {
      const limit = query.limit ?? pageSize
      return Effect.map(
        receiver.requests(caller, params.id, { after: query.cursor ?? null, limit: limit + 1 }),
        (found) => page(found, limit, shownRequest)
      )
    }
  }
  return handlers
})
