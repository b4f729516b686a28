import { type Caller, type Holder, Instant, InvalidCredentials, type Passkey, Passkeys } from "@countersign/core"
import { Effect } from "effect"
import type * as auth from "../auth/errors.ts"
import type { Handlers } from "../Handlers.ts"
import { browserOf, withCookie } from "../sessions/granted.ts"
import type { PasskeyApi } from "./contract.ts"
import type { errors } from "./errors.ts"

const shown = ({ createdAt, id, lastUsedAt, name }: Passkey) => ({
  id,
  name,
  createdAt: Instant.toIso(createdAt),
  lastUsedAt: Instant.toIsoOrNull(lastUsedAt)
})

/** The endpoint's credential guarantees a signed-in agent. */
const holderOf = (caller: Caller): Effect.Effect<Holder, InvalidCredentials> =>
  caller.person === null ? Effect.fail(new InvalidCredentials()) : Effect.succeed({ ...caller, person: caller.person })

/** Answers `/v1/dashboard/passkeys` and `/v1/dashboard/sessions/passkey`. */
export const make = Effect.gen(function* () {
  const passkeys = yield* Passkeys
  const handlers: Handlers<typeof PasskeyApi, typeof errors | typeof auth.errors> = {
    list: ({ caller }) =>
      Effect.map(Effect.flatMap(holderOf(caller), passkeys.list), (found) => ({
        items: found.map(shown),
        nextCursor: null
      })),
    creation: ({ caller }) => Effect.flatMap(holderOf(caller), passkeys.creation),
    add: ({ caller, payload }) =>
      Effect.map(
        Effect.flatMap(holderOf(caller), (holder) => passkeys.add(holder, payload)),
        shown
      ),
    remove: ({ caller, params }) => Effect.flatMap(holderOf(caller), (holder) => passkeys.remove(holder, params.id)),
    request: () => passkeys.request,
    signIn: (input) =>
      Effect.map(passkeys.signIn(input.payload.response, browserOf(input)), withCookie(input.dashboardOrigin))
  }
  return handlers
})
