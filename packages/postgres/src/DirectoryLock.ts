import { randomBytes } from "node:crypto"
import { hostname } from "node:os"
import { Effect, type Scope } from "effect"
import * as LockFile from "./LockFile.ts"
import * as LockSocket from "./LockSocket.ts"
import { DirectoryInUse, EmbeddedUnavailable, StorageStartError } from "./StorageStartError.ts"

/** How often a holder writes its heartbeat, and checks that it is still the holder. */
const beatEvery = 1000
/** A holder on another kernel without a heartbeat for this long counts as dead. */
const goneAfter = 6000
const lookEvery = 250
/** After this long without a check, a write waits for a new check: the process may have been suspended. */
const trustedFor = 1500

/** A directory that this process holds. */
export interface DirectoryLock {
  /** Throws when another process has taken the directory. Call it before any write. */
  readonly assertHeld: () => void
  /**
   * Whether another process has taken the directory: from then on this process must not write, not even to close
   * cleanly.
   */
  readonly isLost: () => boolean
}

/** Another process has taken the directory, so this process no longer writes. */
export class LockLost extends Error {
  constructor(directory: string) {
    super(
      `COUNTERSIGN_DATA_DIR: another process took over ${directory} because this process stopped responding; this process no longer writes`
    )
  }
}

const pause = (milliseconds: number) => new Promise<void>((resume) => setTimeout(resume, milliseconds))

/** Watches the file with this process's own clock only, because clocks of other machines may differ. */
const givesSigns = async (directory: string, number: number, before: string): Promise<boolean> => {
  const started = performance.now()
  while (performance.now() - started < goneAfter) {
    await pause(lookEvery)
    if (LockFile.read(directory, number) !== before) return true
  }
  return false
}

/** Whether the holder is alive: asks the kernel when both share it, and watches the heartbeat otherwise. */
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

/** The directories this process holds. It may open several, and might open the same directory twice by mistake. */
const held = new Set<string>()

/** Takes the directory, or returns its holder. */
const take = async (directory: string) => {
  const id = randomBytes(8).toString("hex")
  const socketName = `lock-${id}.sock`
  // Listens first: a process that sees the file must find the socket.
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
 * Locks a directory for this process until the scope closes, because an embedded database does not prevent a second
 * process from opening it. Of all concurrent processes exactly one gets it, also across containers and machines.
 *
 * On the same machine a dead holder is replaced immediately: its socket in the directory died with it. A holder on
 * another machine, or from before a reboot, is replaced after six seconds without a heartbeat. If it was only
 * suspended, it notices before its next write, calls `lost`, and no longer writes.
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

  /**
   * Reads the current holder. A higher number, or another holder's file under our number, means that a successor took
   * over.
   */
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
      // The disk is full or unavailable for a moment. The next check detects a takeover.
    }
  }
  const timer = setInterval(beat, beatEvery)
  timer.unref()
  LockFile.removeOlder(directory, number)

  return {
    assertHeld: () => {
      // Only the wall clock shows that a machine slept.
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
        // The directory and its data are gone.
      }
      socket?.close()
    }
  }
}
