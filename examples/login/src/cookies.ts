interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
  /** Absent: until the browser is closed. 0: gone at once. */
  readonly maxAgeSeconds?: number
}

export const cookieOf = (request: Request, name: string): string | undefined => {
  for (const pair of (request.headers.get("cookie") ?? "").split("; ")) {
    const mark = pair.indexOf("=")
    if (pair.slice(0, mark) === name) return pair.slice(mark + 1)
  }
  return undefined
}

/** A cookie that no program in a page can read, and that other sites' requests do not carry. */
export const cookie = (request: Request, { maxAgeSeconds, name, path, value }: Cookie): string =>
  [
    `${name}=${value}`,
    `Path=${path}`,
    "HttpOnly",
    "SameSite=Lax",
    ...(maxAgeSeconds === undefined ? [] : [`Max-Age=${maxAgeSeconds}`]),
    ...(new URL(request.url).protocol === "https:" ? ["Secure"] : [])
  ].join("; ")
