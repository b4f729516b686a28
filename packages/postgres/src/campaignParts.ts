import type { CampaignChange, Recipient } from "@countersign/core/storage"
import { encodeCampaign, encodeRecipient, openOf } from "./campaignRows.ts"
import { type GuardedPart, guardedStatements, isOk, type Named, rowsOf } from "./guardedStatements.ts"
import { isId, isInstant } from "./leadRows.ts"
import { type EncodedOutgoing, encode as encodeOutgoing } from "./outboxParts.ts"
import { bools, instants, ints, storable, texts } from "./parameters.ts"
import { held, written } from "./versionedRows.ts"

/** A change with its texts, made in its caller's own fiber: what cannot be written harms nobody else. */
export interface EncodedCampaignChange extends Named {
  readonly change: CampaignChange
  readonly key: string
  readonly campaigns: ReadonlyArray<string>
  readonly recipients: ReadonlyArray<string>
  readonly outgoing: EncodedOutgoing
}

const nameOf = (...parts: ReadonlyArray<string | number>) => parts.join("\u0000")

const campaignsOf = ({ campaign }: CampaignChange) => (campaign === null ? [] : [campaign])

export const encode = (change: CampaignChange): EncodedCampaignChange => {
  const own = [
    ...campaignsOf(change).flatMap(({ command, environment, id }) => [
      nameOf("campaign", environment, id),
      ...(command === null ? [] : [nameOf("command", environment, command)])
    ]),
    ...change.recipients.map(({ campaignId, environment, number }) =>
      nameOf("recipient", environment, campaignId, number)
    )
  ]
  return {
    change,
    own,
    shared: [],
    key: own[0] ?? change.events[0]?.id ?? change.jobs[0]?.key ?? change.done?.key ?? change.facts[0]?.key ?? "",
    campaigns: campaignsOf(change).map(encodeCampaign),
    recipients: change.recipients.map(encodeRecipient),
    outgoing: encodeOutgoing(change)
  }
}

export const isStorableRecipient = (recipient: Recipient.Recipient): boolean => {
  const { campaignId, environment, handedAt, number, phone, providerId } = recipient
  return [environment, campaignId, phone, providerId ?? ""].every(storable) && isId(number) && isInstant(handedAt ?? 0)
}

/** Whether Postgres can keep everything of a change that is a column. */
export const isStorable = (change: CampaignChange): boolean =>
  campaignsOf(change).every(
    ({ command, environment, finishedAt, id, text }) =>
      [environment, id, text.id, command ?? ""].every(storable) && isInstant(finishedAt ?? 0)
  ) && change.recipients.every(isStorableRecipient)

const campaigns: GuardedPart<EncodedCampaignChange> = {
  isIn: ({ change }) => change.campaign !== null,
  count: 10,
  parameters: (batch) => {
    const rows = rowsOf(batch, ({ campaigns, change }) =>
      campaignsOf(change).map((campaign, i) => ({ campaign, state: campaigns[i]! }))
    )
    return [
      ints(rows.map(({ n }) => n)),
      texts(rows.map(({ row }) => row.campaign.environment)),
      texts(rows.map(({ row }) => row.campaign.id)),
      ints(rows.map(({ row }) => row.campaign.version)),
      texts(rows.map(({ row }) => row.campaign.text.id)),
      ints(rows.map(({ row }) => row.campaign.text.version)),
      texts(rows.map(({ row }) => row.campaign.command)),
      bools(rows.map(({ row }) => row.campaign.counts !== null)),
      instants(rows.map(({ row }) => (row.campaign.counts === null ? row.campaign.finishedAt : null))),
      texts(rows.map(({ row }) => row.state))
    ]
  },
  looks: ($) => [
    `campaign_given as materialized (
  select * from unnest(${$(1)}::int[], ${$(2)}::text[], ${$(3)}::text[], ${$(4)}::int[], ${$(5)}::text[], ${$(6)}::int[],
    ${$(7)}::text[], ${$(8)}::bool[], ${$(9)}::timestamptz[], ${$(10)}::text[])
    as c(n, environment, id, version, text_id, text_version, command, counted, finished_at, state)
)`,
    held("campaign", "environment")
  ],
  found: ["campaign_held"],
  taken: [
    `
  select g.n from campaign_given g cross join lateral (
    select id from campaign where environment = g.environment and command = g.command and command is not null offset 0
  ) t where g.version = 0`
  ],
  writes: written("campaign", "environment", ["text_id", "text_version", "command", "counted", "finished_at", "state"])
}

