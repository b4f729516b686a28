import { randomBytes } from "node:crypto"
import { MemoryStorage } from "@countersign/core/memory"
import { Countersign, CountersignError, type PromiseChannel } from "@countersign/http"
import express, { type NextFunction, type Request, type Response } from "express"
import { makeSessions } from "./sessions.ts"

/** An application with its own login, and Countersign inside. `send` brings a code to a phone. */
export const start = async (port: number, send: PromiseChannel["send"]) => {
  const countersign = await Countersign.make({
    storage: MemoryStorage.layer,
    channels: [{ name: "SMS", send }],
    secret: process.env["COUNTERSIGN_SECRET"] ?? randomBytes(32).toString("hex"),
    settings: { strictReverify: true } // two browsers can share a live requestId; each must bring the code
  })
  const sessions = makeSessions()
  const accepted = new Set<string>() // a verification signs in once

  const app = express()
  app.use("/verify", countersign.nodeHandler).use(express.json()) // in this order: it reads the body itself
  app.post("/login", async (req, res) => {
    const { requestId } = await countersign.initiate({ identity: String(req.body?.phone), identityType: "MOBILE" })
    sessions.renew(req, res, { requestId })
    res.status(204).end()
  })
  app.post("/login/code", async (req, res) => {
    const { requestId = "" } = sessions.of(req)
    const { message, verified } = await countersign.verify({ requestId, otp: String(req.body?.code) })
    if (!verified || accepted.has(requestId)) return void res.status(401).json({ message })
    accepted.add(requestId)
    const { phoneNumber: phone } = await countersign.confirm({ requestId })
    sessions.renew(req, res, { phone })
    res.json({ phone })
  })
  app.get("/me", (req, res) => void res.json({ phone: sessions.of(req).phone ?? null }))
  app.use((error: unknown, _req: Request, res: Response, next: NextFunction) =>
    error instanceof CountersignError ? res.status(error.status).json({ message: error.message }) : next(error)
  )
  const server = app.listen(port, "127.0.0.1")
  return { server, close: () => new Promise<void>((done) => server.close(() => done(countersign.close()))) }
}

const toConsole: PromiseChannel["send"] = async ({ text, to }) => console.log(`SMS to ${to}: ${text}`)
if (process.argv[1] === import.meta.filename) await start(3000, toConsole)
