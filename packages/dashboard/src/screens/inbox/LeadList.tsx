import { type ReadonlySignal, type Signal, useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { paths } from "../../address/here.ts"
import { setFilter, setFilters } from "../../address/useFilters.ts"
import type { Item } from "../../api/Api.ts"
import { Choice } from "../../parts/Choice.tsx"
import { LongTable } from "../../parts/LongTable.tsx"
import { Pill } from "../../parts/Pill.tsx"
import type { Column } from "../../parts/Table.tsx"
import { now, Time, useNow } from "../../parts/Time.tsx"
import type { Pages } from "../../query/usePages.ts"
import { useQuery } from "../../query/useQuery.ts"
import { may } from "../../session/may.ts"
import { FilterBar } from "../../shell/FilterBar.tsx"
import { isPhone } from "../../shell/narrow.ts"
import { useKeys } from "../../keys/useKeys.ts"
import { lazyPart } from "../../shell/lazyDialog.tsx"
import { leadSearch } from "../../shell/searchDialog.ts"
import { say as shared } from "../../words/say.ts"
import { ago, count, duration, moment } from "../../words/format.ts"
import { momentInIndia, urgencyOf } from "./conversation.ts"
import { filters, type Wanted } from "./filters.ts"
import { LeadLabels } from "./LeadLabels.tsx"
import { searchedLabel } from "./labels.ts"
import { called, initialsOf, nameOf, who } from "./names.ts"
import { previewOf, receiptOf } from "./preview.ts"
import { chosenOf, mostSelected, pressed } from "./selection.ts"
import { say } from "./words.ts"

const BulkBar = lazyPart(() => import("./BulkBar.tsx").then((loaded) => loaded.BulkBar), null)

type Row = Item<"GET /v1/dashboard/leads">

/** How long a customer has waited for a reply. Reading the message does not end the wait. */
function Wait({ of: { lastInboundAt, waitingSince } }: { readonly of: Row }) {
  useNow()
  if (waitingSince === null) return null
  const waited = Math.max(60_000, now.value - Date.parse(waitingSince))
  return (
    <Pill
      tone={urgencyOf({ lastInboundAt, waitingSince }, now.value)}
      title={say.waitingSince(moment(new Date(waitingSince)))}
    >
      <span aria-hidden="true">{duration(waited)}</span>
      <span class="unseen">{say.waitingFor(duration(waited))}</span>
    </Pill>
  )
}

/** When a snoozed lead waits again. */
function Snooze({ until }: { readonly until: string | null }) {
  useNow()
  if (until === null) return null
  return (
    <Pill title={say.snoozedUntil(moment(new Date(until)))}>
      <span aria-hidden="true">{ago(new Date(until), now.value)}</span>
      <span class="unseen">{say.snoozedUntil(moment(new Date(until)))}</span>
    </Pill>
  )
}

/** What became of our latest message. */
function Receipt({ of }: { readonly of: NonNullable<Row["lastMessage"]> }) {
  const receipt = receiptOf(of)
  if (receipt === null) return null
  return (
    <span class="receipt" data-tone={receipt.tone} title={say.statuses[receipt.status]}>
      <span aria-hidden="true">{receipt.sign} </span>
      <span class="unseen">{say.statuses[receipt.status]}: </span>
    </span>
  )
}

const columns: ReadonlyArray<Column<Row>> = [
  {
    title: say.who,
    names: true,
    cell: (lead) => (
      <span class="theirs lead-name" dir="auto">
        {called(lead)}
      </span>
    )
  },
  {
    title: say.when,
    cell: ({ lastMessageAt, waitingSince }) =>
      waitingSince === null ? <Time at={momentInIndia(lastMessageAt)} /> : null
  },
  {
    title: say.last,
    cell: ({ labels, lastMessage, status }) => (
      <span class="lead-line">
        <LeadLabels labels={labels} most={2} />
        {status === "CLOSED" ? `${say.closed} · ` : ""}
        {lastMessage === null ? null : <Receipt of={lastMessage} />}
        <span class="theirs" dir="auto">
          {lastMessage === null ? "" : previewOf(lastMessage, say)}
        </span>
      </span>
    )
  },
  {
    title: say.state,
    cell: (lead) => (
      <span class="lead-state">
        {lead.assignedTo === null ? null : (
          <span class="initials theirs" title={who(lead.assignedTo)}>
            <span aria-hidden="true">{initialsOf(nameOf(lead.assignedTo))}</span>
            <span class="unseen">
              {say.owner}: {who(lead.assignedTo)}
            </span>
          </span>
        )}
        <Wait of={lead} />
        <Snooze until={lead.snoozedUntil} />
        {lead.unreadCount === 0 ? null : (
          <span class="unread" title={say.unread(count(lead.unreadCount))}>
            {count(lead.unreadCount)}
            <span class="unseen"> {say.unreadTitle}</span>
          </span>
        )}
      </span>
    )
  }
]

interface SelectProps {
  readonly lead: Row
  readonly selected: Signal<ReadonlySet<number>>
  readonly onPress: (id: number, isRange: boolean) => void
}

/** The checkbox of a row. The keyboard uses `x`, because the list is a single Tab stop. */
function Select({ lead, onPress, selected }: SelectProps) {
  return (
    <label class="lead-select">
      <input
        type="checkbox"
        tabIndex={-1}
        data-lead={lead.id}
        aria-label={say.selectLead(called(lead))}
        checked={selected.value.has(lead.id)}
        onClick={(event) => onPress(lead.id, event.shiftKey)}
      />
    </label>
  )
}

/** The lead of the row that has the focus. */
const focusedLead = (): number | null => {
  const box = document.activeElement?.closest(".long-row")?.querySelector<HTMLElement>("[data-lead]")
  return box == null ? null : Number(box.dataset["lead"])
}

let typing: ReturnType<typeof setTimeout> | undefined
const searchSoon = (search: string) => {
  clearTimeout(typing)
  typing = setTimeout(() => setFilters(filters, { search }), 250)
}

interface Props {
  readonly wanted: ReadonlySignal<Wanted>
  readonly pages: Pages<Row>
  readonly labels: ReadonlyArray<Item<"GET /v1/dashboard/labels">>
  readonly current: number | null
  readonly empty: ComponentChildren
}

/** Leads of one view: who waits longest first, or most recent activity first. */
export function LeadList({ current, empty, labels, pages, wanted }: Props) {
  const teams = useQuery("GET /v1/whatsapp/leads/teams", () => ({}))
  const { label, search, status, team, view } = wanted.value
  const meant = searchedLabel(search, labels)
  const selected = useSignal<ReadonlySet<number>>(new Set())
  const last = useRef<number | null>(null)
  const keep = (ids: ReadonlyArray<number>) => {
    selected.value = new Set(ids)
    last.current = null
  }
  // A selection belongs to one list.
  const list = JSON.stringify(wanted.value)
  useLayoutEffect(() => keep([]), [list])
  const rows = pages.items.value ?? []
  const chosen = chosenOf(rows, selected.value)
  const press = (id: number, isRange: boolean) => {
    const ids = (pages.items.peek() ?? []).map((lead) => lead.id)
    selected.value = pressed(selected.peek(), ids, { id, from: isRange ? last.current : null })
    last.current = id
  }
  const canWork = may.work === undefined
  useKeys(
    canWork && rows.length > 0
      ? {
          x: [
            say.keys.select,
            () => {
              const id = focusedLead() ?? current
              if (id !== null && pages.items.peek()?.some((lead) => lead.id === id) === true) press(id, false)
            }
          ]
        }
      : {}
  )
  const selecting: Column<Row> = {
    title: say.selectTitle,
    cell: (lead) => <Select lead={lead} selected={selected} onPress={press} />
  }
  const field = (
    <input
      id="lead-search"
      type="search"
      aria-label={say.search}
      placeholder={say.searchHint}
      value={search ?? ""}
      onInput={(event) => searchSoon(event.currentTarget.value)}
    />
  )
  const hint =
    search === undefined ? null : (
      <p class="hint" role="status">
        {/* When the service would reject a search, the list shows other leads. */}
        {meant === null
          ? say.labels.unknown
          : meant !== undefined
            ? say.labels.search(meant.name)
            : leadSearch(search, may.work !== undefined) === null
              ? say.searchTooShort
              : say.searchAlone}
      </p>
    )
  const views =
    search === undefined ? (
      <Choice
        label={say.view}
        value={view ?? "waiting"}
        onChoose={(next) => setFilters(filters, { view: next === "waiting" ? undefined : next })}
        options={[
          { value: "waiting", label: say.waitingTab },
          { value: "mine", label: say.mine },
          { value: "unassigned", label: say.unassignedTab },
          { value: "all", label: say.all },
          { value: "snoozed", label: say.snoozedTab }
        ]}
      />
    ) : null
  const selects =
    search === undefined ? (
      <div class="inbox-selects">
        {view === undefined || view === "snoozed" ? null : (
          <select
            aria-label={say.status}
            value={status ?? ""}
            onChange={(event) => setFilter(filters, "status", event.currentTarget.value)}
          >
            <option value="">{say.open}</option>
            <option value="closed">{say.closed}</option>
            <option value="any">{say.any}</option>
          </select>
        )}
        {(teams.answer.value?.length ?? 0) === 0 ? null : (
          <select
            aria-label={say.team}
            value={team ?? ""}
            onChange={(event) => setFilter(filters, "team", event.currentTarget.value)}
          >
            <option value="">{say.anyTeam}</option>
            {teams.answer.value?.map(({ id, name }) => (
              <option key={id} value={name}>
                {name}
              </option>
            ))}
          </select>
        )}
        {labels.length === 0 ? null : (
          <select
            aria-label={say.labels.title}
            value={label ?? ""}
            onChange={(event) => setFilter(filters, "label", event.currentTarget.value)}
          >
            <option value="">{say.labels.any}</option>
            {labels.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </div>
    ) : null
  return (
    <section class="inbox-list" aria-label={say.list} data-selecting={chosen.length > 0 || undefined}>
      <div class="inbox-filters">
        {isPhone.value ? (
          <>
            {views}
            <FilterBar label={shared.filters} active={[label, search, status, team].filter(Boolean).length}>
              {field}
              {hint ?? selects}
            </FilterBar>
          </>
        ) : (
          <>
            {field}
            {hint}
            {views}
            {selects}
          </>
        )}
      </div>
      <LongTable
        caption={say.list}
        columns={canWork ? [...columns, selecting] : columns}
        pages={pages}
        id={(lead) => String(lead.id)}
        href={(lead) => paths.lead({ id: lead.id }, wanted.value)}
        current={current === null ? undefined : String(current)}
        rowHeight={3.75}
        steered
        empty={empty}
      />
      {chosen.length === 0 ? null : (
        <BulkBar
          chosen={chosen}
          hasOthers={chosen.length < Math.min(rows.length, mostSelected)}
          onAll={() => (selected.value = new Set(rows.slice(0, mostSelected).map(({ id }) => id)))}
          onKeep={keep}
          onChanged={pages.renew}
        />
      )}
    </section>
  )
}
