import { useLayoutEffect, useRef } from "preact/hooks"
import { beginOf, dayOf } from "../address/days.ts"
import type { Filter, FilterSpec } from "../address/filtersIn.ts"
import { setFilter, setFilters } from "../address/useFilters.ts"
import { say } from "../words/say.ts"

interface SelectProps<S extends FilterSpec> {
  /** Filters of the screen. */
  readonly of: S
  readonly name: keyof S & string
  readonly label: string
  /** Label of the empty option. */
  readonly any: string
  readonly value: string | undefined
  readonly options: ReadonlyArray<readonly [value: string, words: string]>
}

/** A filter of the address as a select. A value that is not in the list is added to it. */
export function Select<S extends FilterSpec>({ any, label, name, of, options, value }: SelectProps<S>) {
  const isMissing = value !== undefined && !options.some(([each]) => each === value)
  return (
    <select
      name={name}
      aria-label={label}
      value={value ?? ""}
      onChange={(event) => setFilter(of, name, event.currentTarget.value)}
    >
      <option value="">{any}</option>
      {isMissing ? <option value={value}>{value}</option> : null}
      {options.map(([each, words]) => (
        <option key={each} value={each}>
          {words}
        </option>
      ))}
    </select>
  )
}

interface SearchFieldProps<S extends FilterSpec> {
  /** Filters of the screen. */
  readonly of: S
  readonly name: keyof S & string
  readonly label: string
  readonly placeholder: string
  readonly value: string | undefined
}

/** How long a search waits while the user types, in milliseconds. */
const patience = 350

/** A filter of the address as a search field. */
export function SearchField<S extends FilterSpec>({ label, name, of, placeholder, value }: SearchFieldProps<S>) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const field = useRef<HTMLInputElement>(null)
  // Do not overwrite the field from the address while the user types in it.
  useLayoutEffect(() => {
    if (field.current !== null && field.current !== document.activeElement) field.current.value = value ?? ""
  }, [value])
  useLayoutEffect(() => () => clearTimeout(timer.current), [])
  const look = () => {
    clearTimeout(timer.current)
    setFilter(of, name, field.current?.value.trim() ?? "")
  }
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        look()
      }}
    >
      <input
        ref={field}
        name={name}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        onInput={() => {
          clearTimeout(timer.current)
          timer.current = setTimeout(look, patience)
        }}
      />
    </form>
  )
}

interface DaysProps {
  /** Filters of the screen. */
  readonly of: FilterSpec & { readonly from: Filter<string>; readonly to: Filter<string> }
  readonly from: string | undefined
  readonly to: string | undefined
}

/** A range of days in the viewer's zone, both inclusive. The address has moments. */
export function Days({ from, of, to }: DaysProps) {
  return (
    <>
      <label class="filter-day">
        <span>{say.from}</span>
        <input
          type="date"
          value={dayOf(from)}
          onChange={(event) => setFilters(of, { from: beginOf(event.currentTarget.value) })}
        />
      </label>
      <label class="filter-day">
        <span>{say.to}</span>
        <input
          type="date"
          value={dayOf(to, true)}
          onChange={(event) => setFilters(of, { to: beginOf(event.currentTarget.value, 1) })}
        />
      </label>
    </>
  )
}
