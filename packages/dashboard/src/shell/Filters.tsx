import { beginOf, dayOf } from "../address/days.ts"
import { setFilters } from "../address/useFilters.ts"
import { say } from "../words/say.ts"

interface SelectProps {
  /** Parameter name in the address. */
  readonly name: string
  readonly label: string
  /** Label of the empty option. */
  readonly any: string
  readonly value: string | undefined
  readonly options: ReadonlyArray<readonly [value: string, words: string]>
}

/** A filter of the address as a select. A value that is not in the list is added to it. */
export function Select({ any, label, name, options, value }: SelectProps) {
  const isMissing = value !== undefined && !options.some(([each]) => each === value)
  return (
    <select
      name={name}
      aria-label={label}
      value={value ?? ""}
      onChange={(event) => setFilters({ [name]: event.currentTarget.value })}
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

/** A range of days in the viewer's zone, both inclusive. The address has moments. */
export function Days({ from, to }: { readonly from: string | undefined; readonly to: string | undefined }) {
  return (
    <>
      <label class="filter-day">
        <span>{say.from}</span>
        <input
          type="date"
          value={dayOf(from)}
          onChange={(event) => setFilters({ from: beginOf(event.currentTarget.value) })}
        />
      </label>
      <label class="filter-day">
        <span>{say.to}</span>
        <input
          type="date"
          value={dayOf(to, true)}
          onChange={(event) => setFilters({ to: beginOf(event.currentTarget.value, 1) })}
        />
      </label>
    </>
  )
}
