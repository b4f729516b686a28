import type { Agent } from "../../auth/staff/Agent.ts"
import type { Job } from "../../foundation/outbox/Job.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { pushJob } from "./inboxJobs.ts"
import { wantsPush } from "./push.ts"
import type { Received } from "./receive.ts"

/** The jobs that push received messages: one for each lead that somebody with a device is to answer. */
export const pushJobs = (
  { events, leads }: Pick<Received, "events" | "leads">,
  agents: ReadonlyArray<Agent>,
  merchantId: string,
  now: Instant
): ReadonlyArray<Job> => {
  const written = new Set(events.flatMap((event) => (event.type === "message.received" ? [event.data.leadId] : [])))
  return leads
    .filter((lead) => written.has(lead.id) && wantsPush(lead, agents, now))
    .map((lead) => pushJob(merchantId, lead, now))
}
