import { randomBytes } from "node:crypto"
import { cookie, cookieOf } from "./cookies.ts"
import type { Handover } from "./links.ts"

/** The signed-in user, as Countersign returned it. */
export interface User {
  readonly identity: string
  readonly identityType: string
  /** When the user was verified, in ISO 8601. */
  readonly verifiedAt: string
  /** This device was trusted, so no code was needed. */
  readonly oneTap: boolean
  /** A link was approved, or Truecaller verified the number: no code was entered. */
  readonly byLink: boolean
}

/** A verification that a browser requested, and its flow. */
export interface Started {
  readonly requestId: string
  readonly path: "phone" | "email" | "link"
  /** The values that the return of a link is checked against. */
  readonly handover?: Handover
}

/** The session of one browser. */
export interface Session {
  readonly started: ReadonlyArray<Started>
  readonly user: User | null
}

const nobody: Session = { started: [], user: null }
const lifetime = 12 * 60 * 60 * 1000
/** Several tabs may sign in concurrently. */
const mostStarted = 5

/**
 * Replace this with your application's own sessions: a cookie, and its data. They are stored in memory and lost with the
 * process; beyond `most` of them, the oldest is dropped.
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
    /** Records a verification that this browser has started. */
    start: (request: Request, response: Response, started: Started): Response => {
      const session = of(request)
      const others = session.started.filter(({ requestId }) => requestId !== started.requestId)
      const id = session === nobody ? fresh() : idOf(request)
      return keep(request, response, id, { ...session, started: [started, ...others].slice(0, mostStarted) })
    },
    /** Signs in or out. The session gets a new id, which prevents session fixation. */
    renew: (request: Request, response: Response, user: User | null): Response => {
      kept.delete(idOf(request))
      return keep(request, response, fresh(), { started: [], user })
    }
  }
}
