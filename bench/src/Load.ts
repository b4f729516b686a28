import { connect, type Socket } from "node:net"

/** Where requests come from, and where answers go. */
export interface Source {
  /** The next request of a connection, as bytes to send; null when there are no more. Waiting for it is not counted. */
  readonly next: (connection: number) => string | Promise<string> | null
  readonly answered?: (body: string, connection: number, milliseconds: number) => unknown
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

export const quantile = (sorted: Float64Array, q: number) =>
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
const chunked = /\r\ntransfer-encoding: *chunked/i

/** Whether an answer is complete. `end` is where its head ends. */
const isWhole = (answer: string, end: number): boolean => {
  const length = lengthHeader.exec(answer)?.[1]
  if (length !== undefined) return answer.length >= end + 4 + Number(length)
  return !chunked.test(answer) || answer.endsWith("\r\n0\r\n\r\n")
}

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
    const drive = (socket: Socket, connection: number) => {
      let pending = ""
      let sent = 0
      const write = (request: string) => {
        sent = performance.now()
        socket.write(request, "latin1")
      }
      const send = () => {
        const isOver = closing || failure !== undefined || performance.now() - began >= millis
        const request = isOver ? null : source.next(connection)
        if (typeof request === "string") return write(request)
        if (request !== null) return void request.then(write, fail)
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
        if (!isWhole(pending, end)) return
        if (!pending.startsWith("HTTP/1.1 200")) return fail(new Error(`The service answered ${pending.slice(0, 400)}`))
        lastAnswer = performance.now()
        if (requests === latencies.length) {
          const longer = new Float64Array(2 * latencies.length)
          longer.set(latencies)
          latencies = longer
        }
        latencies[requests++] = lastAnswer - sent
        try {
          source.answered?.(pending.slice(end + 4), connection, lastAnswer - sent)
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
    sockets.forEach(drive)
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
