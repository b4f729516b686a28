import type { CampaignStore } from "@countersign/core/storage"
import { campaign, recipient } from "./campaignTables.ts"
import { guardedStatements, inserted, part } from "./guardedStore.ts"
import { plain } from "./table.ts"

/** Existing rows stay as they are. */
export const add = `
${inserted(recipient)}
from ${plain(recipient, 1, "r")}
order by ${recipient.key.join(", ")}
on conflict (${recipient.key.join(", ")}) do nothing`

/** Everything that a campaign change can contain, in locking order. */
export const statements = guardedStatements({
  campaigns: part(campaign, {
    of: (change: CampaignStore.Change) => (change.campaign === null ? [] : [change.campaign]),
    names: ({ command, environment, id }) => [
      ["campaign", environment, id],
      ...(command === null ? [] : [["command", environment, command]])
    ],
    taken: [
      `
  select g.n from campaign_given g cross join lateral (
    select id from campaign where environment = g.environment and command = g.command and command is not null offset 0
  ) t where g.version = 0`
    ]
  }),
  recipients: part(recipient, {
    of: ({ recipients }: CampaignStore.Change) => recipients,
    names: ({ campaignId, environment, number }) => [["recipient", environment, campaignId, number]]
  })
})