/** The columns of a recipient, in the order of `recipientArrays`, each with its type. */
const columns = {
  environment: "text",
  campaign_id: "text",
  number: "int",
  version: "int",
  phone: "text",
  open: "int",
  handed_at: "timestamptz",
  status: "text",
  provider_id: "text",
  state: "text"
}
const names = Object.keys(columns)
const types = Object.values(columns)

interface EncodedRecipient {
  readonly recipient: Recipient.Recipient
  readonly state: string
}

const recipientArrays = (rows: ReadonlyArray<EncodedRecipient>): ReadonlyArray<unknown> => [
  texts(rows.map(({ recipient }) => recipient.environment)),
  texts(rows.map(({ recipient }) => recipient.campaignId)),
  ints(rows.map(({ recipient }) => recipient.number)),
  ints(rows.map(({ recipient }) => recipient.version)),
  texts(rows.map(({ recipient }) => recipient.phone)),
  ints(rows.map(({ recipient }) => openOf(recipient))),
  instants(rows.map(({ recipient }) => recipient.handedAt)),
  texts(rows.map(({ recipient }) => recipient.status)),
  texts(rows.map(({ recipient }) => recipient.providerId)),
  texts(rows.map(({ state }) => state))
]

const arrays = ($: (n: number) => string, from: number) =>
  types.map((type, i) => `${$(from + i)}::${type}[]`).join(", ")

/** Those that are there already stay as they are. */
export const add = `
insert into recipient (${names.join(", ")})
select environment, campaign_id, number, 1, ${names.slice(4).join(", ")}
from unnest(${arrays((n) => `$${n}`, 1)}) as r(${names.join(", ")})
order by environment, campaign_id, number
on conflict (environment, campaign_id, number) do nothing`

export const addParameters = (rows: ReadonlyArray<Recipient.Recipient>): ReadonlyArray<unknown> =>
  recipientArrays(rows.map((recipient) => ({ recipient, state: encodeRecipient(recipient) })))

const changing = names.slice(4).map((name) => `${name} = g.${name}`)

const recipients: GuardedPart<EncodedCampaignChange> = {
  isIn: ({ change }) => change.recipients.length > 0,
  count: 1 + names.length,
  parameters: (batch) => {
    const rows = rowsOf(batch, ({ change, recipients }) =>
      change.recipients.map((recipient, i) => ({ recipient, state: recipients[i]! }))
    )
    return [ints(rows.map(({ n }) => n)), ...recipientArrays(rows.map(({ row }) => row))]
  },
  looks: ($) => [
    `recipient_given as materialized (
  select * from unnest(${$(1)}::int[], ${arrays($, 2)}) as r(n, ${names.join(", ")})
)`,
    `recipient_held as materialized (
  select g.*, t.place, t.found
  from (select * from recipient_given where version > 0 order by environment, campaign_id, number offset 0) g
  cross join lateral (
    select ctid as place, version as found from recipient
    where environment = g.environment and campaign_id = g.campaign_id and number = g.number and version = g.version
    offset 0 for update
  ) t
)`
  ],
  found: ["recipient_held"],
  taken: [],
  writes: [
    `recipient_known as (
  update recipient t set version = g.version + 1, ${changing.join(", ")}
  from recipient_held g where t.ctid = g.place and t.version = g.found and ${isOk}
)`,
    `recipient_fresh as (
  insert into recipient (${names.join(", ")})
  select environment, campaign_id, number, 1, ${names.slice(4).join(", ")}
  from recipient_given where version = 0 and ${isOk} order by environment, campaign_id, number
)`
  ]
}

/** All that changes of campaigns carry, in the order in which it is locked. */
const parts = { campaigns, recipients }

/** The statement for all changes of a batch that has these parts. */
export const { commit, partsOf, whole } = guardedStatements<keyof typeof parts, EncodedCampaignChange>(
  parts,
  ({ change }) => [...campaignsOf(change), ...change.recipients].filter(({ version }) => version > 0).length
)
