import { Clock, Context, Effect, Layer } from "effect"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import { AuditStore } from "../../account/audit/AuditStore.ts"
import { doneBefore } from "../../account/audit/doneBefore.ts"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { canonicalName, checkName, checkWord } from "./inboxFields.ts"
import { UnknownTeam } from "./LeadError.ts"
import { staffDeed } from "./staffDeeds.ts"
import { StaffStore } from "../../auth/staff/StaffStore.ts"
import { type Team, TeamAssignment } from "../../auth/staff/Team.ts"

const mostPerMerchant = 200

const checkMembers = (members: ReadonlyArray<number>, { agents }: StaffStore.Staff) => {
  const unknown = members.find((member) => !agents.some(({ id }) => id === member))
  if (unknown !== undefined) return Effect.fail(invalidField("members", Problem.of("MEMBER_UNKNOWN", { id: unknown })))
  return new Set(members).size === members.length
    ? Effect.succeed(members)
    : Effect.fail(invalidField("members", Problem.of("MEMBERS_ONCE")))
}

/** The other teams, from which this team takes `takesNew`. */
export const givingWay = (team: Team, { teams }: StaffStore.Staff): ReadonlyArray<Team> =>
  team.takesNew
    ? teams.filter((other) => other.takesNew && other.id !== team.id).map((other) => ({ ...other, takesNew: false }))
    : []

/** The input for a team. In a change, omitted fields stay unchanged. */
export interface TeamFields {
  readonly name?: string | null | undefined
  /** OFF, ROUND_ROBIN or LEAST_OPEN. */
  readonly assignment?: string | null | undefined
  /** Agent ids, in the order of turns. */
  readonly members?: ReadonlyArray<number> | null | undefined
  readonly takesNew?: boolean | null | undefined
}

/**
 * A merchant's teams, shared by all of its environments.
 *
 * @example
 * ```ts
 * import { type Caller, Teams } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const arrange = Effect.fn(function* (caller: Caller, members: ReadonlyArray<number>) {
 *   const teams = yield* Teams
 *   return yield* teams.create(caller, { name: "Sales", assignment: "ROUND_ROBIN", members, takesNew: true })
 * })
 * ```
 */
export class Teams extends Context.Service<
  Teams,
  {
    /** By id, which is by age. Omits removed teams. */
    readonly list: (caller: Caller) => Effect.Effect<ReadonlyArray<Team>, StoreError>
    readonly create: (caller: Caller, fields: TeamFields) => Effect.Effect<Team, InvalidField | Contended | StoreError>
    /** Changes a team. Only one team has `takesNew`: setting it here clears it at the other team. */
    readonly change: (
      caller: Caller,
      id: number,
      fields: TeamFields
    ) => Effect.Effect<Team, InvalidField | UnknownTeam | Contended | StoreError>
    /** Removes a team. Its leads have no team then. */
    readonly remove: (caller: Caller, id: number) => Effect.Effect<void, UnknownTeam | Contended | StoreError>
  }
>()("@countersign/core/lead/Teams") {
  static readonly layerNoDeps: Layer.Layer<Teams, never, AuditStore | StaffStore | Outbox> = Layer.effect(
    Teams,
    Effect.gen(function* () {
      const audit = yield* AuditStore
      const store = yield* StaffStore
      const commit = yield* Outbox.committer(StaffStore)

      const find = Effect.fnUntraced(function* ({ teams }: StaffStore.Staff, id: number) {
        return teams.find((team) => team.id === id) ?? (yield* new UnknownTeam())
      })

      /** Applies the input to a team. */
      const filled = Effect.fnUntraced(function* (team: Team, fields: TeamFields, staff: StaffStore.Staff) {
        const name = fields.name == null && team.name !== "" ? team.name : yield* checkName("name", fields.name)
        const canonical = canonicalName(name)
        if (staff.teams.some((other) => other.canonical === canonical && other.id !== team.id)) {
          return yield* invalidField("name", Problem.of("NAME_TAKEN", { thing: "team" }))
        }
        const next: Team = {
          ...team,
          name,
          canonical,
          assignment: yield* checkWord("assignment", TeamAssignment, fields.assignment, team.assignment),
          members: fields.members == null ? team.members : yield* checkMembers(fields.members, staff),
          takesNew: fields.takesNew ?? team.takesNew
        }
        return next
      })

      const save = Effect.fnUntraced(function* (
        caller: Caller,
        before: Team | null,
        team: Team,
        staff: StaffStore.Staff
      ) {
        const audited = yield* RequestKey.marked(staffDeed(caller, before, team, yield* Clock.currentTimeMillis))
        const stored = yield* commit(StaffStore.change({ teams: [...givingWay(team, staff), team], audited }))
        return stored.teams.find(({ id }) => id === team.id) ?? team
      })

      /** The team that an earlier try of this request created, in its current state. */
      const madeBefore = Effect.fnUntraced(function* ({ merchantId }: Caller) {
        const entry = yield* doneBefore(audit, merchantId)
        if (entry === null) return null
        const { teams } = yield* store.staff(merchantId)
        return teams.find(({ id }) => String(id) === entry.target.id) ?? null
      })

      const create = (caller: Caller, fields: TeamFields) =>
        untilCommitted(
          RequestKey.once(
            madeBefore(caller),
            Effect.gen(function* () {
              const { merchantId } = caller
              const staff = yield* store.staff(merchantId)
              const createdAt = yield* Clock.currentTimeMillis
              const empty: Team = {
                merchantId,
                id: 0,
                version: 0,
                name: "",
                canonical: "",
                assignment: "OFF",
                members: [],
                takesNew: false,
                removedAt: null,
                createdAt
              }
              const team = yield* filled(empty, fields, staff)
              if (staff.teams.length >= mostPerMerchant) {
                return yield* invalidField(
                  "name",
                  Problem.of("FULL", { holder: "merchant", max: mostPerMerchant, things: "teams" })
                )
              }
              return yield* save(caller, null, { ...team, id: yield* store.next(merchantId, "team") }, staff)
            })
          )
        )

      const change = (caller: Caller, id: number, fields: TeamFields) =>
        untilCommitted(
          Effect.gen(function* () {
            const staff = yield* store.staff(caller.merchantId)
            const before = yield* find(staff, id)
            return yield* save(caller, before, yield* filled(before, fields, staff), staff)
          })
        )

      const remove = (caller: Caller, id: number) =>
        untilCommitted(
          Effect.gen(function* () {
            const staff = yield* store.staff(caller.merchantId)
            const team = yield* find(staff, id)
            const removedAt = yield* Clock.currentTimeMillis
            const gone = { ...team, takesNew: false, removedAt }
            yield* commit(StaffStore.change({ teams: [gone], audited: staffDeed(caller, team, gone, removedAt) }))
          })
        )

      return Teams.of({
        list: ({ merchantId }) => Effect.map(store.staff(merchantId), ({ teams }) => teams),
        create,
        change,
        remove
      })
    })
  )
}
