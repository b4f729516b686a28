import type { ReadonlySignal } from "@preact/signals"
import { Pill } from "../../parts/Pill.tsx"
import { now, useNow } from "../../parts/Time.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { clockOf, count, duration } from "../../words/format.ts"
import { type Attempt, type Backlog, type Endpoint, healthOf, toneOf } from "./health.ts"
import { say } from "./words.ts"

const useBacklog = (of: Endpoint) =>
  useQuery("GET /v1/dashboard/webhooks/:id/backlog", () => ({ params: { id: of.id } }), "webhook")

const counted = (number: number, isMore: boolean) => `${count(number)}${isMore ? "+" : ""}`

/** Why the server gave no answer, in the reader's language where its words are known. */
export const whyUnanswered = (error: string | null): string =>
  error === null ? say.noAnswer : (say.unanswered[error] ?? error)

/** Status of an endpoint as a pill, and what the pill does not say about missing events. */
export function HealthOf({ backlog, of }: { readonly of: Endpoint; readonly backlog: Backlog | null }) {
  useNow()
  const health = healthOf(of, backlog)
  if (health === null) return null
  const { givenUp, lastError, lastResponseStatus, more, pending, since } = backlog ?? nothing
  const when = since === null ? null : clockOf(new Date(since), now.value)
  const waiting = pending === 0 ? null : say.waiting(counted(pending, more), pending)
  const missing = givenUp === 0 ? null : say.undelivered(counted(givenUp, more), givenUp)
  const pill =
    health === "WAITING"
      ? say.waitingSince(waiting ?? "", when)
      : health === "NOT_DELIVERED"
        ? missing
        : health === "FAILING"
          ? lastResponseStatus === null
            ? say.failingUnanswered(when, whyUnanswered(lastError))
            : say.failing(when, String(lastResponseStatus))
          : say.health[health]
  const others = health === "WAITING" ? [missing] : health === "NOT_DELIVERED" ? [] : [waiting, missing]
  return (
    <span class="endpoint-health">
      <Pill tone={toneOf[health]}>{pill}</Pill>
      {others.map((text) =>
        text === null ? null : (
          <span key={text} class="quiet">
            {text}
          </span>
        )
      )}
    </span>
  )
}

const nothing: Omit<Backlog, "health"> = {
  givenUp: 0,
  lastError: null,
  lastResponseStatus: null,
  more: false,
  pending: 0,
  since: null
}

/** Status of an endpoint in a list. */
export function EndpointHealth({ of }: { readonly of: Endpoint }) {
  const backlog = useBacklog(of)
  return <HealthOf of={of} backlog={backlog.answer.value} />
}

/** The backlog of one endpoint, for its screen. */
export const useHealth = (of: Endpoint): ReadonlySignal<Backlog | null> => useBacklog(of).answer

/** The response of one delivery and its duration. */
export const answerOf = ({ durationMs, error, responseStatus }: Attempt): string =>
  say.answered(responseStatus === null ? whyUnanswered(error) : String(responseStatus), duration(durationMs))
