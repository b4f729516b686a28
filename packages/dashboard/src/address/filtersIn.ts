/** How a value stands in the address: what it means, or undefined where it means nothing. */
export type Filter<T> = (text: string) => T | undefined

/** What a screen can be asked for, by the names in its address. */
export type FilterSpec = { readonly [name: string]: Filter<string | number | boolean> }
export type Filters<S extends FilterSpec> = { readonly [N in keyof S]?: NonNullable<ReturnType<S[N]>> }

export const text: Filter<string> = (value) => (value.trim() === "" ? undefined : value)
export const oneOf =
  <const V extends string>(values: ReadonlyArray<V>): Filter<V> =>
  (value) =>
    values.find((each) => each === value)
export const flag: Filter<boolean> = (value) => (value === "true" ? true : undefined)
/** A moment, as ISO writes it. */
export const instant: Filter<string> = (value) =>
  Number.isNaN(Date.parse(value)) ? undefined : new Date(value).toISOString()

/** The values of an address that mean something; all else is dropped, and a repeated name counts once. */
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
