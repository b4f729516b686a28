import { Clock, Context, Effect, Layer } from "effect"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import { AuditStore } from "../../account/audit/AuditStore.ts"
import { doneBefore } from "../../account/audit/doneBefore.ts"
import type { Channels } from "../../foundation/delivery/Channels.ts"
import type { LinkAddress } from "../../foundation/delivery/LinkAddress.ts"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { Caller, SignedIn } from "../../account/merchant/Caller.ts"
import { MerchantStore } from "../../account/merchant/MerchantStore.ts"
import { type JobOutcome, Jobs, type Work } from "../../foundation/outbox/Jobs.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import {
  type Agent,
  AgentRole,
  AgentStatus,
  inEra,
  isActive,
  mayActFor,
  withinOwnRole
} from "../../auth/staff/Agent.ts"
import { AboveOwnRole, UnknownAgent } from "../../auth/staff/StaffError.ts"
import { Sessions } from "../../auth/staff/Sessions.ts"
import { StaffStore } from "../../auth/staff/StaffStore.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { givenBack, remainingOwner, withoutMember } from "./agentRules.ts"
import { checkDigestMinutes, checkDisplayName, checkEmail, checkWord } from "./inboxFields.ts"
import { digestJob, type GiveBack, giveBackJob, giveBackKind } from "./inboxJobs.ts"
import { chosenDigest, type DigestRefusal, digestRefusalOf } from "./digest.ts"
import { makeDigestOffer } from "./digestOffer.ts"
import { byOf } from "./LeadStep.ts"
import { LeadStore } from "./LeadStore.ts"
import { staffDeed } from "./staffDeeds.ts"

const mostPerMerchant = 1_000
/** How many leads one commit releases. */
const leadsPerCommit = 100
const readsPerStatement = 1_000
/** How many open leads of an agent are counted. */
const mostCounted = 1_000
const completed: JobOutcome = { _tag: "Completed" }

/** The input for an agent. In a change, omitted fields stay unchanged. */
export interface AgentFields {
  readonly email?: string | null | undefined
  /** OWNER, ADMIN, AGENT or VIEWER. */
  readonly role?: string | null | undefined
  /** INVITED, ACTIVE or SUSPENDED. */
  readonly status?: string | null | undefined
}

/** What an agent decides alone. Omitted fields stay unchanged. */
export interface OwnFields {
  readonly name?: string | null | undefined
  readonly digestMinutes?: number | null | undefined
}

/** An active agent, with the number of open leads assigned to them in one environment. */
export interface Assignee {
  readonly agent: Agent
  readonly openLeads: number
}

/**
 * A merchant's team members, shared by all of its environments.
 *
 * @example
 * ```ts
 * import { Agents, type Caller } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const hire = Effect.fn(function* (caller: Caller) {
 *   const agents = yield* Agents
 *   return yield* agents.create(caller, { email: "asha@example.com", role: "AGENT", status: "ACTIVE" })
 * })
 * ```
 */
export class Agents extends Context.Service<
  Agents,
  {
    /** By id, which is by age. Omits removed agents. */
    readonly list: (caller: Caller) => Effect.Effect<ReadonlyArray<Agent>, StoreError>
    /**
     * Creates an agent, by default ACTIVE with the role AGENT. Callers cannot create agents with a higher role than
     * their own.
     */
    readonly create: (
      caller: Caller,
      fields: AgentFields
    ) => Effect.Effect<Agent, InvalidField | AboveOwnRole | Contended | StoreError>
    /** Changes an agent. An agent who is no longer ACTIVE loses all leads. An agent cannot become INVITED again. */
    readonly change: (
      caller: Caller,
      id: number,
      fields: AgentFields
    ) => Effect.Effect<Agent, InvalidField | UnknownAgent | AboveOwnRole | Contended | StoreError>
    /**
     * Changes what an agent decides alone: the display name, and after how many minutes mails report waiting customers.
     * Null removes the name, and turns the mails off.
     */
    readonly changeOwn: (
      caller: Caller & { readonly person: SignedIn },
      fields: OwnFields
    ) => Effect.Effect<Agent, InvalidField | UnknownAgent | Contended | StoreError>
    /** Why an agent gets no mails about waiting customers, whatever they choose; null when they can. */
    readonly digestRefusal: (agent: Agent) => DigestRefusal | null
    /** The agents who can be given leads, by age, with their open leads in the caller's environment. */
    readonly assignees: (caller: Caller) => Effect.Effect<ReadonlyArray<Assignee>, StoreError>
    /** Removes an agent: hidden, out of all teams, without leads. The e-mail address becomes free. */
    readonly remove: (
      caller: Caller,
      id: number
    ) => Effect.Effect<void, InvalidField | UnknownAgent | AboveOwnRole | Contended | StoreError>
  }
