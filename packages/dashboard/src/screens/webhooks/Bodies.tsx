import type { Answer } from "../../api/Api.ts"
import { Pill } from "../../parts/Pill.tsx"
import { Time } from "../../parts/Time.tsx"
import { answerOf } from "./EndpointHealth.tsx"
import { outcomeOf, pretty } from "./health.ts"
import { say } from "./words.ts"

type Detail = Answer<"GET /v1/dashboard/webhooks/:id/deliveries/:deliveryId">

/** The request and the response of one delivery, always shown as plain text. */
export function Bodies({ of }: { readonly of: Detail }) {
  return (
    <>
      <p class="mono quiet">
        POST <span class="theirs">{of.request.url}</span>
      </p>
      <h3>{say.response}</h3>
      {of.responseBody === null || of.responseBody === "" ? (
        <p class="quiet">{say.noResponse}</p>
      ) : (
        <pre class="theirs" tabIndex={0} aria-label={say.response}>
          {pretty(of.responseBody)}
        </pre>
      )}
      <h3>{say.request}</h3>
      {of.request.body === null ? (
        <p class="quiet">{say.bodyExpired}</p>
      ) : (
        <pre class="theirs" tabIndex={0} aria-label={say.request}>
          {pretty(of.request.body)}
        </pre>
      )}
    </>
  )
}

/** One delivery with its result and both bodies. */
export function AttemptDetail({ of }: { readonly of: Detail }) {
  const { kind, tone } = outcomeOf(of)
  return (
    <div class="form">
      <p>
        <Pill tone={tone}>{say.outcome[kind]}</Pill> <span class="theirs">{answerOf(of)}</span>,{" "}
        <Time at={of.createdAt} />
      </p>
      <Bodies of={of} />
    </div>
  )
}
