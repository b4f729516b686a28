import { filtersOf } from "../../address/filters.ts"
import { paths } from "../../address/here.ts"
import { setFilters } from "../../address/useFilters.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Loaded, Refusal } from "../../parts/Loaded.tsx"
import { More } from "../../parts/More.tsx"
import { Pill } from "../../parts/Pill.tsx"
import { Table } from "../../parts/Table.tsx"
import { Time } from "../../parts/Time.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { count, duration } from "../../words/format.ts"
import { Bodies } from "./Bodies.tsx"
import { answerOf, whyUnanswered } from "./EndpointHealth.tsx"
import { outcomeOf, type SentEvent } from "./health.ts"
import { EventState } from "./EventState.tsx"
import { say } from "./words.ts"

/** Each try of an event: its time, result, answer and duration, and the next one. */
function Tries({ of: { attempts } }: { readonly of: SentEvent }) {
  return (
    <Table
      caption={say.attempts}
      rows={attempts}
      id={({ id }) => id}
      columns={[
        { title: say.number, number: true, names: true, cell: ({ attempt }) => count(attempt) },
        { title: say.at, cell: ({ createdAt }) => <Time at={createdAt} as="clock" /> },
        {
          title: say.result,
          cell: (attempt) => {
            const { kind, tone } = outcomeOf(attempt)
            return <Pill tone={tone}>{say.outcome[kind]}</Pill>
          }
        },
        {
          title: say.answer,
          cell: ({ error, responseStatus }) => (
            <span class="theirs">{responseStatus === null ? whyUnanswered(error) : String(responseStatus)}</span>
          )
        },
        { title: say.took, number: true, cell: ({ durationMs }) => duration(durationMs) },
        {
          title: say.nextTry,
          cell: ({ nextAttemptAt }) =>
            nextAttemptAt === null ? <span class="quiet">–</span> : <Time at={nextAttemptAt} as="clock" />
        }
      ]}
    />
  )
}

/** The request and the answer of a try. */
function LastBodies({ deliveryId, id }: { readonly id: string; readonly deliveryId: string }) {
  const delivery = useQuery("GET /v1/dashboard/webhooks/:id/deliveries/:deliveryId", () => ({
    params: { id, deliveryId }
  }))
  return (
    <Loaded query={delivery} empty={() => null}>
      {(answer) => <Bodies of={answer} />}
    </Loaded>
  )
}

function Deeds({ id, of }: { readonly id: string; readonly of: SentEvent }) {
  const retry = useSend("POST /v1/dashboard/webhooks/:id/events/:eventId/retry", "webhook", "audit")
  const again = useSend("POST /v1/dashboard/webhooks/:id/deliveries/:deliveryId/redeliver", "webhook", "audit")
  const last = of.attempts.at(-1)
  const failure = retry.failure.value ?? again.failure.value
  const retryNow = async () => {
    const answer = await retry.send({ params: { id, eventId: of.id } })
    if (answer !== null) tell(answer.body.events === 0 ? say.retriedNone : say.retriedOne)
  }
  const resend = async () => {
    if (last === undefined) return
    const answer = await again.send({ params: { id, deliveryId: last.id } })
    if (answer === null) return
    const worked = answer.body.status === "DELIVERED"
    tell(`${say.redelivered}: ${answerOf(answer.body)}`, { tone: worked ? "good" : "bad" })
  }
  return (
    <>
      {failure === null ? null : <Refusal failure={failure} />}
      <div class="form-foot">
        {of.state === "DELIVERED" ? null : (
          <Button kind="main" blocked={may.arrange} busy={retry.busy.value} onPress={() => void retryNow()}>
            {say.retry}
          </Button>
        )}
        {of.requestId === null ? null : (
          <a class="button" href={paths.verification({ requestId: of.requestId })}>
            {say.openVerification}
          </a>
        )}
        <More label={say.more}>
          <Button blocked={may.arrange} busy={again.busy.value} onPress={() => void resend()}>
            {say.redeliver}
          </Button>
        </More>
      </div>
    </>
  )
}

interface Props {
  /** The endpoint. */
  readonly id: string
  readonly eventId: string
  /** The event, if the list has it. */
  readonly listed: SentEvent | undefined
}

/** One event with all its tries, and the bodies of the last one. */
export function EventDialog({ eventId, id, listed }: Props) {
  const found = useQuery(
    "GET /v1/dashboard/webhooks/:id/events",
    () => ({ params: { id }, query: { find: eventId } }),
    "webhook"
  )
  const close = () => setFilters(filtersOf.webhook, { event: null })
  const event = found.answer.value?.items[0] ?? listed
  const last = event?.attempts.at(-1)
  return (
    <Dialog title={say.event} onClose={close} wide>
      {event === undefined ? (
        <Loaded query={found} empty={({ items }) => items.length === 0 && <p>{say.eventGone}</p>}>
          {() => null}
        </Loaded>
      ) : (
        <>
          <p>
            <code>{event.type}</code> <span class="mono quiet">{event.id}</span> <EventState of={event} />
          </p>
          <Tries of={event} />
          {last === undefined ? null : <LastBodies key={last.id} id={id} deliveryId={last.id} />}
          <Deeds id={id} of={event} />
        </>
      )}
    </Dialog>
  )
}
