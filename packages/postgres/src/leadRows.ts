import type { Agent, Lead, LeadEntry, LeadMessage, Team } from "@countersign/core/storage"
import type { Row } from "./PgDatabase.ts"

/*
 * Columns are what is looked for or guarded; the rest of a state is one text of JSON, which also keeps whatever
 * customers and providers write: what Postgres cannot keep in a text has an escape there.
 */

/** Ids count from 1, so 0 is nobody, and no team. */
export const none = 0

/** Whether a number can be one of our ids at all. */
export const isId = (id: number): boolean => Number.isInteger(id) && id > none && id <= 2_147_483_647

/** Four millennia to either side: Postgres keeps those, and who writes at another time than that has no clock. */
export const isInstant = (at: number): boolean => Number.isInteger(at) && Math.abs(at) < 2e14

const idOrNull = (id: unknown) => (id === none ? null : (id as number))
const millis = (at: unknown) => (at === null ? null : (at as Date).getTime())
const parse = <A>(state: unknown) => JSON.parse(state as string) as A

export const leadColumns = (l: string) =>
  `${l}.environment, ${l}.id, ${l}.version, ${l}.contact, ${l}.phone, ${l}.user_id, ${l}.owner, ${l}.team, ${l}.open, nullif(${l}.active_at, '-infinity'), ${l}.state`

type LeadState = Omit<
  Lead,
  | "environment"
  | "id"
  | "version"
  | "contact"
  | "phone"
  | "userId"
  | "assignedTo"
  | "teamId"
  | "status"
  | "lastMessageAt"
>

export const encodeLead = ({
  assignedTo: _owner,
  contact: _contact,
  environment: _environment,
  id: _id,
  lastMessageAt: _active,
  phone: _phone,
  status: _status,
  teamId: _team,
  userId: _user,
  version: _version,
  ...state
}: Lead): string => JSON.stringify(state satisfies LeadState)

export const leadOf = (row: Row, from = 0): Lead => ({
  environment: row[from] as string,
  id: row[from + 1] as number,
  version: row[from + 2] as number,
  contact: row[from + 3] as string,
  phone: row[from + 4] as string | null,
  userId: row[from + 5] as string | null,
  assignedTo: idOrNull(row[from + 6]),
  teamId: idOrNull(row[from + 7]),
  status: row[from + 8] === true ? "OPEN" : "CLOSED",
  lastMessageAt: millis(row[from + 9]),
  ...parse<LeadState>(row[from + 10])
})

export const messageColumns = (m: string) =>
  ["environment", "id", "version", "lead_id", "kind", "at", "provider_id", "about", "state"]
    .map((name) => `${m}.${name}`)
    .join(", ")

/** `error` is the `providerCode`; `handedOver` says that it was handed over, for versions that know no `handedAt`. */
type MessageState = Omit<
  LeadMessage,
  "environment" | "id" | "version" | "leadId" | "kind" | "at" | "providerId" | "about" | "handedAt" | "providerCode"
> & { readonly handedOver: boolean; readonly handedAt?: number; readonly error: string | null }

export const encodeMessage = ({
  about: _about,
  at: _at,
  environment: _environment,
  handedAt,
  id: _id,
  kind: _kind,
  leadId: _leadId,
  providerCode: error,
  providerId: _providerId,
  version: _version,
  ...state
}: LeadMessage): string => {
  const handed = handedAt === null ? { handedOver: false } : { handedOver: true, handedAt }
  return JSON.stringify({ ...state, ...handed, error } satisfies MessageState)
}

export const messageOf = (row: Row): LeadMessage => {
  const { error, handedAt, handedOver, ...state } = parse<MessageState>(row[8])
  const at = (row[5] as Date).getTime()
  return {
    environment: row[0] as string,
    id: row[1] as string,
    version: row[2] as number,
    leadId: row[3] as number | null,
    kind: row[4] as LeadMessage["kind"],
    at,
    providerId: row[6] as string | null,
    about: row[7] as string | null,
    ...state,
    handedAt: handedOver ? (handedAt ?? at) : null,
    providerCode: error
  }
}

type EntryState = Omit<LeadEntry, "environment" | "leadId" | "number">

export const encodeEntry = ({ at, by, from, kind, to }: LeadEntry): string =>
  JSON.stringify({ at, by, from, kind, to } satisfies EntryState)

export const entryOf = ([environment, leadId, number, state]: Row): LeadEntry => ({
  environment: environment as string,
  leadId: leadId as number,
  number: number as number,
  ...parse<EntryState>(state)
})

/** What agents lack that were saved before it was kept. */
const inFirstEra = { era: 0, agreedAt: null }

type AgentState = Omit<Agent, "merchantId" | "id" | "version" | "canonical">

export const encodeAgent = ({ agreedAt, createdAt, email, era, removedAt, role, status }: Agent): string =>
  JSON.stringify({ agreedAt, createdAt, email, era, removedAt, role, status } satisfies AgentState)

export const agentOf = (merchantId: string, id: number, version: number, canonical: string, state: string): Agent => ({
  merchantId,
  id,
  version,
  canonical,
  ...inFirstEra,
  ...parse<AgentState>(state)
})

type TeamState = Omit<Team, "merchantId" | "id" | "version" | "canonical" | "takesNew">

export const encodeTeam = ({ assignment, createdAt, members, name, removedAt }: Team): string =>
  JSON.stringify({ assignment, createdAt, members, name, removedAt } satisfies TeamState)

export const teamOf = (
  merchantId: string,
  id: number,
  version: number,
  canonical: string,
  takesNew: boolean,
  state: string
): Team => ({ merchantId, id, version, canonical, takesNew, ...parse<TeamState>(state) })
