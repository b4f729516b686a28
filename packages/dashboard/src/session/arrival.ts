/** What somebody brings along in the fragment of the address, which no server sees. */
export type Arrival =
  | { readonly kind: "link"; readonly token: string }
  /** An organisation's sign-in let nobody in who works here. */
  | { readonly kind: "refused" }
  /** An organisation's sign-in could not be reached. */
  | { readonly kind: "away" }
  /** Too many sign-ins from this network within the hour. */
  | { readonly kind: "limited" }
  | { readonly kind: "none" }

export const arrivalOf = (hash: string): Arrival => {
  const token = /^#redeem=([\w-]+)$/.exec(hash)?.[1]
  if (token !== undefined) return { kind: "link", token }
  const answer = /^#sign-in=(refused|away|limited)$/.exec(hash)?.[1]
  return answer === undefined ? { kind: "none" } : { kind: answer as "refused" | "away" | "limited" }
}

/** A link pasted over the address of an open page loads nothing: begin anew, or its token stays there for all to see. */
export const followArrivals = (): void =>
  addEventListener("hashchange", () => {
    if (arrivalOf(location.hash).kind !== "none") location.reload()
  })

/** Reads it and takes it out of the address, before anything else could see it there. */
export const arrive = (): Arrival => {
  const arrival = arrivalOf(location.hash)
  if (arrival.kind !== "none") history.replaceState(null, "", `${location.pathname}${location.search}`)
  return arrival
}
