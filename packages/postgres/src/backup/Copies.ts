import { randomBytes } from "node:crypto"
import { readdirSync, rmSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import * as LockSocket from "../LockSocket.ts"
import { copyOpen } from "./copyDirectory.ts"

/** In the data directory, which nobody else can look into: so nobody else can ask. */
const socketName = "copy.sock"
const isCopy = /^copy-[0-9a-f]+$/

export const freshName = () => `copy-${randomBytes(6).toString("hex")}`

type Answer = { readonly name: string; readonly at: number } | { readonly failed: string }

/** Takes away what processes that are gone left behind: for the one that has the directory to itself. */
export const clean = (directory: string): void => {
  for (const entry of readdirSync(directory))
    if (isCopy.test(entry)) rmSync(join(directory, entry), { recursive: true, force: true })
}

/**
 * Lets a command on this machine ask the process that has the database open for a copy of its files, which nobody else
 * could make: one after the other, each taken away when whoever asked for it hangs up.
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

/** Asks the process that has the directory open for a copy, which is there until `close`; undefined where none answers. */
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
