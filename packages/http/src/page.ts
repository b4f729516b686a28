/**
 * One page of a list. The caller requests one item more than `limit`: if it exists, the cursor is the id of the last item
 * of the page.
 */
export const page = <Found, Shown extends { readonly id: string }>(
  found: ReadonlyArray<Found>,
  limit: number,
  shown: (one: Found) => Shown
): { readonly items: ReadonlyArray<Shown>; readonly nextCursor: string | null } => {
  const items = found.slice(0, limit).map(shown)
  return { items, nextCursor: found.length > limit ? (items.at(-1)?.id ?? null) : null }
}
