import { connect, type Socket } from "node:net"

/** Where requests come from, and where answers go. */
export interface Source {
  /** The next request as bytes to send; null when there are no more. */
  readonly next: () => string | null
  readonly answered?: (body: string) => unknown
}

export interface LoadResult {
  readonly requests: number
  readonly seconds: number
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Microseconds of the server's CPU time for each request. */
  readonly cpu: number
}

export interface LoadOptions {
  readonly port: number
  readonly connections: number
  readonly millis: number
  readonly source: Source
  /** The server's CPU time so far, in microseconds. */
  readonly cpu: () => Promise<number>
}

const quantile = (sorted: Float64Array, q: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0

const open = (port: number) =>
  new Promise<Socket>((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => {
      socket.off("error", reject)
      resolve(socket)
    })
    socket.once("error", reject)
  })

const lengthHeader = /\r\ncontent-length: *([0-9]+)/i

/**
 * Every connection sends its next request as soon as it has its answer. The answers are not parsed further than to
 * know where they end; anything but a 200 fails the run.
 */
export const run = async ({ connections, cpu, millis, port, source }: LoadOptions): Promise<LoadResult> => {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  let latencies = new Float64Array(1 << 16)
  let requests = 0
  let closing = false
  let failure: Error | undefined
  const cpuBefore = await cpu()
  const began = performance.now()
  let lastAnswer = began

  await new Promise<void>((resolve) => {
    let active = sockets.length
    const drive = (socket: Socket) => {
      let pending = ""
      let sent = 0
      const send = () => {
        sent = performance.now()
        const request = closing || failure !== undefined || sent - began >= millis ? null : source.next()
        if (request !== null) return void socket.write(request, "latin1")
        if (--active === 0) resolve()
      }
      const fail = (error: Error) => {
        if (closing) return
        failure ??= error
        if (--active === 0) resolve()
      }
      socket.setEncoding("latin1")
      socket.on("data", (data: unknown) => {
        pending = pending === "" ? (data as string) : pending + (data as string)
        const end = pending.indexOf("\r\n\r\n")
        if (end < 0) return
        const length = Number(lengthHeader.exec(pending)?.[1])
        if (pending.length < end + 4 + length) return
        if (!pending.startsWith("HTTP/1.1 200")) return fail(new Error(`The service answered ${pending.slice(0, 400)}`))
        lastAnswer = performance.now()
        if (requests === latencies.length) {
          const longer = new Float64Array(2 * latencies.length)
          longer.set(latencies)
          latencies = longer
        }
        latencies[requests++] = lastAnswer - sent
        try {
          source.answered?.(pending.slice(end + 4))
        } catch (error) {
          return fail(error as Error)
        }
        pending = ""
        send()
      })
      socket.on("error", fail)
      socket.on("close", () => fail(new Error("The service closed a connection")))
      send()
    }
    for (const socket of sockets) drive(socket)
  })
  const used = (await cpu()) - cpuBefore
  closing = true
  for (const socket of sockets) socket.destroy()
  if (failure !== undefined) throw failure
  const seconds = (lastAnswer - began) / 1000
  const sorted = latencies.subarray(0, requests).sort()
  return {
    requests,
    seconds,
    perSecond: requests / seconds,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    cpu: used / requests
  }
}
