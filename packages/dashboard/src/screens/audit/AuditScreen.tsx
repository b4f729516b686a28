import { computed } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { environment, paths } from "../../address/here.ts"
import { setFilters, useFilters } from "../../address/useFilters.ts"
import { Button } from "../../parts/Button.tsx"
import { Empty } from "../../parts/Loaded.tsx"
import { LongTable } from "../../parts/LongTable.tsx"
import type { Column } from "../../parts/Table.tsx"
import { Time } from "../../parts/Time.tsx"
import { type Pages, usePages } from "../../query/usePages.ts"
import { useQuery } from "../../query/useQuery.ts"
import { may } from "../../session/may.ts"
import { ExportCsv } from "../../shell/ExportCsv.tsx"
import { FilterBar as Bar } from "../../shell/FilterBar.tsx"
import { Days, SearchField, Select } from "../../shell/Filters.tsx"
import { Screen } from "../../shell/Screen.tsx"
import { say as shared } from "../../words/say.ts"
import { actorOf, deedOf, type Entry, fieldsOf, nameOf, targetOf } from "../audited.ts"
import { say as deeds } from "../auditedWords.ts"
import { filtersOf } from "../../address/filters.ts"
import type { Filters } from "../../address/filtersIn.ts"
import { EntryDialog } from "./EntryDialog.tsx"
import { whereOf } from "./whereOf.ts"
import { say } from "./words.ts"

const filters = filtersOf.audit
type Wanted = Filters<typeof filters>

/** The query for the service: all filters except the open entry. */
const queryOf = ({ entry: _entry, ...listFilters }: Wanted) => listFilters

/** The first changed field, and the number of others. */
function Summary({ currency, entry }: { readonly currency: string | null; readonly entry: Entry }) {
  const [first, ...otherFields] = fieldsOf(entry, currency)
  if (first === undefined) return <span class="quiet">–</span>
  return (
    <span class="theirs">
      {first.label}
      {first.before === null ? ": " : `: ${first.before} → `}
      {first.after ?? say.none}
      {otherFields.length === 0 ? null : <span class="quiet"> {say.more(otherFields.length)}</span>}
    </span>
  )
}

/** The changed object, with a link where a screen shows it. The row itself opens the entry. */
function Target({ entry }: { readonly entry: Entry }) {
  const where = whereOf(entry, environment.value)
  const name = targetOf(entry)
  return where === null ? (
    <span class="theirs">{name}</span>
  ) : (
    <a class="audit-target theirs" href={where} tabIndex={-1}>
      {name}
    </a>
  )
}

const columnsIn = (currency: string | null): ReadonlyArray<Column<Entry>> => [
  { title: shared.when, cell: ({ at }) => <Time at={at} as="clock" /> },
  { title: say.who, drop: 1, cell: (entry) => <span class="theirs">{actorOf(entry)}</span> },
  { title: say.what, names: true, cell: ({ action }) => <span class="audit-deed">{deedOf(action)}</span> },
  { title: say.target, drop: 2, cell: (entry) => <Target entry={entry} /> },
  { title: say.changes, drop: 2, cell: (entry) => <Summary currency={currency} entry={entry} /> },
  {
    title: say.environment,
    drop: 3,
    cell: ({ environment }) => <span class="quiet">{say.environments[environment ?? "none"]}</span>
  },
  { title: say.address, drop: 3, cell: ({ address }) => <span class="mono quiet">{address ?? "–"}</span> }
]

const actions = Object.entries(deeds.actions).sort(([, a], [, b]) => a.localeCompare(b))

function FilterBar({ pages, wanted }: { readonly pages: Pages<Entry>; readonly wanted: Wanted }) {
  const actors = new Map((pages.items.value ?? []).map((entry) => [nameOf(entry), actorOf(entry)]))
  return (
    <Bar label={say.filters} active={Object.keys(wanted).filter((name) => name !== "entry").length}>
      <SearchField of={filters} name="text" label={say.search} placeholder={say.searchHint} value={wanted.text} />
      <Select of={filters} name="actor" label={say.who} any={say.anyActor} value={wanted.actor} options={[...actors]} />
      <Select of={filters} name="action" label={say.what} any={say.anyAction} value={wanted.action} options={actions} />
      <Select
        of={filters}
        name="environment"
        label={say.whose}
        any={say.anyEnvironment}
        value={wanted.environment}
        options={Object.entries(say.environments)}
      />
      <Days of={filters} from={wanted.from} to={wanted.to} />
      {wanted.target === undefined ? null : (
        <Button pressed onPress={() => setFilters(filters, { target: null })}>
          <code class="theirs one-line">{wanted.target}</code> ✕
        </Button>
      )}
    </Bar>
  )
}

function Entries() {
  const balance = useQuery("GET /v1/dashboard/balance", () => ({}))
  const currency = balance.answer.value?.currency ?? null
  const urlFilters = useFilters(filters)
  const query = useMemo(() => computed(() => JSON.stringify(queryOf(urlFilters.value))), [])
  const pages = usePages("GET /v1/dashboard/audit", () => ({ query: JSON.parse(query.value) }), {
    id: ({ id }) => id,
    topics: ["audit"]
  })
  const { entry: openEntry, ...listed } = urlFilters.value
  const isFiltered = Object.keys(listed).length > 0
  return (
    <>
      <FilterBar pages={pages} wanted={urlFilters.value} />
      <div class="card long-card" data-list="audit">
        <LongTable
          caption={shared.menu.audit}
          columns={columnsIn(currency)}
          pages={pages}
          id={({ id }) => id}
          href={({ id }) => paths.audit({ ...listed, entry: id })}
          current={openEntry}
          empty={
            <Empty title={isFiltered ? shared.nothingMatches : say.noEntries}>
              {isFiltered ? (
                <Button
                  onPress={() =>
                    setFilters(filters, Object.fromEntries(Object.keys(listed).map((name) => [name, null])))
                  }
                >
                  {shared.clearFilters}
                </Button>
              ) : (
                <p>{say.noEntriesHint}</p>
              )}
            </Empty>
          }
        />
      </div>
      {openEntry === undefined || pages.items.value === null ? null : (
        <EntryDialog
          key={openEntry}
          currency={currency}
          entry={pages.items.value.find(({ id }) => id === openEntry)}
          onClose={() => setFilters(filters, { entry: null })}
        />
      )}
    </>
  )
}

/** Audit log entries of one year, newest first. */
export default function AuditScreen() {
  const refused = may.arrange
  const wanted = useFilters(filters)
  return (
    <Screen
      title={shared.menu.audit}
      fills
      actions={
        refused === undefined ? (
          <ExportCsv
            of="GET /v1/dashboard/audit"
            input={() => ({ query: queryOf(wanted.value) })}
            fileName="audit-log.csv"
          />
        ) : undefined
      }
    >
      {refused === undefined ? <Entries /> : <Empty title={refused} />}
    </Screen>
  )
}
