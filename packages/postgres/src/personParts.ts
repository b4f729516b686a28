import type { PersonChange, Session, SignInLink } from "@countersign/core/storage"
import { agentPart } from "./agentPart.ts"
import { type GuardedPart, guardedStatements, isOk, rowsOf } from "./guardedStatements.ts"
import { instants, ints, texts } from "./parameters.ts"
import { held, written } from "./versionedRows.ts"

type SessionState = Pick<Session, "era" | "method" | "emailProven" | "reach" | "address" | "userAgent">
type LinkState = Pick<SignInLink, "era" | "createdAt" | "usedAt">

/** What a session lacks that was saved before it was kept. */
const withoutReach = { reach: null }

export const sessionColumns = (s: string) =>
  ["merchant_id", "id", "version", "agent_id", "hash", "signed_in_at", "last_used_at", "ended_at", "state"]
    .map((name) => `${s}.${name}`)
    .join(", ")

const encodeSession = ({ address, emailProven, era, method, reach, userAgent }: Session): string =>
  JSON.stringify({ address, emailProven, era, method, reach, userAgent } satisfies SessionState)

export const sessionOf = (row: ReadonlyArray<unknown>, from = 0): Session => ({
  merchantId: row[from] as string,
  id: row[from + 1] as string,
  version: row[from + 2] as number,
  agentId: row[from + 3] as number,
  hash: row[from + 4] as string,
  signedInAt: (row[from + 5] as Date).getTime(),
  lastUsedAt: (row[from + 6] as Date).getTime(),
  endedAt: (row[from + 7] as Date | null)?.getTime() ?? null,
  ...withoutReach,
  ...(JSON.parse(row[from + 8] as string) as SessionState)
})

export const linkColumns = (l: string) =>
  ["merchant_id", "id", "version", "hash", "expires_at", "state"].map((name) => `${l}.${name}`).join(", ")

const encodeLink = ({ createdAt, era, usedAt }: SignInLink): string =>
  JSON.stringify({ createdAt, era, usedAt } satisfies LinkState)

export const linkOf = (row: ReadonlyArray<unknown>, from = 0): SignInLink => ({
  merchantId: row[from] as string,
  id: row[from + 1] as number,
  version: row[from + 2] as number,
  hash: row[from + 3] as string,
  expiresAt: (row[from + 4] as Date).getTime(),
  ...(JSON.parse(row[from + 5] as string) as LinkState)
})

const links: GuardedPart<PersonChange> = {
  isIn: ({ links }) => links.length > 0,
  count: 7,
  parameters: (batch) => {
    const rows = rowsOf(batch, ({ links }) => links)
    return [
      ints(rows.map(({ n }) => n)),
      texts(rows.map(({ row }) => row.merchantId)),
      ints(rows.map(({ row }) => row.id)),
      ints(rows.map(({ row }) => row.version)),
      texts(rows.map(({ row }) => row.hash)),
      instants(rows.map(({ row }) => row.expiresAt)),
      texts(rows.map(({ row }) => encodeLink(row)))
    ]
  },
  looks: ($) => [
    `sign_in_link_given as materialized (
  select * from unnest(${$(1)}::int[], ${$(2)}::text[], ${$(3)}::int[], ${$(4)}::int[], ${$(5)}::text[], ${$(6)}::timestamptz[],
    ${$(7)}::text[]) as l(n, merchant_id, id, version, hash, expires_at, state)
)`,
    held("sign_in_link", "merchant_id")
  ],
  found: ["sign_in_link_held"],
  taken: [],
  writes: written("sign_in_link", "merchant_id", ["hash", "expires_at", "state"])
}

const sessions: GuardedPart<PersonChange> = {
  isIn: ({ sessions }) => sessions.length > 0,
  count: 11,
  parameters: (batch) => {
    const rows = rowsOf(batch, ({ sessions }) => sessions)
    return [
      ints(rows.map(({ n }) => n)),
      texts(rows.map(({ row }) => row.merchantId)),
      texts(rows.map(({ row }) => row.id)),
      ints(rows.map(({ row }) => row.version)),
      ints(rows.map(({ row }) => row.agentId)),
      texts(rows.map(({ row }) => row.hash)),
      instants(rows.map(({ row }) => row.signedInAt)),
      instants(rows.map(({ row }) => row.lastUsedAt)),
      instants(rows.map(({ row }) => row.endedAt)),
      texts(rows.map(({ row }) => encodeSession(row))),
      ints(rows.map(({ row }) => (row.emailProven ? row.era : null)))
    ]
  },
  looks: ($) => [
    `session_given as materialized (
  select * from unnest(${$(1)}::int[], ${$(2)}::text[], ${$(3)}::text[], ${$(4)}::int[], ${$(5)}::int[], ${$(6)}::text[],
    ${$(7)}::timestamptz[], ${$(8)}::timestamptz[], ${$(9)}::timestamptz[], ${$(10)}::text[],
    ${$(11)}::int[]) as s(n, merchant_id, id, version, agent_id, hash, signed_in_at, last_used_at, ended_at, state, proven_era)
)`,
    held("session", "merchant_id")
  ],
  found: ["session_held"],
  taken: [],
  writes: [
    `session_known as (
  update session t set version = g.version + 1, ended_at = g.ended_at
  from session_held g where t.ctid = g.place and t.version = g.found and ${isOk}
)`,
    `session_fresh as (
  insert into session (merchant_id, id, version, agent_id, hash, signed_in_at, last_used_at, ended_at, state, proven_era)
  select merchant_id, id, 1, agent_id, hash, signed_in_at, last_used_at, ended_at, state, proven_era
  from session_given where version = 0 and ${isOk} order by merchant_id, id
)`
  ]
}

/** All that changes of people carry, in the order in which it is locked. */
const parts = { agents: agentPart<PersonChange>(({ agents }) => agents), links, sessions }

const isKnown = ({ version }: { readonly version: number }) => version > 0

/** The statement for a change that has these parts. */
export const { commit, partsOf, whole } = guardedStatements<keyof typeof parts, PersonChange>(
  parts,
  ({ agents, links, sessions }) => [...agents, ...links, ...sessions].filter(isKnown).length
)
