interface Asked {
  readonly url: string
  readonly init: RequestInit
  readonly answer: (status: number, body: unknown, headers?: Readonly<Record<string, string>>) => Promise<void>
}

const settled = () => new Promise<void>((done) => setImmediate(done))

/** A network whose responses arrive on command, to test what the page shows while it waits. */
export const network = () => {
  const before = globalThis.fetch
  const asked: Array<Asked> = []
  globalThis.fetch = ((url: string, init: RequestInit) =>
    new Promise<Response>((done, fail) => {
      init.signal?.addEventListener("abort", () => fail(new DOMException("aborted", "AbortError")))
      asked.push({
        url,
        init,
        answer: async (status, body, headers = {}) => {
          done(new Response(JSON.stringify(body), { status, headers }))
          await settled()
          await settled()
        }
      })
    })) as typeof fetch
  return { asked, settled, restore: () => (globalThis.fetch = before) }
}

export const refusal = { errorCode: "INTERNAL_ERROR", message: "It failed", requestId: null }
