import { type Erasure, Erasures, type Exported, Exports, Instant, InvalidField, Unlocks } from "@countersign/core"
import { Effect, Stream } from "effect"
import { HttpApiSchema } from "effect/http-api"
import type { Handlers } from "../Handlers.ts"
import type { IdentityApi } from "./contract.ts"
import type { errors } from "./errors.ts"

const shown = ({ finishedAt, id, removed, startedAt }: Erasure) => ({
  id,
  status: finishedAt === null ? ("RUNNING" as const) : ("DONE" as const),
  startedAt: Instant.toIso(startedAt),
  finishedAt: Instant.toIsoOrNull(finishedAt),
  removed
})

const typeOf = (identityType: string | null): Effect.Effect<"MOBILE" | "EMAIL" | null, InvalidField> =>
  identityType === null || identityType === "MOBILE" || identityType === "EMAIL"
    ? Effect.succeed(identityType)
    : Effect.fail(new InvalidField({ field: "identityType", problem: "must be MOBILE or EMAIL" }))

const encoder = new TextEncoder()
const line = (exported: Exported) => encoder.encode(`${JSON.stringify(exported)}\n`)

/** Answers unlocks, erasures and exports of `/v1/dashboard`. */
export const make = Effect.gen(function* () {
  const erasures = yield* Erasures
  const exports = yield* Exports
  const unlocks = yield* Unlocks
  const handlers: Handlers<typeof IdentityApi, typeof errors> = {
    unlock: ({ caller, payload: { identity, identityType } }) =>
      Effect.map(unlocks.unlock(caller, identity, identityType ?? undefined), (unlocked) => ({ unlocked })),
    erase: Effect.fnUntraced(function* ({ caller, payload: { identity, identityType = null } }) {
      const { id } = yield* erasures.begin(caller, { identity, identityType: yield* typeOf(identityType) })
      return { erasureId: id }
    }),
    erasure: ({ caller, params }) => Effect.map(erasures.get(caller, params.id), shown),
    export: Effect.fnUntraced(function* ({ caller, query }) {
      const lines = yield* exports.of(caller, query.identity)
      return HttpApiSchema.withHeaders({
        body: Stream.map(lines, line) as Stream.Stream<Uint8Array, unknown>,
        headers: {
          "content-type": "application/x-ndjson",
          "content-disposition": 'attachment; filename="export.ndjson"',
          "x-content-type-options": "nosniff" as const
        }
      })
    })
  }
  return handlers
})
