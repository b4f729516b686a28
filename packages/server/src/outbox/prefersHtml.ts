/** How much a client wants a type that its `Accept` header names, from 0 to 1. Wildcards name nothing. */
const wish = (accept: string, type: string): number => {
  for (const range of accept.split(",")) {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase())
    if (name !== type) continue
    const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2)
    const weight = q === undefined ? 1 : Number(q)
    return weight >= 0 && weight <= 1 ? weight : 0
  }
  return 0
}

/** Whether a page is wanted rather than data: browsers ask for HTML by name, other clients do not. */
export const prefersHtml = (accept: string | undefined): boolean =>
  accept !== undefined && wish(accept, "text/html") > wish(accept, "application/json")
