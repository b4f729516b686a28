import { randomBytes } from "node:crypto"
import { readdirSync, rmSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import * as LockSocket from "../LockSocket.ts"
import { copyOpen } from "./copyDirectory.ts"

/** In the data directory, which only its owner can access. So only the owner can ask for a copy. */
const socketName = "copy.sock"
const isCopy = /^copy-[0-9a-f]+$/

export const freshName = () => `copy-${randomBytes(6).toString("hex")}`

type Answer = { readonly name: string; readonly at: number } | { readonly failed: string }

/** Removes copies left by dead processes. Only for the process that holds the directory. */
export const clean = (directory: string): void => {
  for (const entry of readdirSync(directory))
    if (isCopy.test(entry)) rmSync(join(directory, entry), { recursive: true, force: true })
}

/**
 * Serves copies of the database's files to commands on this machine, because only the process that has the database
 * open can make one. It makes one copy at a time. It removes a copy when the command closes its connection.
 */
export const serve = async (directory: string): Promise<LockSocket.LockSocket | undefined> => {
  clean(directory)
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
      const remove = () => void rm(path, { recursive: true, force: true }).catch(() => {})
      if (isGone || "failed" in answer) remove()
      else socket.on("close", remove)
      socket.end(JSON.stringify(answer))
    }
    last = last.then(copy, copy)
  })
}

/**
 * Asks the process that has the directory open for a copy. The copy exists until `close`. Undefined when no process
 * answers.
 */
export const ask = async (
  directory: string
): Promise<{ readonly answer: Answer; readonly close: () => void } | undefined> => {
  const said = await LockSocket.ask(directory, socketName)
  if (said === undefined) return undefined
  const answer = said.text === "" ? undefined : (JSON.parse(said.text) as Answer)
  if (answer !== undefined && ("failed" in answer || isCopy.test(answer.name))) return { answer, close: said.close }
  said.close()
  return undefined
}
