import { Clock, Effect } from "effect"
import { type Lead, type LeadEntry, waitingSince, waitsFrom } from "../engagement/lead/Lead.ts"
import type { LeadRead } from "../engagement/lead/LeadRead.ts"
import type { LeadMessage } from "../engagement/lead/LeadMessage.ts"
import { type LeadStore, mostNoticed, noticedFor } from "../engagement/lead/LeadStore.ts"
import { searchWords } from "../engagement/lead/searchWords.ts"
import { isActive } from "../auth/staff/Agent.ts"
import { Conflict } from "../foundation/storage/Conflict.ts"
import { memoryKey } from "./MemoryKey.ts"
import type { MemoryAgents } from "./MemoryStaffStore.ts"
import type { MemoryOutbox } from "./MemoryOutbox.ts"
import { MemoryRows } from "./MemoryRows.ts"

export const leadKey = (environment: string, id: number) => memoryKey(environment, String(id))

const readKey = ({ agentId, environment, leadId }: Pick<LeadRead, "agentId" | "environment" | "leadId">) =>
  memoryKey(environment, String(leadId), String(agentId))

const byPhone = (environment: string, phone: string) => memoryKey("phone", environment, phone)
const byUser = (environment: string, userId: string) => memoryKey("user", environment, userId)
const byProvider = (environment: string, id: string) => memoryKey("provider", environment, id)

/** By latest message, descending, then by id. Leads without messages come last. */
const isAfter = (lead: Lead, { at, id }: LeadStore.Cursor): boolean => {
  const mine = lead.lastMessageAt ?? Number.NEGATIVE_INFINITY
  const theirs = at ?? Number.NEGATIVE_INFINITY
  return mine < theirs || (mine === theirs && lead.id < id)
}

const byActivity = (a: Lead, b: Lead): number => (isAfter(a, { at: b.lastMessageAt, id: b.id }) ? 1 : -1)

const fits =
  ({ assignedTo, environment, label, phone, status, teamId }: LeadStore.Filter) =>
  (lead: Lead): boolean =>
    lead.environment === environment &&
    (phone === undefined || lead.phone === phone) &&
    (assignedTo === undefined || lead.assignedTo === assignedTo) &&
    (status === undefined || lead.status === status) &&
    (teamId === undefined || lead.teamId === teamId) &&
    (label === undefined || lead.labels.includes(label))

/** The stored form of conversations. */
export const makeLeadRows = () => ({
  leads: new MemoryRows<Lead>(
    ({ environment, id }) => leadKey(environment, id),
    ({ contact, environment, phone, userId }) => [
      memoryKey("contact", environment, contact),
      ...(phone === null ? [] : [byPhone(environment, phone)]),
      ...(userId === null ? [] : [byUser(environment, userId)])
    ]
  ),
  messages: new MemoryRows<LeadMessage>(
    ({ environment, id }) => memoryKey(environment, id),
    ({ environment, providerId }) => (providerId === null ? [] : [byProvider(environment, providerId)])
  ),
  /** Histories by lead. */
  entries: new Map<string, Array<LeadEntry>>(),
  /** How far agents have read leads. */
  reads: new Map<string, LeadRead>(),
  /** Changes of the last minutes, oldest first. */
  noticed: [] as Array<LeadStore.Noticed & { readonly environment: string; readonly at: number }>
})

export type LeadRows = ReturnType<typeof makeLeadRows>

