import {
  type Erasure,
  Erasures,
  type Exported,
  Exports,
  type FoundPerson,
  Instant,
  InvalidField,
  People,
  type Person,
  Unlocks
} from "@countersign/core"
import { Effect, Stream } from "effect"
import { HttpApiSchema } from "effect/http-api"
import type { errors as auth } from "../auth/errors.ts"
import type { Handlers } from "../Handlers.ts"
import { shownDevice } from "../dashboard/shownDevice.ts"
import type { IdentityApi } from "./contract.ts"
import type { errors } from "./errors.ts"

const shown = ({ finishedAt, id, removed, startedAt }: Erasure) => ({
  id,
  status: finishedAt === null ? ("RUNNING" as const) : ("DONE" as const),
  startedAt: Instant.toIso(startedAt),
  finishedAt: Instant.toIsoOrNull(finishedAt),
  removed
})

const shownFound = ({ by, identity, identityType, leadId, name, reference, requestId }: FoundPerson) => ({
  person: reference,
  identity,
  identityType,
  foundBy: by,
  name,
  leadId,
  requestId
})

const shownPerson = ({
  country,
  devices,
  identity,
  identityType,
  lead,
  linksPausedUntil,
  locks,
  optOut,
  reference
}: Person) => ({
  person: reference,
  identity,
  identityType,
  country,
  locks: locks.map(({ lockedUntil, path, wrongCodes }) => ({
    path,
    wrongCodes,
    lockedUntil: Instant.toIsoOrNull(lockedUntil)
  })),
  linksPausedUntil: Instant.toIsoOrNull(linksPausedUntil),
  devices: devices.map(shownDevice),
  lead:
    lead === null
      ? null
      : {
          id: lead.id,
          name: lead.name,
          status: lead.status,
          lastMessageAt: Instant.toIsoOrNull(lead.lastMessageAt),
          waitingSince: Instant.toIsoOrNull(lead.waitingSince)
        },
  optOut: optOut === null ? null : { by: optOut.by, at: Instant.toIso(optOut.at) }
})

const typeOf = (identityType: string | null): Effect.Effect<"MOBILE" | "EMAIL" | null, InvalidField> =>
  identityType === null || identityType === "MOBILE" || identityType === "EMAIL"
    ? Effect.succeed(identityType)
    : Effect.fail(new InvalidField({ field: "identityType", problem: "must be MOBILE or EMAIL" }))

const encoder = new TextEncoder()
const line = (exported: Exported) => encoder.encode(`${JSON.stringify(exported)}\n`)

/** Answers people, unlocks, erasures and exports of `/v1/dashboard`. */
export const make = Effect.gen(function* () {
  const erasures = yield* Erasures
  const exports = yield* Exports
  const people = yield* People
  const unlocks = yield* Unlocks
  const handlers: Handlers<typeof IdentityApi, typeof auth | typeof errors> = {
    unlock: ({ caller, payload: { identity, identityType } }) =>
      Effect.map(unlocks.unlock(caller, identity, identityType ?? undefined), (unlocked) => ({ unlocked })),
    find: ({ caller, query }) =>
      Effect.map(people.find(caller, query.search), (found) => ({ items: found.map(shownFound) })),
    person: ({ caller, params }) => Effect.map(people.get(caller, params.person), shownPerson),
    unlockPerson: ({ caller, params }) =>
      Effect.map(people.unlock(caller, params.person), (unlocked) => ({ unlocked })),
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
