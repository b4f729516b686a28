import { randomBytes } from "node:crypto"
import { cookie, cookieOf } from "./cookies.ts"
import type { Handover } from "./links.ts"

/** Who is signed in, as Countersign said. */
export interface User {
  readonly identity: string
  readonly identityType: string
  /** When the person was verified, in ISO 8601. */
  readonly verifiedAt: string
  /** This device was trusted, and no code was asked for. */
  readonly oneTap: boolean
  /** A link was approved, or Truecaller knew the number: no code was typed. */
  readonly byLink: boolean
}

/** A verification that a browser asked for, and on which path. */
export interface Started {
  readonly requestId: string
  readonly path: "phone" | "email" | "link"
  /** What a link's return is checked against. */
  readonly handover?: Handover
}

/** What we know of one browser. */
export interface Session {
  readonly started: ReadonlyArray<Started>
  readonly user: User | null
}

const nobody: Session = { started: [], user: null }
const lifetime = 12 * 60 * 60 * 1000
/** Several tabs may sign in at once. */
const mostStarted = 5

/**
 * Stands in for the sessions that your application has already: a cookie, and what it stands for. They are kept in
 * memory and gone with the process; beyond `most` of them the oldest goes.
 */
export const makeSessions = (path: string, now: () => number, most = 10_000) => {
  const kept = new Map<string, { readonly session: Session; readonly until: number }>()

  const idOf = (request: Request) => cookieOf(request, "login") ?? ""

  const of = (request: Request): Session => {
    const found = kept.get(idOf(request))
    return found === undefined || found.until <= now() ? nobody : found.session
  }

  const keep = (request: Request, response: Response, id: string, session: Session): Response => {
    kept.delete(id)
    kept.set(id, { session, until: now() + lifetime })
    for (const oldest of kept.keys()) {
      if (kept.size <= most) break
      kept.delete(oldest)
    }
    response.headers.append("set-cookie", cookie(request, { name: "login", value: id, path }))
    return response
  }

  const fresh = () => randomBytes(24).toString("base64url")

  return {
    of,
    /** Notes a verification that this browser has started. */
    start: (request: Request, response: Response, started: Started): Response => {
      const session = of(request)
      const others = session.started.filter(({ requestId }) => requestId !== started.requestId)
      const id = session === nobody ? fresh() : idOf(request)
      return keep(request, response, id, { ...session, started: [started, ...others].slice(0, mostStarted) })
    },
    /** Signs in, or out. The id is a new one, so that nobody can plant one in a browser beforehand. */
    renew: (request: Request, response: Response, user: User | null): Response => {
      kept.delete(idOf(request))
      return keep(request, response, fresh(), { started: [], user })
    }
  }
}
