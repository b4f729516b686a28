import { randomBytes } from "node:crypto"
import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import * as LockSocket from "../LockSocket.ts"
import { copyOpen } from "./copyDirectory.ts"

/** In the data directory, which nobody else can look into: so nobody else can ask. */
const socketName = "copy.sock"
const isCopy = /^copy-[0-9a-f]+$/

export const freshName = () => `copy-${randomBytes(6).toString("hex")}`

type Answer = { readonly name: string; readonly at: number } | { readonly failed: string }

/**
 * Lets a command on this machine ask the process that has the database open for a copy of its files, which nobody else
 * could make: one after the other, each taken away by whoever asked for it.
 */
export const serve = async (directory: string): Promise<LockSocket.LockSocket | undefined> => {
  // What a process that is gone left behind: nobody else is in here.
  for (const entry of readdirSync(directory))
    if (isCopy.test(entry)) rmSync(join(directory, entry), { recursive: true, force: true })
  rmSync(join(directory, socketName), { force: true })
  let last: Promise<unknown> = Promise.resolve()
  return LockSocket.listen(directory, socketName, (socket) => {
    let isGone = false
    socket.on("error", () => {})
    socket.on("close", () => (isGone = true))
    const copy = async (): Promise<void> => {
      if (isGone) return
      const name = freshName()
      const path = join(directory, name)
      let answer: Answer
      try {
        answer = { name, at: await copyOpen(join(directory, "data"), path) }
      } catch (error) {
        answer = { failed: error instanceof Error && "code" in error ? String(error.code) : "it failed" }
      }
      if (isGone || "failed" in answer) rmSync(path, { recursive: true, force: true })
      socket.end(JSON.stringify(answer))
    }
    last = last.then(copy, copy)
  })
}

/** Asks the process that has the directory open for a copy; undefined where none answers. */
export const ask = async (directory: string): Promise<Answer | undefined> => {
  const said = await LockSocket.ask(directory, socketName)
  if (said === undefined || said === "") return undefined
  const answer = JSON.parse(said) as Answer
  return "failed" in answer || isCopy.test(answer.name) ? answer : undefined
}
