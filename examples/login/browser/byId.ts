/** An element of the page, checked for its type. */
export const byId = <E extends HTMLElement>(id: string, kind: new () => E): E => {
  const element = document.getElementById(id)
  if (!(element instanceof kind)) throw new Error(`The page has no ${kind.name} #${id}`)
  return element
}
