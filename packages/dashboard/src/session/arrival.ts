/** What the fragment of the URL carries. Fragments are never sent to a server. */
export type Arrival =
  | { readonly kind: "link"; readonly token: string }
  /** The organisation account is not connected to an agent. */
  | { readonly kind: "refused" }
  /** The organisation's sign-in was unreachable. */
  | { readonly kind: "away" }
  /** Too many sign-ins from this network within one hour. */
  | { readonly kind: "limited" }
  | { readonly kind: "none" }

export const arrivalOf = (hash: string): Arrival => {
  const token = /^#redeem=([\w-]+)$/.exec(hash)?.[1]
  if (token !== undefined) return { kind: "link", token }
  const answer = /^#sign-in=(refused|away|limited)$/.exec(hash)?.[1]
  return answer === undefined ? { kind: "none" } : { kind: answer as "refused" | "away" | "limited" }
}

/** Pasting a link into an open page does not load it. Reload, so that the token does not stay in the address bar. */
export const followArrivals = (): void =>
  addEventListener("hashchange", () => {
    if (arrivalOf(location.hash).kind !== "none") location.reload()
  })

/** Reads the fragment and removes it from the URL, before other code can see it. */
export const arrive = (): Arrival => {
  const arrival = arrivalOf(location.hash)
  if (arrival.kind !== "none") history.replaceState(null, "", `${location.pathname}${location.search}`)
  return arrival
}
