import { closeSync, openSync, readFileSync } from "node:fs"
import { connect, createServer, type Server, type Socket } from "node:net"
import { hostname } from "node:os"
import { join } from "node:path"

/** The longest socket path that every supported system accepts. */
const longestPath = 100

/**
 * Identifies the kernel this process runs on. Containers on one machine share a kernel, and its processes and sockets
 * end with it. So a missing socket means a dead process on the same kernel, but says nothing about another machine.
 */
export const kernel = ((): string | null => {
  if (process.platform === "darwin") return `darwin ${hostname()}`
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
  } catch {
    return null
  }
})()

/** Shortens a long socket path through an open directory's file descriptor. Linux only. */
const within = (directory: string, name: string) => {
  const direct = join(directory, name)
  if (Buffer.byteLength(direct) <= longestPath) return { path: direct, close: () => {} }
  if (process.platform !== "linux") return undefined
  const descriptor = openSync(directory, "r")
  return { path: `/proc/self/fd/${descriptor}/${name}`, close: () => closeSync(descriptor) }
}

/** A socket whose existence shows that this process is alive. */
export interface LockSocket {
  readonly close: () => void
}

/** Listens in the directory. Undefined when the system or its file system does not support such sockets. */
export const listen = (
  directory: string,
  name: string,
  serve = (socket: Socket): void => void socket.destroy()
): Promise<LockSocket | undefined> =>
  new Promise((settle) => {
    const at = process.platform === "win32" || kernel === null ? undefined : within(directory, name)
    if (at === undefined) return settle(undefined)
    const server: Server = createServer(serve)
    server.once("error", () => {
      at.close()
      settle(undefined)
    })
    // In a cluster this worker holds the socket itself. Otherwise the parent would keep it open after the worker's end.
    server.listen({ path: at.path, exclusive: true }, () => {
      server.on("error", () => {})
      server.unref()
      settle({
        close: () => {
          server.close() // removes the socket's name before it returns
          at.close()
        }
      })
    })
  })

/**
 * The text from the process that listens there; undefined when no process listens. That process sees this connection
 * until `close`.
 */
export const ask = (
  directory: string,
  name: string
): Promise<{ readonly text: string; readonly close: () => void } | undefined> =>
  new Promise((settle) => {
    const at = within(directory, name)
    if (at === undefined) return settle(undefined)
    const socket = connect({ path: at.path, allowHalfOpen: true })
    let text = ""
    socket.setEncoding("utf8")
    socket.on("data", (more: string) => {
      if (text.length < 10_000) text += more
    })
    const settled = (isAnswered: boolean) => {
      at.close()
      settle(isAnswered ? { text, close: () => void socket.destroy() } : undefined)
    }
    socket.once("connect", () => socket.on("error", () => {}))
    socket.once("error", () => settled(false))
    socket.once("end", () => settled(true))
  })

/**
 * Whether a process listens. A suspended or busy process still does, because the kernel answers for it. Null when it
 * cannot be determined.
 */
export const isHeld = (directory: string, name: string): Promise<boolean | null> =>
  new Promise((settle) => {
    const at = within(directory, name)
    if (at === undefined) return settle(null)
    const socket = connect(at.path)
    const settled = (held: boolean | null) => {
      socket.destroy()
      at.close()
      settle(held)
    }
    socket.once("connect", () => settled(true))
    socket.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED" || error.code === "ENOENT") return settled(false)
      // Its queue is full, so a process is listening.
      settled(error.code === "EAGAIN" ? true : null)
    })
  })
