import { Button } from "../../parts/Button.tsx"
import { Refusal } from "../../parts/Loaded.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { count, moment } from "../../words/format.ts"
import { answerOf } from "./EndpointHealth.tsx"
import { type Backlog, type Endpoint, pretty } from "./health.ts"
import { say } from "./words.ts"

/** The beginning of the last response, which often says what is wrong. */
function LastResponse({ deliveryId, id }: { readonly id: string; readonly deliveryId: string }) {
  const delivery = useQuery("GET /v1/dashboard/webhooks/:id/deliveries/:deliveryId", () => ({
    params: { id, deliveryId }
  }))
  const body = delivery.answer.value?.responseBody ?? ""
  return body === "" ? null : (
    <pre class="theirs last-response" tabIndex={0} aria-label={say.response}>
      {pretty(body)}
    </pre>
  )
}

/** For an endpoint that misses events: since when, the last try with its answer, and one button that sends what waits. */
export function WhatWaits({ backlog, of }: { readonly of: Endpoint; readonly backlog: Backlog }) {
  const latest = useQuery(
    "GET /v1/dashboard/webhooks/:id/deliveries",
    () => ({ params: { id: of.id }, query: { limit: 1 } }),
    "webhook"
  )
  const retry = useSend("POST /v1/dashboard/webhooks/:id/retry", "webhook", "audit")
  const attempt = latest.answer.value?.items[0]
  const isOn = of.status === "ACTIVE"
  const { more, pending, since } = backlog
  const isFailing = !isOn || backlog.health === "FAILING"
  const retryAll = async () => {
    const answer = await retry.send({ params: { id: of.id } })
    if (answer !== null)
      tell(answer.body.events === 0 ? say.retriedNone : say.retried(count(answer.body.events), answer.body.events))
  }
  return (
    <div class="notice what-waits" data-tone={isFailing ? "bad" : "warn"} role="status">
      <p>
        {!isOn
          ? say.health[of.disabledReason === "GONE" ? "GONE" : "GIVEN_UP"]
          : since !== null && isFailing
            ? say.failingSince(moment(new Date(since)))
            : say.waitingNotice}
      </p>
      {attempt === undefined || !isFailing ? null : (
        <>
          <p class="theirs">{say.latest(`${attempt.eventType}, ${answerOf(attempt)}`)}</p>
          <LastResponse key={attempt.id} id={of.id} deliveryId={attempt.id} />
        </>
      )}
      {isOn && pending > 0 ? (
        <p>
          <Button kind="main" blocked={may.arrange} busy={retry.busy.value} onPress={() => void retryAll()}>
            {say.retryAll(`${count(pending)}${more ? "+" : ""}`)}
          </Button>
        </p>
      ) : null}
      {isOn && pending > 0 ? <p class="quiet">{say.waits}</p> : null}
      {retry.failure.value === null ? null : <Refusal failure={retry.failure.value} />}
    </div>
  )
}
