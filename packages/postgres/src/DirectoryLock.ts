import { randomBytes } from "node:crypto"
import { hostname } from "node:os"
import { Effect, type Scope } from "effect"
import * as LockFile from "./LockFile.ts"
import * as LockSocket from "./LockSocket.ts"
import { DirectoryInUse, EmbeddedUnavailable, StorageStartError } from "./StorageStartError.ts"

/** How often a holder gives a sign of life, and looks whether it still is the holder. */
const beatEvery = 1000
/** A holder on another kernel that gives no sign for so long is gone. */
const goneAfter = 6000
const lookEvery = 250
/** Work that comes later than this after the last look waits for another: the process may have been stopped meanwhile. */
const trustedFor = 1500

/** A directory that this process holds. */
export interface DirectoryLock {
  /** Throws when another process has taken over. To be called before anything is written. */
  readonly assertHeld: () => void
  /** Whether another process has taken over: from then on nothing may be written, not even to close cleanly. */
  readonly isLost: () => boolean
}

/** Another process has taken the directory over, so this one writes no more. */
export class LockLost extends Error {
  constructor(directory: string) {
    super(
      `COUNTERSIGN_DATA_DIR: another process has taken over ${directory} while this one gave no sign of life; this one writes no more`
    )
  }
}

const pause = (milliseconds: number) => new Promise<void>((resume) => setTimeout(resume, milliseconds))

/** Watches the file, by this process's own clock alone: what other machines' clocks say does not matter. */
const givesSigns = async (directory: string, number: number, before: string): Promise<boolean> => {
  const started = performance.now()
  while (performance.now() - started < goneAfter) {
    await pause(lookEvery)
    if (LockFile.read(directory, number) !== before) return true
  }
  return false
}

/** Whether the holder lives: asked of the kernel where it is the same, and watched for signs of life where it is not. */
const lives = async (directory: string, number: number, written: string): Promise<boolean> => {
  const holder = LockFile.parse(written)
  if (holder?.released === true) return false
  if (holder !== undefined && holder.socket !== null && holder.kernel !== null && holder.kernel === LockSocket.kernel) {
    const held = LockFile.isSocketName(holder.socket) ? await LockSocket.isHeld(directory, holder.socket) : null
    if (held !== null) return held
  }
  return await givesSigns(directory, number, written)
}

const describe = (holder: LockFile.Holder | undefined, own: ReadonlySet<string>): string => {
  if (holder === undefined) return "another process"
  return own.has(holder.id) ? "this process" : `process ${holder.pid} on ${holder.host}`
}

/** What this process holds: it may open several directories, and one of them twice by mistake. */
const held = new Set<string>()

/** Takes the directory, or says who has it. */
const take = async (directory: string) => {
  const id = randomBytes(8).toString("hex")
  const socketName = `lock-${id}.sock`
  // Listening comes first: whoever sees the file must find the socket.
  const socket = await LockSocket.listen(directory, socketName)
  const holder: LockFile.Holder = {
    id,
    kernel: LockSocket.kernel,
    socket: socket === undefined ? null : socketName,
    pid: process.pid,
    host: hostname().slice(0, 100),
    released: false
  }
  try {
    for (;;) {
      const number = LockFile.highest(directory)
      const written = number === 0 ? undefined : LockFile.read(directory, number)
      if (number > 0 && written === undefined) continue
      if (written !== undefined && (await lives(directory, number, written))) {
        socket?.close()
        return { inUseBy: describe(LockFile.parse(written), held) }
      }
      if (LockFile.create(directory, number + 1, holder)) {
        held.add(id)
        return { holder, number: number + 1, socket }
      }
    }
  } catch (error) {
    socket?.close()
    throw error
  }
}

/**
 * Takes a directory for this process until the scope closes, because nothing in an embedded database keeps a second
 * process from opening it. Of all who want it at once, exactly one gets it, also across containers and machines.
 *
 * Whoever dies is followed at once on the same machine, however it died: its socket in the directory died with it. A
 * holder on another machine, or before a restart of this one, is followed when it has given no sign of life for six
 * seconds. If it was only stopped, it finds out before it writes again, `lost` is called, and it writes no more.
 */
export const directoryLock = (
  directory: string,
  lost: (error: LockLost) => void
): Effect.Effect<DirectoryLock, StorageStartError, Scope.Scope> => {
  const acquire = Effect.tryPromise({
    try: () => take(directory),
    catch: (cause) =>
      new StorageStartError({ reason: new EmbeddedUnavailable({ problem: `${directory} cannot be used`, cause }) })
  }).pipe(
    Effect.flatMap((taken) =>
      "inUseBy" in taken
        ? Effect.fail(new StorageStartError({ reason: new DirectoryInUse({ directory, owner: taken.inUseBy }) }))
        : Effect.succeed(hold(directory, taken, lost))
    )
  )
  return Effect.acquireRelease(acquire, (lock) => Effect.sync(lock.release))
}

const hold = (
  directory: string,
  { holder, number, socket }: Extract<Awaited<ReturnType<typeof take>>, { readonly number: number }>,
  lost: (error: LockLost) => void
) => {
  let isLost = false
  let beats = 0
  let lookedAt = performance.now()
  let lookedAtTime = Date.now()

  /** Reads who holds the directory. A number above ours, or another's file under ours, is a successor. */
  const look = () => {
    if (isLost) return
    const written = LockFile.highest(directory) === number ? LockFile.read(directory, number) : undefined
    if (written === undefined || LockFile.parse(written)?.id !== holder.id) {
      isLost = true
      lost(new LockLost(directory))
      return
    }
    lookedAt = performance.now()
    lookedAtTime = Date.now()
  }

  const beat = () => {
    try {
      look()
      if (!isLost) LockFile.beat(directory, number, holder, ++beats)
    } catch {
      // A disk that is full or away for a moment. Whoever takes over meanwhile is seen at the next look.
    }
  }
  const timer = setInterval(beat, beatEvery)
  timer.unref()
  LockFile.removeOlder(directory, number)

  return {
    assertHeld: () => {
      // A machine that slept shows it on the wall clock alone.
      const late = performance.now() - lookedAt > trustedFor || Math.abs(Date.now() - lookedAtTime) > trustedFor
      if (late) look()
      if (isLost) throw new LockLost(directory)
    },
    isLost: () => isLost,
    release: () => {
      clearInterval(timer)
      held.delete(holder.id)
      try {
        look()
        if (!isLost) LockFile.beat(directory, number, { ...holder, released: true }, ++beats)
      } catch {
        // The directory is gone, and with it what it held.
      }
      socket?.close()
    }
  }
}
