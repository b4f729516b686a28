import type { Answer, Input, Write } from "../../api/Api.ts"
import { ask, headersOf, read, type Reply } from "../../api/call.ts"
import { type Place, urlOf } from "../../api/place.ts"

interface Upload {
  readonly signal: AbortSignal
  readonly place: Place
  /** Called with the share of the bytes that were sent, from 0 to 1. */
  readonly onProgress: (share: number) => void
}

const headersIn = (request: XMLHttpRequest) =>
  new Headers(
    request
      .getAllResponseHeaders()
      .trim()
      .split(/[\r\n]+/)
      .filter((line) => line.includes(":"))
      .map((line): [string, string] => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()])
  )

/**
 * Sends a file as the body of a call, as `call` does otherwise. It uses `XMLHttpRequest`, because `fetch` reports no
 * progress of an upload.
 */
export const upload = <N extends Write>(
  name: N,
  input: Omit<Input<N>, "body">,
  file: Blob,
  { onProgress, place, signal }: Upload
): Promise<Reply<N>> =>
  ask(
    name,
    input,
    { "content-type": "application/octet-stream", "idempotency-key": crypto.randomUUID() },
    signal,
    place,
    async (response) => (await read(response)) as Answer<N>,
    (called, sent, more) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted()
        const request = new XMLHttpRequest()
        const stop = () => request.abort()
        request.open("POST", urlOf(called, sent))
        for (const [header, value] of Object.entries({ ...headersOf(called, undefined, place), ...more }))
          request.setRequestHeader(header, value)
        request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
        request.onload = () =>
          resolve(new Response(request.responseText, { status: request.status, headers: headersIn(request) }))
        request.onerror = request.onabort = () => reject(new Error("no answer"))
        request.onloadend = () => signal.removeEventListener("abort", stop)
        signal.addEventListener("abort", stop)
        request.send(file)
      })
  )
