import { Effect } from "effect"
import type { MerchantStore } from "../account/merchant/MerchantStore.ts"
import { type Agent } from "../auth/staff/Agent.ts"
import type { StaffStore } from "../auth/staff/StaffStore.ts"
import type { Session } from "../auth/staff/Session.ts"
import type { SignInLink } from "../auth/staff/SignInLink.ts"
import type { Team } from "../auth/staff/Team.ts"
import { Conflict } from "../foundation/storage/Conflict.ts"
import type { StoreError } from "../foundation/storage/StoreError.ts"
import { memoryKey } from "./MemoryKey.ts"
import type { MemoryOutbox } from "./MemoryOutbox.ts"
import { MemoryRows } from "./MemoryRows.ts"

/** The agents of a memory storage who can own leads, and the counters that number agents and leads. */
export interface MemoryAgents {
  readonly agents: MemoryRows<Agent>
  readonly counts: { readonly next: (scope: string, count: string) => number }
}

export const makeMemoryAgents = (): MemoryAgents => {
  const values = new Map<string, number>()
  const next = (scope: string, count: string) => {
    const key = memoryKey(scope, count)
    const value = (values.get(key) ?? 0) + 1
    values.set(key, value)
    return value
  }
  const agents = new MemoryRows<Agent>(
    ({ id, merchantId }) => agentKey(merchantId, id),
    ({ canonical, merchantId, removedAt }) => (removedAt === null ? [memoryKey(merchantId, canonical)] : [])
  )
  return { agents, counts: { next } }
}

const agentKey = (merchantId: string, id: number) => memoryKey(merchantId, String(id))
const isOf = (merchantId: string, agentId: number) => (session: Session) =>
  session.merchantId === merchantId && session.agentId === agentId

/** The people who work for merchants, in one memory storage. */
export const makeStaffStore = (
  outbox: MemoryOutbox,
  { agents, counts }: MemoryAgents,
  merchants: MerchantStore["Service"]
): StaffStore["Service"] => {
  const sessions = new MemoryRows<Session>(
    ({ id, merchantId }) => memoryKey(merchantId, id),
    ({ hash }) => [hash]
  )
  const teams = new MemoryRows<Team>(
    ({ id, merchantId }) => agentKey(merchantId, id),
    ({ canonical, merchantId, removedAt, takesNew }) =>
      removedAt === null
        ? [memoryKey("name", merchantId, canonical), ...(takesNew ? [memoryKey("new", merchantId)] : [])]
        : []
  )
  const links = new MemoryRows<SignInLink>(
    ({ id, merchantId }) => agentKey(merchantId, id),
    ({ hash }) => [hash]
  )

  const membershipOf = (agent: Agent): Effect.Effect<StaffStore.Membership | null, StoreError> =>
    Effect.map(merchants.get(agent.merchantId), (record) => {
      const of = (kind: "live" | "test") => record?.environments.find((environment) => environment.kind === kind)?.id
      const [live, test] = [of("live"), of("test")]
      return record === null || live === undefined || test === undefined
        ? null
        : structuredClone({ agent, merchant: record.merchant, environments: { live, test } })
    })

  const membershipAt = (merchantId: string, id: number) => {
    const agent = agents.find(agentKey(merchantId, id))
    return agent === undefined ? Effect.succeed(null) : membershipOf(agent)
  }

  const save = (change: StaffStore.Change): StaffStore.Staff => {
    const stored = { agents: agents.save(change.agents), teams: teams.save(change.teams) }
    links.save(change.links)
    sessions.save(
      change.sessions.map((session) => {
        const known = session.version === 0 ? undefined : sessions.find(memoryKey(session.merchantId, session.id))
        return known === undefined ? session : { ...known, endedAt: session.endedAt }
      })
    )
    return stored
  }

  return {
    staff: (merchantId) =>
      Effect.sync(() => {
        const here = (member: Agent | Team) => member.merchantId === merchantId && member.removedAt === null
        return structuredClone({
          agents: agents.where(here).sort((a, b) => a.id - b.id),
          teams: teams.where(here).sort((a, b) => a.id - b.id)
        })
      }),
    session: (hash) =>
      Effect.suspend(() => {
        const session = sessions.findBy(hash)
        return session === undefined
          ? Effect.succeed(null)
          : Effect.map(membershipAt(session.merchantId, session.agentId), (membership) =>
              membership === null ? null : { ...membership, session: structuredClone(session) }
            )
      }),
    sessions: (merchantId, agentId) =>
      Effect.sync(() =>
        structuredClone(
          sessions
            .where(isOf(merchantId, agentId))
            .filter(({ endedAt }) => endedAt === null)
            .sort((a, b) => (a.id < b.id ? -1 : 1))
        )
      ),
    link: (hash) =>
      Effect.suspend(() => {
        const link = links.findBy(hash)
        return link === undefined
          ? Effect.succeed(null)
          : Effect.map(membershipAt(link.merchantId, link.id), (membership) =>
              membership === null ? null : { ...membership, link: structuredClone(link) }
            )
      }),
    linkOf: (merchantId, agentId) =>
      Effect.sync(() => structuredClone(links.find(agentKey(merchantId, agentId)) ?? null)),
    memberships: (canonical) =>
      Effect.suspend(() => {
        const known = agents
          .where((agent) => agent.canonical === canonical && agent.removedAt === null)
          .sort((a, b) => (a.merchantId < b.merchantId ? -1 : 1))
        return Effect.map(Effect.forEach(known, membershipOf), (memberships) =>
          memberships.flatMap((membership) => {
            if (membership === null) return []
            const uses = sessions
              .where(isOf(membership.agent.merchantId, membership.agent.id))
              .filter(({ emailProven, era }) => emailProven && era === membership.agent.era)
              .map(({ lastUsedAt }) => lastUsedAt)
            return [{ ...membership, lastUsedAt: uses.length === 0 ? null : Math.max(...uses) }]
          })
        )
      }),
    membership: (merchantId, agentId) =>
      Effect.suspend(() =>
        Effect.map(membershipAt(merchantId, agentId), (membership) =>
          membership?.agent.removedAt === null ? membership : null
        )
      ),
    next: (merchantId, count) => Effect.sync(() => counts.next(merchantId, count)),
    commit: (change) =>
      Effect.suspend(() => {
        const key =
          agents.conflict(change.agents) ??
          teams.conflict(change.teams) ??
          links.conflict(change.links) ??
          sessions.conflict(change.sessions)
        return key === undefined ? outbox.write(change, () => save(change)) : Effect.fail(new Conflict({ key }))
      }),
    used: ({ id, merchantId }, at) =>
      Effect.sync(() => {
        const session = sessions.find(memoryKey(merchantId, id))
        if (session !== undefined) sessions.save([{ ...session, lastUsedAt: Math.max(session.lastUsedAt, at) }])
      })
  }
}
