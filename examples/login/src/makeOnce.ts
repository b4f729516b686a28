/** Accepts each id once. Beyond `most` ids, the oldest is dropped; its verification is too old by then. */
export const makeOnce = (most = 100_000) => {
  const taken = new Set<string>()
  return (id: string): boolean => {
    if (taken.has(id)) return false
    taken.add(id)
    for (const oldest of taken) {
      if (taken.size <= most) break
      taken.delete(oldest)
    }
    return true
  }
}
