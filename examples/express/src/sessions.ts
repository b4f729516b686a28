import { randomBytes } from "node:crypto"
import type { Request, Response } from "express"

/** What the application knows of one browser: the verification it asked for, or who is signed in. */
interface Session {
  readonly requestId?: string
  readonly phone?: string | null
}

/** Stands in for the sessions that your application has already: a cookie, and what it stands for. */
export const makeSessions = () => {
  const sessions = new Map<string, Session>()
  const idOf = (req: Request) => /(?:^|; )sid=(\w+)/.exec(req.headers.cookie ?? "")?.[1] ?? ""
  return {
    of: (req: Request): Session => sessions.get(idOf(req)) ?? {},
    /** A fresh id whenever a session comes to mean something else, so that nobody can plant one. */
    renew: (req: Request, res: Response, session: Session) => {
      const id = randomBytes(24).toString("hex")
      sessions.delete(idOf(req))
      sessions.set(id, session)
      res.cookie("sid", id, { httpOnly: true, sameSite: "lax" })
    }
  }
}
