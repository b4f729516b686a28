import { paths } from "../../address/here.ts"
import { eventStates, filtersOf } from "../../address/filters.ts"
import { setFilters, useFilters } from "../../address/useFilters.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Empty } from "../../parts/Loaded.tsx"
import { LongTable } from "../../parts/LongTable.tsx"
import { Time } from "../../parts/Time.tsx"
import { usePages } from "../../query/usePages.ts"
import { FilterBar } from "../../shell/FilterBar.tsx"
import { SearchField, Select } from "../../shell/Filters.tsx"
import { count } from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import { answerOf } from "./EndpointHealth.tsx"
import { EventState } from "./EventState.tsx"
import { EventDialog } from "./EventDialog.tsx"
import { eventNames, type SentEvent } from "./health.ts"
import { say } from "./words.ts"

const filters = filtersOf.webhook
const types = [...eventNames, "webhook.test"].map((name) => [name, name] as const)
const states = eventStates.map((state) => [state, say.states[state]] as const)

/** The number of tries, and the answer to the last one. */
function LastTry({ of: { attempts } }: { readonly of: SentEvent }) {
  const last = attempts.at(-1)
  if (last === undefined) return null
  return (
    <span class="theirs">
      {attempts.length === 1 ? "" : `${say.tries(count(attempts.length))}, `}
      {answerOf(last)}
    </span>
  )
}

/** Events of the last 30 days that were sent to the endpoint, newest first. The filters and the open event are in the address. */
export function SentEvents({ id }: { readonly id: string }) {
  const wanted = useFilters(filters)
  const pages = usePages(
    "GET /v1/dashboard/webhooks/:id/events",
    () => {
      const { find, state, type } = wanted.value
      return { params: { id }, query: { find, state, type } as object }
    },
    { id: (event) => event.id, topics: ["webhook", "verification"] }
  )
  const { event: chosen, ...listed } = wanted.value
  const isFiltered = Object.keys(listed).length > 0
  const open = pages.items.value?.find((event) => event.id === chosen)
  return (
    <Card title={say.sent}>
      <FilterBar label={say.filters} active={Object.keys(listed).length}>
        <SearchField of={filters} name="find" label={say.find} placeholder={say.findHint} value={wanted.value.find} />
        <Select
          of={filters}
          name="state"
          label={say.state}
          any={say.anyState}
          value={wanted.value.state}
          options={states}
        />
        <Select of={filters} name="type" label={say.type} any={say.anyType} value={wanted.value.type} options={types} />
      </FilterBar>
      <div class="sent-events">
        <LongTable
          caption={say.sent}
          pages={pages}
          id={(event) => event.id}
          current={chosen}
          href={(event) => paths.webhook({ id }, { ...listed, event: event.id })}
          empty={
            isFiltered ? (
              <Empty title={shared.nothingMatches}>
                <Button onPress={() => setFilters(filters, { find: null, state: null, type: null })}>
                  {shared.clearFilters}
                </Button>
              </Empty>
            ) : (
              <Empty title={say.sentEmpty}>
                <p>{say.sentEmptyHint}</p>
              </Empty>
            )
          }
          columns={[
            { title: say.event, names: true, cell: ({ type }) => <code>{type}</code> },
            { title: say.state, cell: (event) => <EventState of={event} /> },
            { title: say.lastTry, drop: 2, cell: (event) => <LastTry of={event} /> },
            {
              title: say.verification,
              drop: 3,
              cell: ({ requestId }) => <span class="mono quiet">{requestId ?? "–"}</span>
            },
            { title: say.at, drop: 1, cell: ({ createdAt }) => <Time at={createdAt} as="clock" /> }
          ]}
        />
      </div>
      {chosen === undefined || pages.items.value === null ? null : (
        <EventDialog key={chosen} id={id} eventId={chosen} listed={open} />
      )}
    </Card>
  )
}
