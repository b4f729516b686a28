import { paths } from "../../address/here.ts"
import { attemptStatuses, filtersOf } from "../../address/filters.ts"
import { setFilters, useFilters } from "../../address/useFilters.ts"
import type { Answer } from "../../api/Api.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Choice } from "../../parts/Choice.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Empty, Loaded, Refusal } from "../../parts/Loaded.tsx"
import { LongTable } from "../../parts/LongTable.tsx"
import { Pill } from "../../parts/Pill.tsx"
import { Time } from "../../parts/Time.tsx"
import { tell } from "../../parts/Toast.tsx"
import { usePages } from "../../query/usePages.ts"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { count, duration } from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import { answerOf } from "./EndpointHealth.tsx"
import { type Attempt, outcomeOf, pretty } from "./health.ts"
import { say } from "./words.ts"

const filters = filtersOf.webhook

export function Result({ of }: { readonly of: Attempt }) {
  const { kind, tone } = outcomeOf(of)
  return <Pill tone={tone}>{say.outcome[kind]}</Pill>
}

/** One delivery with its request and response, always shown as plain text. */
export function AttemptDetail({
  of
}: {
  readonly of: Answer<"GET /v1/dashboard/webhooks/:id/deliveries/:deliveryId">
}) {
  return (
    <div class="form">
      <p>
        <Result of={of} /> <span class="theirs">{answerOf(of)}</span>, <Time at={of.createdAt} />
        {of.nextAttemptAt === null ? null : (
          <>
            {" · "}
            {say.next("")} <Time at={of.nextAttemptAt} />
          </>
        )}
      </p>
      <p class="mono quiet">
        POST <span class="theirs">{of.request.url}</span>
      </p>
      <h3>{say.request}</h3>
      {of.request.body === null ? (
        <p class="quiet">{say.bodyExpired}</p>
      ) : (
        <pre class="theirs" tabIndex={0} aria-label={say.request}>
          {pretty(of.request.body)}
        </pre>
      )}
      <h3>{say.response}</h3>
      {of.responseBody === null || of.responseBody === "" ? (
        <p class="quiet">{say.noResponse}</p>
      ) : (
        <pre class="theirs" tabIndex={0} aria-label={say.response}>
          {pretty(of.responseBody)}
        </pre>
      )}
    </div>
  )
}

function AttemptDialog({ deliveryId, id }: { readonly id: string; readonly deliveryId: string }) {
  const one = useQuery("GET /v1/dashboard/webhooks/:id/deliveries/:deliveryId", () => ({ params: { id, deliveryId } }))
  const again = useSend("POST /v1/dashboard/webhooks/:id/deliveries/:deliveryId/redeliver", "webhook")
  const close = () => setFilters(filters, { try: undefined })
  const redeliver = async () => {
    const answer = await again.send({ params: { id, deliveryId } })
    if (answer === null) return
    const worked = answer.body.status === "DELIVERED"
    tell(`${say.redelivered}: ${answerOf(answer.body)}`, { tone: worked ? "good" : "bad" })
    setFilters(filters, { try: answer.body.id })
  }
  return (
    <Dialog title={say.try} onClose={close} wide>
      <Loaded query={one} empty={() => null}>
        {(answer) => (
          <>
            <p>
              <code>{answer.eventType}</code> <span class="mono quiet">{answer.eventId}</span>{" "}
              <span class="quiet">
                {say.number} {count(answer.attempt)}
              </span>
            </p>
            <AttemptDetail of={answer} />
          </>
        )}
      </Loaded>
      {again.failure.value === null ? null : <Refusal failure={again.failure.value} />}
      <div class="form-foot">
        <Button kind="main" blocked={may.arrange} busy={again.busy.value} onPress={() => void redeliver()}>
          {say.redeliver}
        </Button>
      </div>
    </Dialog>
  )
}

/** Deliveries of the last 30 days, newest first. The open one is in the address. */
export function Attempts({ id }: { readonly id: string }) {
  const wanted = useFilters(filters)
  const pages = usePages(
    "GET /v1/dashboard/webhooks/:id/deliveries",
    () => ({
      params: { id },
      query: wanted.value.status === undefined ? {} : { status: wanted.value.status }
    }),
    { id: (attempt) => attempt.id, topics: ["webhook", "verification"] }
  )
  const chosen = wanted.value.try
  return (
    <Card
      title={say.attempts}
      actions={
        <Choice
          label={say.filter}
          value={wanted.value.status ?? "all"}
          onChoose={(next) => setFilters(filters, { status: next === "all" ? undefined : next })}
          options={(["all", ...attemptStatuses] as const).map((value) => ({ value, label: say.statuses[value] }))}
        />
      }
    >
      <div class="attempts">
        <LongTable
          caption={say.attempts}
          pages={pages}
          id={(attempt) => attempt.id}
          current={chosen}
          href={(attempt) => paths.webhook({ id }, { ...wanted.value, try: attempt.id })}
          empty={
            wanted.value.status === undefined ? (
              <Empty title={say.attemptsEmpty} />
            ) : (
              <Empty title={shared.nothingMatches}>
                <Button onPress={() => setFilters(filters, { status: undefined })}>{shared.clearFilters}</Button>
              </Empty>
            )
          }
          columns={[
            { title: say.event, names: true, cell: ({ eventType }) => <code>{eventType}</code> },
            { title: say.result, cell: (attempt) => <Result of={attempt} /> },
            {
              title: say.answer,
              drop: 2,
              cell: ({ error, responseStatus }) => (
                <span class="theirs">{responseStatus === null ? (error ?? say.noAnswer) : String(responseStatus)}</span>
              )
            },
            { title: say.took, number: true, drop: 2, cell: ({ durationMs }) => duration(durationMs) },
            { title: say.number, number: true, drop: 3, cell: ({ attempt }) => count(attempt) },
            { title: say.at, cell: ({ createdAt }) => <Time at={createdAt} as="clock" /> }
          ]}
        />
      </div>
      {chosen === undefined ? null : <AttemptDialog key={chosen} id={id} deliveryId={chosen} />}
    </Card>
  )
}
