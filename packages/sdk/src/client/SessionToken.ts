import { CountersignError } from "../CountersignError.ts"

/** Before its end, so that it is still good when it arrives. */
const margin = 30_000

/** An error page, or JSON around the token, would only fail later and say less. */
const isToken = /^[\w.~+/=-]+$/

/** When a JWT ends. One that cannot be read is kept until the service refuses it. */
const endOf = (token: string): number => {
  try {
    const payload = token.split(".")[1] ?? ""
    const claims: { readonly exp?: unknown } = JSON.parse(atob(payload.replace(/-/g, "+").replace(/_/g, "/")))
    return typeof claims.exp === "number" ? claims.exp * 1000 - margin : Infinity
  } catch {
    return Infinity
  }
}

/** Asks the app's backend for a session token, and keeps it for its life. Callers at one time share one question. */
export const makeSessionToken = (ask: () => string | Promise<string>) => {
  let kept: Promise<string> | undefined
  let end = 0

  const fresh = async () => {
    const token: unknown = await ask()
    if (typeof token !== "string" || !isToken.test(token))
      throw new CountersignError(
        "INVALID_CLIENT_CREDENTIALS",
        "sessionToken gave no token: let it return what your backend gets from POST /v1/sdk/session"
      )
    end = endOf(token)
    return token
  }

  const forget = (token: Promise<string>) => {
    if (kept === token) kept = undefined
  }

  const get = () => {
    if (kept !== undefined && Date.now() < end) return kept
    end = Infinity
    const token = fresh()
    kept = token
    token.catch(() => forget(token))
    return token
  }

  return { get, forget }
}
