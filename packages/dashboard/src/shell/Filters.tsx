import { beginOf, dayOf } from "../address/days.ts"
import { setFilters } from "../address/useFilters.ts"
import { say } from "../words/say.ts"

interface SelectProps {
  /** As the address calls it. */
  readonly name: string
  readonly label: string
  /** What is said where nothing is chosen. */
  readonly any: string
  readonly value: string | undefined
  readonly options: ReadonlyArray<readonly [value: string, words: string]>
}

/** One of the address's values, chosen from a list. A value that the list lacks is there all the same. */
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

/** From a day to a day, both in it, of whoever looks; in the address they are moments. */
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
