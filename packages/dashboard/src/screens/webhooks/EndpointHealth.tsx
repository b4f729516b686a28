import { Pill } from "../../parts/Pill.tsx"
import { Time } from "../../parts/Time.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { count, duration, moment } from "../../words/format.ts"
import { type Attempt, type Endpoint, healthOf, outcomeOf } from "./health.ts"
import { say } from "./words.ts"

/** Status of an endpoint, with its undelivered events. */
export function EndpointHealth({ of }: { readonly of: Endpoint }) {
  const backlog = useQuery("GET /v1/dashboard/webhooks/:id/backlog", () => ({ params: { id: of.id } }), "webhook")
  const undelivered = backlog.answer.value
  const { kind, since, tone } = healthOf(of, undelivered)
  const counted = (number: number) => `${count(number)}${undelivered?.more === true ? "+" : ""}`
  const [pending, givenUp] = [undelivered?.pending ?? 0, undelivered?.givenUp ?? 0]
  const pendingText = pending === 0 ? null : say.pending(counted(pending), pending)
  const givenUpText = givenUp === 0 ? null : say.undelivered(counted(givenUp), givenUp)
  const pill = kind === "pending" ? pendingText : kind === "givenUp" ? givenUpText : say.kinds[kind]
  return (
    <span class="endpoint-health">
      <Pill tone={tone}>{pill}</Pill>
      {since === null ? null : (
        <span class="quiet">
          {say.began} <Time at={since} />
        </span>
      )}
      {[pendingText, givenUpText].map((text) =>
        text === null || text === pill ? null : (
          <span key={text} class="quiet">
            {text}
          </span>
        )
      )}
    </span>
  )
}

/** The response of one delivery and its duration. */
export const answerOf = ({ durationMs, error, responseStatus }: Attempt): string =>
  say.answered(responseStatus === null ? (error ?? say.noAnswer) : String(responseStatus), duration(durationMs))

/** For a failing endpoint: since when, the last try, and the next one. */
export function WhatWaits({ of }: { readonly of: Endpoint }) {
  const latest = useQuery(
    "GET /v1/dashboard/webhooks/:id/deliveries",
    () => ({ params: { id: of.id }, query: { limit: 1 } }),
    "webhook"
  )
  const attempt = latest.answer.value?.items[0]
  return (
    <div class="notice" data-tone="bad" role="status">
      <p>
        {of.failingSince === null
          ? say.kinds[of.disabledReason === "GONE" ? "gone" : "exhausted"]
          : say.failingSince(moment(new Date(of.failingSince)))}
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
