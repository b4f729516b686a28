import { useLayoutEffect, useMemo, useRef } from "preact/hooks"
import { go, paths } from "../../address/here.ts"
import { setFilters } from "../../address/useFilters.ts"
import { FilterBar as Bar } from "../../shell/FilterBar.tsx"
import { Days, Select } from "../../shell/Filters.tsx"
import { guardedFor } from "../../life/refusedFor.ts"
import { Choice } from "../../parts/Choice.tsx"
import { isPhone } from "../../shell/narrow.ts"
import { useChannels } from "../../query/useChannels.ts"
import { channelName, wayNames } from "../../words/channels.ts"
import { countries } from "../../words/countries.ts"
import { say as shared } from "../../words/say.ts"
import {
  activeIn,
  failureReasons,
  failures,
  filters,
  guardReasons,
  hasReason,
  meantBy,
  statuses,
  type Wanted
} from "./filters.ts"
import { say } from "./words.ts"

/** Debounce of the search field. */
const patience = 350

function Search({ wanted }: { readonly wanted: Wanted }) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const field = useRef<HTMLInputElement>(null)
  // Do not overwrite the field from the address while the user types in it.
  useLayoutEffect(() => {
    if (field.current !== null && field.current !== document.activeElement) field.current.value = wanted.find ?? ""
  }, [wanted.find])
  useLayoutEffect(() => () => clearTimeout(timer.current), [])
  const look = (typed: string) => {
    clearTimeout(timer.current)
    const meant = meantBy(typed)
    if (meant.kind === "request") go(paths.verification({ requestId: meant.requestId }))
    else if (meant.kind === "guard") {
      if (field.current !== null) field.current.value = ""
      setFilters(filters, { guard: meant.guard, find: null, as: null })
    } else setFilters(filters, { find: typed.trim(), as: null })
  }
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        look(event.currentTarget.querySelector("input")?.value ?? "")
      }}
    >
      <input
        ref={field}
        id="find"
        name="find"
        type="search"
        aria-label={say.searchLabel}
        placeholder={say.search}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => {
          const typed = event.currentTarget.value
          clearTimeout(timer.current)
          timer.current = setTimeout(() => look(typed), patience)
        }}
      />
    </form>
  )
}

/** Started or refused. On a phone it is among the filters. */
export function ListChoice({ wanted }: { readonly wanted: Wanted }) {
  return (
    <Choice
      label={say.which}
      value={wanted.view ?? "all"}
      onChoose={(view) => setFilters(filters, { view: view === "refused" ? view : null })}
      options={[
        { value: "all", label: say.started },
        { value: "refused", label: say.refused }
      ]}
    />
  )
}

/** Filters of the list. All of them are in the address. */
export function FilterBar({ wanted }: { readonly wanted: Wanted }) {
  const countryList = useMemo(countries, [])
  useChannels()
  const isRefused = wanted.view === "refused"
  return (
    <Bar label={say.filters} active={activeIn(wanted)}>
      {isPhone.value ? <ListChoice wanted={wanted} /> : null}
      {isRefused ? null : (
        <>
          <Search wanted={wanted} />
          <Select
            of={filters}
            name="status"
            label={say.status}
            any={say.anyStatus}
            value={wanted.status}
            options={statuses.map((status) => [status, shared.authStatus[status] ?? status])}
          />
          <Select
            of={filters}
            name="failure"
            label={say.failure}
            any={say.anyFailure}
            value={wanted.failure}
            options={failures.map((failure) => [failure, say.failures[failure]])}
          />
          {hasReason(wanted) ? (
            <Select
              of={filters}
              name="reason"
              label={say.why}
              any={say.anyReason}
              value={wanted.reason}
              options={failureReasons.map((reason) => [reason, say.reasons[reason]])}
            />
          ) : null}
          <Select
            of={filters}
            name="channel"
            label={say.channel}
            any={say.anyChannel}
            value={wanted.channel}
            options={[...new Set([...wayNames(), ...(wanted.channel === undefined ? [] : [wanted.channel])])].map(
              (channel) => [channel, channelName(channel)]
            )}
          />
          <Select
            of={filters}
            name="country"
            label={say.country}
            any={say.anyCountry}
            value={wanted.country}
            options={countryList}
          />
          <Select
            of={filters}
            name="relayed"
            label={say.codes}
            any={say.anyCodes}
            value={wanted.relayed}
            options={[
              ["false", say.ownCodes],
              ["true", say.relayedCodes]
            ]}
          />
        </>
      )}
      <Select
        of={filters}
        name="guard"
        label={say.guard}
        any={say.anyGuard}
        value={wanted.guard}
        options={guardReasons.map((reason) => [reason, guardedFor([{ reason }])])}
      />
      <div class="filter-days">
        <Days of={filters} from={wanted.from} to={wanted.to} />
      </div>
    </Bar>
  )
}
