import { useMemo, useRef } from "preact/hooks"
import { go, paths } from "../../address/here.ts"
import { setFilters } from "../../address/useFilters.ts"
import { countries } from "../../words/countries.ts"
import { say as shared } from "../../words/say.ts"
import { beginOf, channels, dayOf, meantBy, statuses, type Wanted } from "./filters.ts"
import { say } from "./words.ts"

/** How long after the last key the list is asked for. */
const patience = 350

function Search({ wanted }: { readonly wanted: Wanted }) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const look = (typed: string) => {
    clearTimeout(timer.current)
    const meant = meantBy(typed)
    if (meant.kind === "request") go(paths.verification({ requestId: meant.requestId }))
    else setFilters({ find: typed.trim(), as: null })
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
        id="find"
        name="find"
        type="search"
        aria-label={say.searchLabel}
        placeholder={say.search}
        autocomplete="off"
        spellcheck={false}
        value={wanted.find ?? ""}
        onInput={(event) => {
          const typed = event.currentTarget.value
          clearTimeout(timer.current)
          timer.current = setTimeout(() => look(typed), patience)
        }}
      />
    </form>
  )
}

interface SelectProps {
  readonly name: string
  readonly label: string
  readonly any: string
  readonly value: string | undefined
  readonly options: ReadonlyArray<readonly [value: string, words: string]>
}

function Select({ any, label, name, options, value }: SelectProps) {
  return (
    <select
      name={name}
      aria-label={label}
      value={value ?? ""}
      onChange={(event) => setFilters({ [name]: event.currentTarget.value })}
    >
      <option value="">{any}</option>
      {options.map(([each, words]) => (
        <option key={each} value={each}>
          {words}
        </option>
      ))}
    </select>
  )
}

/** What the list is asked for. All of it is in the address. */
export function FilterBar({ wanted }: { readonly wanted: Wanted }) {
  const known = useMemo(countries, [])
  const isRefused = wanted.view === "refused"
  return (
    <div class="filters" role="group" aria-label={say.filters}>
      {isRefused ? null : (
        <>
          <Search wanted={wanted} />
          <Select
            name="status"
            label={say.status}
            any={say.anyStatus}
            value={wanted.status}
            options={statuses.map((each) => [each, shared.authStatus[each] ?? each])}
          />
          <Select
            name="channel"
            label={say.channel}
            any={say.anyChannel}
            value={wanted.channel}
            options={channels.map((each) => [each, shared.channel[each] ?? each])}
          />
          <Select name="country" label={say.country} any={say.anyCountry} value={wanted.country} options={known} />
        </>
      )}
      <label class="filter-day">
        <span>{say.from}</span>
        <input
          type="date"
          value={dayOf(wanted.from)}
          onChange={(event) => setFilters({ from: beginOf(event.currentTarget.value) })}
        />
      </label>
      <label class="filter-day">
        <span>{say.to}</span>
        <input
          type="date"
          value={dayOf(wanted.to, true)}
          onChange={(event) => setFilters({ to: beginOf(event.currentTarget.value, 1) })}
        />
      </label>
    </div>
  )
}
