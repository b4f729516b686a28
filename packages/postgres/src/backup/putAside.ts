import { kindsToPeople, stoppedByRestore } from "@countersign/core/storage"
import { campaignColumns, campaignOf, encodeCampaign } from "../campaignRows.ts"
import { text, texts } from "../parameters.ts"
import type { Session } from "./Session.ts"

const jobs = `
update job set dead_at = now(), last_error = 'Put aside by a restore: it may have been sent before'
where dead_at is null and kind = any($1::text[]) returning 1`

const campaigns = `select ${campaignColumns("campaign")} from campaign where not counted`

/** Stops what would write to people once more. */
export const putAside = async (query: Session, tables: ReadonlyArray<string>) => {
  const aside = await query(jobs, [texts(kindsToPeople)])
  let stopped = 0
  for (const row of tables.includes("campaign") ? await query(campaigns) : []) {
    const campaign = stoppedByRestore(campaignOf(row))
    if (campaign === null) continue
    await query("update campaign set state = $3, version = version + 1 where environment = $1 and id = $2", [
      text(campaign.environment),
      text(campaign.id),
      text(encodeCampaign(campaign))
    ])
    stopped++
  }
  return { jobs: aside.length, campaigns: stopped }
}
