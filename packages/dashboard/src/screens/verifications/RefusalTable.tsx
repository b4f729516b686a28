import { computed, type ReadonlySignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { paths } from "../../address/here.ts"
import type { Item } from "../../api/Api.ts"
import { idOf, refusedFor } from "../../life/refusedFor.ts"
import { Button } from "../../parts/Button.tsx"
import { Empty } from "../../parts/Loaded.tsx"
import { LongTable } from "../../parts/LongTable.tsx"
import { Channel, Pill } from "../../parts/Pill.tsx"
import type { Column } from "../../parts/Table.tsx"
import { Time } from "../../parts/Time.tsx"
import { useEvery } from "../../query/useEvery.ts"
import { usePages } from "../../query/usePages.ts"
import { say as shared } from "../../words/say.ts"
import { clearOf } from "./clearOf.ts"
import { refusalsOf, type Wanted } from "./filters.ts"
import { say } from "./words.ts"

/** Refusals send no events, so poll. */
const every = 5_000

type Refusal = Item<"GET /v1/dashboard/refusals">

const columns: ReadonlyArray<Column<Refusal>> = [
  { title: shared.when, cell: ({ at }) => <Time at={at} as="clock" /> },
  {
    title: say.who,
    names: true,
    cell: ({ identity, person }) =>
      person === null ? (
        <span class="theirs">{identity ?? "–"}</span>
      ) : (
        <a href={paths.person({ id: person })}>
          <span class="theirs">{identity}</span>
        </a>
      )
  },
  {
    title: say.why,
    cell: (row) => (
      <Pill tone="bad" title={refusedFor(row)}>
        {refusedFor(row)}
      </Pill>
    )
  },
  { title: say.channel, drop: 2, cell: ({ channel }) => (channel === null ? "–" : <Channel name={channel} />) },
  { title: say.by, drop: 3, cell: ({ path }) => <span class="quiet">{say.paths[path]}</span> },
  { title: say.errorCode, drop: 3, cell: ({ errorCode }) => <code>{errorCode}</code> }
]

/** Refused code requests. They have no verification, but are listed here. */
export function RefusalTable({ wanted }: { readonly wanted: ReadonlySignal<Wanted> }) {
  const range = useMemo(() => computed(() => JSON.stringify(refusalsOf(wanted.value))), [])
  const pages = usePages("GET /v1/dashboard/refusals", () => ({ query: JSON.parse(range.value) }), {
    id: idOf
  })
  useEvery(every, pages.refetch)
  const isFiltered = Object.keys(refusalsOf(wanted.value)).length > 0
  return (
    <LongTable
      caption={say.refused}
      columns={columns}
      pages={pages}
      id={idOf}
      empty={
        <Empty title={say.noRefusals}>
          <p>{say.noRefusalsHint}</p>
          {isFiltered ? <Button onPress={clearOf(wanted.value)}>{shared.clearFilters}</Button> : null}
        </Empty>
      }
    />
  )
}
