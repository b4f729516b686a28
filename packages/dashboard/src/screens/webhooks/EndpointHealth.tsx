import { Pill } from "../../parts/Pill.tsx"
import { Time } from "../../parts/Time.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { duration, moment } from "../../words/format.ts"
import { type Attempt, type Endpoint, healthOf, outcomeOf } from "./health.ts"
import { say } from "./words.ts"

/** How an endpoint does, in words: since when it fails, or why it is off. */
export function EndpointHealth({ of }: { readonly of: Endpoint }) {
  const { kind, since, tone } = healthOf(of)
  return (
    <span class="endpoint-health">
      <Pill tone={tone}>{say.kinds[kind]}</Pill>
      {since === null ? null : (
        <span class="quiet">
          {say.began} <Time at={since} />
        </span>
      )}
    </span>
  )
}

/** What an endpoint answered to one try, and in what time. */
export const answerOf = ({ durationMs, error, responseStatus }: Attempt): string =>
  say.answered(responseStatus === null ? (error ?? say.noAnswer) : String(responseStatus), duration(durationMs))

/** Of an endpoint that fails: since when, what the latest try came to, and when the next one is. */
export function WhatWaits({ of }: { readonly of: Endpoint }) {
  const latest = useQuery("GET /v1/dashboard/webhooks/:id/deliveries", () => ({
    params: { id: of.id },
    query: { limit: 1 }
  }))
  const attempt = latest.answer.value?.items[0]
  return (
    <div class="notice" data-tone="bad" role="status">
      <p>
        {of.failingSince === null ? say.kinds[healthOf(of).kind] : say.failingSince(moment(new Date(of.failingSince)))}
      </p>
      {attempt === undefined ? null : (
        <p class="theirs">
          {say.latest(`${attempt.eventType}, ${answerOf(attempt)}`)}
          {outcomeOf(attempt).kind === "again" && attempt.nextAttemptAt !== null
            ? `; ${say.next(moment(new Date(attempt.nextAttemptAt)))}`
            : ""}
        </p>
      )}
      {of.status === "ACTIVE" ? <p class="quiet">{say.waits}</p> : null}
    </div>
  )
}
