interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
  /** Absent: until the browser is closed. 0: deletes the cookie. */
  readonly maxAgeSeconds?: number
}

export const cookieOf = (request: Request, name: string): string | undefined => {
  for (const pair of (request.headers.get("cookie") ?? "").split("; ")) {
    const mark = pair.indexOf("=")
    if (pair.slice(0, mark) === name) return pair.slice(mark + 1)
  }
  return undefined
}

/** A cookie that scripts cannot read, and that requests from other sites do not carry. */
export const cookie = (request: Request, { maxAgeSeconds, name, path, value }: Cookie): string =>
  [
    `${name}=${value}`,
    `Path=${path}`,
    "HttpOnly",
    "SameSite=Lax",
    ...(maxAgeSeconds === undefined ? [] : [`Max-Age=${maxAgeSeconds}`]),
    ...(new URL(request.url).protocol === "https:" ? ["Secure"] : [])
  ].join("; ")