/** Conversations of one memory storage. */
export const makeLeadStore = (
  outbox: MemoryOutbox,
  { agents, counts }: MemoryAgents,
  { entries, leads, messages, noticed, reads }: LeadRows
): LeadStore["Service"] => {
  const conflict = (change: LeadStore.Change): string | undefined => {
    const changed = leads.conflict(change.leads) ?? messages.conflict(change.messages)
    if (changed !== undefined) return changed
    const written = change.entries.find(({ environment, leadId, number }) =>
      entries.get(leadKey(environment, leadId))?.some((entry) => entry.number === number)
    )
    if (written !== undefined) return `entry ${written.number} of ${written.leadId}`
    const away = change.active.find(({ id, merchantId }) => {
      const agent = agents.find(leadKey(merchantId, id))
      return agent === undefined || !isActive(agent)
    })
    return away === undefined ? undefined : `agent ${away.id}`
  }

  const save = (change: LeadStore.Change): LeadStore.Parts => {
    const stored: LeadStore.Parts = {
      leads: leads.save(change.leads),
      messages: messages.save(change.messages)
    }
    for (const entry of structuredClone(change.entries)) {
      const key = leadKey(entry.environment, entry.leadId)
      entries.set(key, [...(entries.get(key) ?? []), entry])
    }
    return stored
  }

  let lastNoticed = 0
  const notice = (environment: string, leadId: number, agentId: number | null, at: number) =>
    noticed.push({ id: String(++lastNoticed), environment, leadId, agentId, at })

  const amending = (environment: string, id: number, providerIds: ReadonlyArray<string>) => {
    const rows = messages.where(
      ({ about, environment: where, leadId }) =>
        where === environment && about !== null && providerIds.includes(about) && (leadId ?? id) === id
    )
    const alike = Map.groupBy(rows, ({ about, kind, leadId }) => JSON.stringify([about, kind, leadId]))
    return [...alike.values()].flatMap((all) =>
      all.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)).slice(0, 10)
    )
  }

  const copies = <A>(read: () => A): Effect.Effect<A> => Effect.sync(() => structuredClone(read()))

  return {
    commit: (change) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const key = conflict(change)
        if (key !== undefined) return Effect.fail(new Conflict({ key }))
        return outbox.write(change, () => {
          for (const { environment, id } of change.leads) notice(environment, id, null, now)
          for (const { environment, leadId } of change.messages)
            if (leadId !== null) notice(environment, leadId, null, now)
          return save(change)
        })
      }),
    next: (scope, count) => Effect.sync(() => counts.next(scope, count)),
    known: (environment, { phone, userId }, providerIds) =>
      copies(() => ({
        lead:
          (phone === null ? undefined : leads.findBy(byPhone(environment, phone))) ??
          (userId === null ? undefined : leads.findBy(byUser(environment, userId))) ??
          null,
        kept: new Set(providerIds.filter((id) => messages.findBy(byProvider(environment, id)) !== undefined))
      })),
    get: (environment, id) => copies(() => leads.find(leadKey(environment, id)) ?? null),
    openLeads: (environment, agentIds, most) =>
      Effect.sync(() => {
        const open = leads.where((lead) => lead.environment === environment && lead.status === "OPEN")
        const many = (id: number) => open.filter((lead) => lead.assignedTo === id).length
        return new Map(agentIds.map((id) => [id, Math.min(most, many(id))]))
      }),
    ownedBy: (environments, agentId, limit) =>
      copies(() =>
        leads.where((lead) => lead.assignedTo === agentId && environments.includes(lead.environment)).slice(0, limit)
      ),
    page: (filter, { limit, offset }) =>
      copies(() =>
        leads
          .where(fits(filter))
          .sort(byActivity)
          .slice(offset, offset + limit)
      ),
    after: (filter, place, limit) =>
      copies(() =>
        leads
          .where(fits(filter))
          .filter((lead) => place === null || isAfter(lead, place))
          .sort(byActivity)
          .slice(0, limit)
      ),
    waiting: (filter, place, limit) =>
      copies(() =>
        leads
          .where(fits(filter))
          .flatMap((lead) => {
            const at = waitsFrom(lead)
            return at === null || at > filter.until ? [] : [{ at, lead }]
          })
          .filter(({ at, lead }) => place === null || at > place.at || (at === place.at && lead.id > place.id))
          .sort((a, b) => a.at - b.at || a.lead.id - b.lead.id)
          .slice(0, limit)
          .map(({ lead }) => lead)
      ),
    countWaiting: (environment, now, most) =>
      Effect.sync(() => {
        const all = leads.where(fits({ environment })).flatMap((lead) => waitingSince(lead, now) ?? [])
        return { count: Math.min(most, all.length), since: all.length === 0 ? null : Math.min(...all) }
      }),
    movedSince: (filter, { at, id }, limit) =>
      copies(() =>
        leads
          .where(fits(filter))
          .filter(({ lastMessageAt, ...lead }) =>
            lastMessageAt === null ? false : lastMessageAt > at || (lastMessageAt === at && lead.id > id)
          )
          .sort((a, b) => byActivity(b, a))
          .slice(0, limit)
      ),
    search: (environment, what, limit) =>
      copies(() =>
        leads
          .where((lead) => {
            if (lead.environment !== environment) return false
            if ("phoneEnd" in what) return lead.phone?.endsWith(what.phoneEnd) === true
            const words = searchWords(lead.name ?? "")
            return what.words.length > 0 && what.words.every((begin) => words.some((word) => word.startsWith(begin)))
          })
          .slice(0, limit)
      ),
    reads: (environment, agentId, leadIds) =>
      copies(() => leadIds.flatMap((leadId) => reads.get(readKey({ environment, leadId, agentId })) ?? [])),
    saveRead: (read) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        if (leads.find(leadKey(read.environment, read.leadId)) === undefined) return
        reads.set(readKey(read), structuredClone(read))
        notice(read.environment, read.leadId, read.agentId, now)
      }),
    changes: (environment, until) =>
      Effect.map(Clock.currentTimeMillis, (now) => [
        ...noticed
          .filter((one) => one.environment === environment && one.at > now - noticedFor)
          .slice(-mostNoticed)
          .map(({ agentId, id, leadId }) => ({ id, leadId, agentId })),
        ...leads
          .where((lead) => lead.environment === environment)
          .flatMap((lead) => {
            const at = waitsFrom(lead)
            return at === null || at <= until - noticedFor || at > until
              ? []
              : [{ id: `${lead.id}:${at}`, leadId: lead.id, agentId: null }]
          })
          .slice(0, mostNoticed)
      ]),
    purgeChanges: Effect.map(Clock.currentTimeMillis, (now) => {
      const kept = noticed.filter(({ at }) => at > now - noticedFor)
      noticed.splice(0, noticed.length, ...kept)
    }),
    forgetReads: (environments, agentId, limit) =>
      Effect.sync(() => {
        const own = [...reads].filter(([, read]) => read.agentId === agentId && environments.includes(read.environment))
        for (const [key] of own.slice(0, limit)) reads.delete(key)
        return Math.min(limit, own.length)
      }),
    message: (environment, id) => copies(() => messages.find(memoryKey(environment, id)) ?? null),
    messages: (lead, after, limit) =>
      copies(() =>
        messages
          .where(
            ({ at, environment, id, kind, leadId }) =>
              environment === lead.environment &&
              leadId === lead.id &&
              kind === "MESSAGE" &&
              (after === null || at < after.at || (at === after.at && id < after.id))
          )
          .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
          .slice(0, limit)
      ),
    latest: (environment, leadIds) =>
      copies(() =>
        leadIds.flatMap((id) => {
          const [last] = messages
            .where((row) => row.environment === environment && row.leadId === id && row.kind === "MESSAGE")
            .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
          if (last === undefined) return []
          return [last, ...(last.providerId === null ? [] : amending(environment, id, [last.providerId]))]
        })
      ),
    amendments: ({ environment, id }, providerIds) => copies(() => amending(environment, id, providerIds)),
    history: ({ environment, id }, before, limit) =>
      copies(() =>
        (entries.get(leadKey(environment, id)) ?? [])
          .filter(({ number }) => before === null || number < before)
          .sort((a, b) => b.number - a.number)
          .slice(0, limit)
      )
  }
}
