/** The most leads of one bulk request. */
export const mostSelected = 100

interface Press {
  readonly id: number
  /** The row that was pressed before, when this press selects a range. */
  readonly from: number | null
}

/**
 * The selection after a press on a row. Every row between it and `from` gets the pressed row's new state. A row that is
 * no longer listed starts no range.
 */
export const pressed = (
  selected: ReadonlySet<number>,
  ids: ReadonlyArray<number>,
  { from, id }: Press
): ReadonlySet<number> => {
  const [at, start] = [ids.indexOf(id), from === null ? -1 : ids.indexOf(from)]
  const range = at === -1 || start === -1 ? [id] : ids.slice(Math.min(at, start), Math.max(at, start) + 1)
  const next = new Set(selected)
  for (const each of range) {
    if (selected.has(id)) next.delete(each)
    else next.add(each)
  }
  return next
}

/** The selected leads that are listed now. An action never concerns a lead that the list no longer shows. */
export const chosenOf = <L extends { readonly id: number }>(
  leads: ReadonlyArray<L>,
  selected: ReadonlySet<number>
): ReadonlyArray<L> => leads.filter(({ id }) => selected.has(id)).slice(0, mostSelected)
