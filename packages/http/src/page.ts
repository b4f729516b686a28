/**
 * One page of a list, of which one more than `limit` was asked for: whether there is that one decides on the cursor,
 * which is the id of the last item shown.
 */
export const page = <Found, Shown extends { readonly id: string }>(
  found: ReadonlyArray<Found>,
  limit: number,
  shown: (one: Found) => Shown
): { readonly items: ReadonlyArray<Shown>; readonly nextCursor: string | null } => {
  const items = found.slice(0, limit).map(shown)
  return { items, nextCursor: found.length > limit ? (items.at(-1)?.id ?? null) : null }
}
