import { text, texts } from "../parameters.ts"
import type { Session } from "./Session.ts"

/**
 * The kinds of work that send a message to a person. What was waiting when the backup was made has been sent since then,
 * by the service that was lost; sent again it would be a second code, a second reply, a second advertisement.
 */
const sending = ["send", "fallback", "sign-in-code", "reply"]

const jobs = `
update job set dead_at = now(), last_error = 'Put aside by a restore: it may have been sent before'
where dead_at is null and kind = any($1::text[]) returning 1`

const campaigns = "select environment, id, state from campaign where not counted"

/** Stops what would write to people once more. Webhooks go on: whoever takes them knows an event by its id. */
export const putAside = async (query: Session, tables: ReadonlyArray<string>) => {
  const aside = await query(jobs, [texts(sending)])
  let paused = 0
  for (const [environment, id, text_] of tables.includes("campaign") ? await query(campaigns) : []) {
    const state = JSON.parse(String(text_)) as Record<string, unknown>
    if (state["status"] !== "RUNNING" && state["status"] !== "SCHEDULED") continue
    await query("update campaign set state = $3, version = version + 1 where environment = $1 and id = $2", [
      text(String(environment)),
      text(String(id)),
      text(JSON.stringify({ ...state, status: "PAUSED", pausedFor: "PERSON" }))
    ])
    paused++
  }
  return { jobs: aside.length, campaigns: paused }
}
