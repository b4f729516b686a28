/** A request that began before the page's code was loaded. */
interface Early {
  /** URL and headers: an answer for another merchant, environment or input is not taken. */
  readonly key: string
  readonly response: Promise<Response>
}

declare global {
  /** Written by the first script of the page, read by its code. */
  var countersignEarly: Array<Early> | undefined
}

type Headers = Readonly<Record<string, string>>

const keyOf = (url: string, headers: Headers) =>
  JSON.stringify([url, headers["x-environment"], headers["x-merchant"], Object.keys(headers).length])

/** Sends a GET before the page's code is there. */
export const askEarly = (url: string, headers: Headers): void => {
  const response = fetch(url, { credentials: "same-origin", headers })
  // A failure nobody waits for is not an error of the page.
  response.catch(() => {})
  globalThis.countersignEarly = [...(globalThis.countersignEarly ?? []), { key: keyOf(url, headers), response }]
}

/** Until when an early answer counts as new, in milliseconds of the page's life. */
const fresh = 30_000

/** The early answer to exactly this GET. Each is given once, so that every later call asks the service. */
export const takeEarly = (url: string, headers: Headers): Promise<Response> | undefined => {
  const all = globalThis.countersignEarly ?? []
  const taken = performance.now() < fresh ? all.find(({ key }) => key === keyOf(url, headers)) : undefined
  if (taken !== undefined) globalThis.countersignEarly = all.filter((each) => each !== taken)
  return taken?.response
}

/** Forgets all early answers, because the session has changed. */
export const forgetEarly = (): void => {
  globalThis.countersignEarly = undefined
}