>()("@countersign/core/lead/Agents") {
  static readonly layerNoDeps: Layer.Layer<
    Agents,
    never,
    AuditStore | Channels | Jobs | LeadStore | LinkAddress | MerchantStore | Outbox | Sessions | StaffStore
  > = Layer.effect(
    Agents,
    Effect.gen(function* () {
      const audit = yield* AuditStore
      const jobs = yield* Jobs
      const merchants = yield* MerchantStore
      const leads = yield* LeadStore
      const commitLeads = yield* Outbox.committer(LeadStore)
      const store = yield* StaffStore
      const commit = yield* Outbox.committer(StaffStore)
      const sessions = yield* Sessions
      const digestOffer = yield* makeDigestOffer

      const environmentsOf = Effect.fnUntraced(function* (merchantId: string) {
        const record = yield* merchants.get(merchantId)
        return record?.environments.map(({ id }) => id) ?? []
      })

      const liveEnvironmentOf = Effect.fnUntraced(function* (merchantId: string) {
        const record = yield* merchants.get(merchantId)
        return record?.environments.find(({ kind }) => kind === "live")?.id
      })

      const checkFree = (canonical: string, id: number, { agents }: StaffStore.Staff) =>
        agents.some((agent) => agent.canonical === canonical && agent.id !== id)
          ? Effect.fail(invalidField("email", Problem.of("AGENT_TAKEN")))
          : Effect.void

      const find = Effect.fnUntraced(function* ({ agents }: StaffStore.Staff, id: number) {
        return agents.find((agent) => agent.id === id) ?? (yield* new UnknownAgent())
      })

      /**
       * Releases an agent's leads, unless the agent is active again. The agent is stored as inactive first, so no
       * commit assigns new leads to them.
       */
      const takeLeadsBack = (agent: GiveBack, by: string | null, mostCommits: number) =>
        untilCommitted(
          Effect.gen(function* () {
            const environments = yield* environmentsOf(agent.merchantId)
            for (let commits = 0; commits < mostCommits; commits++) {
              const { agents } = yield* store.staff(agent.merchantId)
              if (agents.some((candidate) => candidate.id === agent.agentId && isActive(candidate))) return
              const ownedLeads = yield* leads.ownedBy(environments, agent.agentId, leadsPerCommit)
              if (ownedLeads.length === 0) return
              const actor = { by, now: yield* Clock.currentTimeMillis }
              const steps = ownedLeads.flatMap(
                (lead) => givenBack(lead, { id: agent.agentId, email: agent.email }, actor) ?? []
              )
              yield* commitLeads(
                LeadStore.change({
                  leads: steps.map(({ lead }) => lead),
                  entries: steps.flatMap(({ entries }) => entries)
                })
              )
            }
          })
        )

      /** Removes what an agent has read. One who becomes active again starts with the team's counts. */
      const forgetReads = Effect.fnUntraced(function* ({ agentId, merchantId }: GiveBack) {
        const environments = yield* environmentsOf(merchantId)
        while ((yield* leads.forgetReads(environments, agentId, readsPerStatement)) === readsPerStatement);
      })

      const save = Effect.fnUntraced(function* (caller: Caller, before: Agent, edited: Agent, staff: StaffStore.Staff) {
        const after = inEra(before, edited)
        if (before.status !== "INVITED" && after.status === "INVITED") {
          return yield* invalidField("status", Problem.of("INVITED_BEFORE"))
        }
        if (!withinOwnRole(caller, [before.role, after.role])) return yield* new AboveOwnRole()
        const otherOwner = remainingOwner(before, after, staff.agents)
        if (otherOwner === null) {
          return yield* invalidField(after.role === before.role ? "status" : "role", Problem.of("LAST_OWNER"))
        }
        const now = yield* Clock.currentTimeMillis
        const leaves = isActive(before) && !isActive(after)
        const leaver: GiveBack = { merchantId: after.merchantId, agentId: after.id, email: after.email }
        const departure: Partial<StaffStore.Change> = {
          // The job releases the leads beyond the first commit, or all of them if this process dies first.
          jobs: leaves ? [giveBackJob(caller.environment, leaver, now)] : [],
          teams: staff.teams
            .filter(({ members }) => leaves && after.removedAt !== null && members.includes(after.id))
            .map((team) => withoutMember(team, after.id))
        }
        // Save the remaining owner too: when two owners leave at the same time, one of the commits gets a conflict.
        const agents = otherOwner === undefined ? [after] : [after, otherOwner]
        const stored = yield* commit(
          StaffStore.change({ ...departure, agents, audited: staffDeed(caller, before, after, now) })
        )
        if (after.era !== before.era) yield* sessions.forget
        if (leaves) yield* takeLeadsBack(leaver, byOf(caller), 1)
        return stored.agents.find(({ id }) => id === after.id) ?? after
      })

      /** The agent that an earlier try of this request created, in its current state. */
      const madeBefore = Effect.fnUntraced(function* ({ merchantId }: Caller) {
        const entry = yield* doneBefore(audit, merchantId)
        if (entry === null) return null
        const { agents } = yield* store.staff(merchantId)
        return agents.find(({ id }) => String(id) === entry.target.id) ?? null
      })

      const create = Effect.fnUntraced(function* (caller: Caller, fields: AgentFields) {
        if (fields.email == null) return yield* invalidField("email", Problem.of("REQUIRED"))
        const canonical = yield* checkEmail("email", fields.email)
        const role = yield* checkWord("role", AgentRole, fields.role, "AGENT")
        const status = yield* checkWord("status", AgentStatus, fields.status, "ACTIVE")
        if (!withinOwnRole(caller, [role])) return yield* new AboveOwnRole()
        const email = fields.email.trim()
        const { merchantId } = caller
        const add = Effect.gen(function* () {
          const staff = yield* store.staff(merchantId)
          yield* checkFree(canonical, 0, staff)
          if (staff.agents.length >= mostPerMerchant) {
            return yield* invalidField(
              "email",
              Problem.of("FULL", { holder: "merchant", max: mostPerMerchant, things: "agents" })
            )
          }
          const id = yield* store.next(merchantId, "agent")
          const createdAt = yield* Clock.currentTimeMillis
          const agent = {
            merchantId,
            id,
            version: 0,
            email,
            canonical,
            role,
            status,
            era: 0,
            agreedAt: null,
            removedAt: null,
            createdAt
          }
          const audited = yield* RequestKey.marked(staffDeed(caller, null, agent, createdAt))
          const stored = yield* commit(StaffStore.change({ agents: [agent], audited }))
          return stored.agents[0] ?? agent
        })
        return yield* untilCommitted(RequestKey.once(madeBefore(caller), add))
      })

      const change = (caller: Caller, id: number, fields: AgentFields) =>
        untilCommitted(
          Effect.gen(function* () {
            const staff = yield* store.staff(caller.merchantId)
            const before = yield* find(staff, id)
            const canonical = fields.email == null ? before.canonical : yield* checkEmail("email", fields.email)
            yield* checkFree(canonical, id, staff)
            // Sign-in codes go to this address. With a new address, an admin or a stolen key could sign in as a
            // colleague.
            const isColleague = caller.person?.agentId !== id && !mayActFor(caller)
            if (canonical !== before.canonical && before.status !== "INVITED" && isColleague) {
              return yield* new AboveOwnRole()
            }
            const after: Agent = {
              ...before,
              canonical,
              email: fields.email?.trim() ?? before.email,
              role: yield* checkWord("role", AgentRole, fields.role, before.role),
              status: yield* checkWord("status", AgentStatus, fields.status, before.status)
            }
            return yield* save(caller, before, after, staff)
          })
        )

      const digestRefusal = (agent: Agent) => digestRefusalOf(agent, digestOffer !== null)

      const changeOwn = (caller: Caller & { readonly person: SignedIn }, { digestMinutes, name }: OwnFields) =>
        untilCommitted(
          Effect.gen(function* () {
            const staff = yield* store.staff(caller.merchantId)
            const before = yield* find(staff, caller.person.agentId)
            const now = yield* Clock.currentTimeMillis
            const after: Agent = {
              ...before,
              ...(name === undefined ? {} : { name: yield* checkDisplayName("name", name) }),
              ...(digestMinutes === undefined
                ? {}
                : { digest: chosenDigest(before, yield* checkDigestMinutes("digestMinutes", digestMinutes), now) })
            }
            const { digest } = after
            const isNewChoice = digest != null && digest !== before.digest
            const refusal = isNewChoice && digest.minutes !== null ? digestRefusal(before) : null
            if (refusal !== null) return yield* invalidField("digestMinutes", Problem.of(`DIGEST_${refusal}`))
            if (name === undefined && !isNewChoice) return before
            const live =
              isNewChoice && digest.minutes !== null ? yield* liveEnvironmentOf(before.merchantId) : undefined
            const { id: agentId, merchantId } = before
            const jobs =
              live === undefined || !isNewChoice
                ? []
                : [digestJob(live, { merchantId, agentId, chosenAt: digest.chosenAt })]
            const audited = staffDeed(caller, before, after, now)
            const stored = yield* commit(StaffStore.change({ agents: [after], audited, jobs }))
            return stored.agents[0] ?? after
          })
        )

      const assignees = Effect.fnUntraced(function* ({ environment, merchantId }: Caller) {
        const active = (yield* store.staff(merchantId)).agents.filter(isActive)
        const open = yield* leads.openLeads(
          environment,
          active.map(({ id }) => id),
          mostCounted
        )
        return active.map((agent): Assignee => ({ agent, openLeads: open.get(agent.id) ?? 0 }))
      })

      const remove = (caller: Caller, id: number) =>
        untilCommitted(
          Effect.gen(function* () {
            const staff = yield* store.staff(caller.merchantId)
            const before = yield* find(staff, id)
            yield* save(caller, before, { ...before, digest: null, removedAt: yield* Clock.currentTimeMillis }, staff)
          })
        )

      yield* jobs.handle(giveBackKind, ({ payload }: Work<GiveBack>) =>
        Effect.as(
          Effect.andThen(takeLeadsBack(payload, null, Number.POSITIVE_INFINITY), forgetReads(payload)),
          completed
        )
      )

      return Agents.of({
        list: ({ merchantId }) => Effect.map(store.staff(merchantId), ({ agents }) => agents),
        create,
        change,
        changeOwn,
        digestRefusal,
        assignees,
        remove
      })
    })
  )
}
