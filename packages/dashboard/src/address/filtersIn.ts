/** Parses a query value. Returns undefined when the value is not valid. */
export type Filter<T> = (text: string) => T | undefined

/** Parsers of a screen's query parameters, by name. */
export type FilterSpec = { readonly [name: string]: Filter<string | number | boolean> }
export type Filters<S extends FilterSpec> = { readonly [N in keyof S]?: NonNullable<ReturnType<S[N]>> }
/** Values to set in an address. A name or value that the screen does not read is a compile error. */
export type Settable<S extends FilterSpec> = { readonly [N in keyof S]?: Filters<S>[N] | null | undefined }

export const text: Filter<string> = (value) => (value.trim() === "" ? undefined : value)
export const oneOf =
  <const V extends string>(values: ReadonlyArray<V>): Filter<V> =>
  (value) =>
    values.find((each) => each === value)
export const flag: Filter<boolean> = (value) => (value === "true" ? true : undefined)
/** A moment in ISO 8601. */
export const instant: Filter<string> = (value) =>
  Number.isNaN(Date.parse(value)) ? undefined : new Date(value).toISOString()

/** The valid values of a query. Drops all others, and reads a repeated name once. */
export const filtersIn = <S extends FilterSpec>(spec: S, search: string): Filters<S> => {
  const given = new URLSearchParams(search)
  const found: { [name: string]: unknown } = {}
  for (const [name, filter] of Object.entries(spec)) {
    const written = given.get(name)
    const value = written === null ? undefined : filter(written)
    if (value !== undefined) found[name] = value
  }
  return found as Filters<S>
}

/** A query with changed filters. Null, or a value that the screen would not read, removes a filter. */
export const searchWith = <S extends FilterSpec>(spec: S, search: string, values: Settable<S>): URLSearchParams => {
  const changed = new URLSearchParams(search)
  for (const [name, value] of Object.entries(values)) {
    const written = value === null || value === undefined ? undefined : spec[name]?.(String(value))
    if (written === undefined) changed.delete(name)
    else changed.set(name, String(written))
  }
  return changed
}
