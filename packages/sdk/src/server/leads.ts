import type { Call } from "../request/request.ts"
import type { ServerCallOptions, ServerPostOptions } from "./Server.ts"

/** A customer who writes with you on WhatsApp. */
export interface Lead {
  readonly id: number
  /** Their number as digits with country code, or WhatsApp's own id of one who hides it. */
  readonly contact: string
  readonly name: string | null
  readonly status: "OPEN" | "CLOSED"
  /** The e-mail address of the agent who owns it. */
  readonly assignedTo: string | null
  readonly teamName: string | null
  readonly origin: "INBOUND" | "CAMPAIGN" | "LEAD"
  /** The time in India, without an offset: `2026-01-31T15:00:00.000`. */
  readonly lastMessageAt: string | null
  readonly unreadCount: number
}

export interface Agent {
  readonly id: number
  readonly email: string
  readonly role: "OWNER" | "ADMIN" | "AGENT" | "VIEWER"
  /** Leads can be given to ACTIVE ones. */
  readonly status: "INVITED" | "ACTIVE" | "SUSPENDED"
}

export interface Team {
  readonly id: number
  readonly name: string
}

/** Which leads. All that is given must hold. */
export interface LeadsInput {
  /** However it is written; ten digits are tried as Indian. Answers one lead at most. */
  readonly phone?: string | undefined
  /** An agent's e-mail address. */
  readonly assignedTo?: string | undefined
  /** Only leads that nobody owns. */
  readonly unassignedOnly?: boolean | undefined
  /** From 0. */
  readonly page?: number | undefined
  /** 1 to 200; 50 by default. */
  readonly size?: number | undefined
}

/** A lead by its id, or by the customer's number. */
export type LeadReference =
  | { readonly leadId: number; readonly phone?: never }
  | { readonly phone: string; readonly leadId?: never }

export type AssignInput = LeadReference & {
  /** An active agent's address. Without it the lead is nobody's. */
  readonly agentEmail?: string | null | undefined
}

export type MoveToTeamInput = LeadReference & {
  /** In any case. Without it the lead leaves its team. */
  readonly teamName?: string | null | undefined
}

/** The WhatsApp inbox, for your own programs. The key needs the scope `leads`. */
export interface Leads {
  /** The most recently active first. Ask for pages until one holds fewer than `size`. */
  readonly list: (input?: LeadsInput, options?: ServerCallOptions) => Promise<ReadonlyArray<Lead>>
  readonly agents: (options?: ServerCallOptions) => Promise<ReadonlyArray<Agent>>
  readonly teams: (options?: ServerCallOptions) => Promise<ReadonlyArray<Team>>
  /** Gives a lead to an agent, or to nobody. */
  readonly assign: (input: AssignInput, options?: ServerPostOptions) => Promise<Lead>
  /** Moves a lead to a team, or out of its team. Whose it is does not change. */
  readonly moveToTeam: (input: MoveToTeamInput, options?: ServerPostOptions) => Promise<Lead>
}

type Answer = Readonly<Record<string, unknown>>

const isLead = (answer: Answer): answer is Answer & Lead =>
  typeof answer["id"] === "number" && typeof answer["contact"] === "string"

const isList = <A>(answer: Answer): answer is Answer & ReadonlyArray<A> => Array.isArray(answer)

/** How the backend's client asks. */
export interface Ask {
  readonly get: <A>(path: string, accepts: Call<A>["accepts"], options?: ServerCallOptions) => Promise<A>
  readonly post: <A>(path: string, body: object, accepts: Call<A>["accepts"], options?: ServerPostOptions) => Promise<A>
}

const root = "/v1/whatsapp/leads"

/** The path of what is done to one lead, and the body that names it where the path does not. */
const at = ({ leadId, phone }: LeadReference, what: string) =>
  leadId === undefined
    ? { path: `${root}/${what}`, body: { phone } }
    : { path: `${root}/${encodeURIComponent(leadId)}/${what}`, body: {} }

export const makeLeads = ({ get, post }: Ask): Leads => ({
  list: (input = {}, options) => {
    const given = Object.entries(input).filter(([, value]) => value !== undefined)
    const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))
    return get<ReadonlyArray<Lead>>(query.size === 0 ? root : `${root}?${query}`, isList, options)
  },
  agents: (options) => get<ReadonlyArray<Agent>>(`${root}/agents`, isList, options),
  teams: (options) => get<ReadonlyArray<Team>>(`${root}/teams`, isList, options),
  assign: ({ agentEmail, ...lead }, options) => {
    const { body, path } = at(lead, "assign")
    return post(path, { ...body, agentEmail }, isLead, options)
  },
  moveToTeam: ({ teamName, ...lead }, options) => {
    const { body, path } = at(lead, "team")
    return post(path, { ...body, teamName }, isLead, options)
  }
})
