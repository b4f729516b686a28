import { checkAborted } from "../request/abortable.ts"
import { pause } from "../request/pause.ts"
import { work } from "./work.ts"

/** Eight digits. Nobody gets this far at a difficulty that the service asks for. */
const most = 1e8
/** Without a worker, the page gets its turn after this many milliseconds. */
const turn = 12
const atOnce = 2_000

/** In a worker made from text. Rejects where the platform or the page's policy has none. */
const inWorker = (token: string, limit: number, signal: AbortSignal | undefined) =>
  new Promise<string | null>((resolve, reject) => {
    const program = `onmessage=({data:[a,b]})=>postMessage((${work.toString()})(a,b,0,${most}))`
    const url = URL.createObjectURL(new Blob([program], { type: "text/javascript" }))
    const worker = new Worker(url)
    const end = () => {
      signal?.removeEventListener("abort", stop)
      worker.terminate()
      URL.revokeObjectURL(url)
    }
    const stop = () => {
      end()
      resolve(null)
    }
    signal?.addEventListener("abort", stop)
    worker.onmessage = ({ data }) => {
      end()
      resolve(data)
    }
    worker.onerror = (event) => {
      event.preventDefault()
      end()
      reject()
    }
    worker.postMessage([token, limit])
  })

/** In this thread, with breaks in which the page can draw and answer. */
const inTurns = async (token: string, limit: number, signal: AbortSignal | undefined) => {
  for (let from = 0; from < most; ) {
    const until = Date.now() + turn
    do {
      const found = work(token, limit, from, atOnce)
      if (found !== null) return found
      from += atOnce
    } while (Date.now() < until)
    await pause(0, signal)
    checkAborted(signal)
  }
  return null
}

/** Solves a proof of work. Null when it has no solution, or when the signal has aborted. */
export const solve = async (
  { difficulty, token }: { readonly difficulty: number; readonly token: string },
  signal: AbortSignal | undefined
): Promise<string | null> => {
  const limit = 2 ** 32 / difficulty
  return inWorker(token, limit, signal).catch(() => inTurns(token, limit, signal))
}
