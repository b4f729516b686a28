import { MemoryStorage } from "@countersign/core/memory"
import { makeService, type PromiseChannel } from "@countersign/http"
import { Clock, Effect, Layer } from "effect"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"

const key = (kind: "live" | "test") => ({
  clientId: `cs_${kind}_example`,
  clientSecret: `sk_${kind}_of-the-login-example`,
  publicKey: `pk_${kind}_example`
})

export const keys = { live: key("live"), test: key("test") }

/** A Node server on a free port. */
export const listen = async (handler: RequestListener) => {
  const server = createServer(handler)
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const close = () =>
    new Promise<void>((closed) => {
      server.close(() => closed())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

/** The machine's clock with an offset in milliseconds. Only the time of day moves; sleeps are unchanged. */
const movedClock = (ahead: () => number): Layer.Layer<never> =>
  Layer.effect(
    Clock.Clock,
    Effect.map(Clock.Clock, (machine): Clock.Clock => {
      const millis = () => machine.currentTimeMillisUnsafe() + ahead()
      const nanos = () => machine.currentTimeNanosUnsafe() + BigInt(ahead()) * 1_000_000n
      return {
        currentTimeMillisUnsafe: millis,
        currentTimeMillis: Effect.sync(millis),
        currentTimeNanosUnsafe: nanos,
        currentTimeNanos: Effect.sync(nanos),
        monotonicTimeNanosUnsafe: () => machine.monotonicTimeNanosUnsafe(),
        monotonicTimeNanos: machine.monotonicTimeNanos,
        sleep: (duration) => machine.sleep(duration)
      }
    })
  )

export interface ServiceOptions {
  /**
   * Phones get codes by WhatsApp, or by SMS where that fails: a number ending in `0000` has no WhatsApp, and one ending
   * in `0001` is unreachable. Links require number matching.
   */
  readonly whatsApp?: boolean
  /** The offset of the service's clock, in milliseconds. */
  readonly ahead?: () => number
}

/** A complete Countersign over HTTP, which records the codes and links it sends. */
export const startService = async ({ ahead = () => 0, whatsApp = false }: ServiceOptions = {}) => {
  const codes = new Map<string, Array<string>>()
  const keep = (to: string, secret: string) => void codes.set(to, [...(codes.get(to) ?? []), secret])
  const deliver: PromiseChannel["send"] = async ({ code, to, url }) => keep(to, url ?? code)
  const refusing = (endings: RegExp): PromiseChannel["send"] => {
    return async (message) => (whatsApp && endings.test(message.to) ? { refused: "unreachable" } : deliver(message))
  }
  const countersign = await makeService({
    storage: Layer.provideMerge(MemoryStorage.layer, movedClock(ahead)),
    channels: [
      { name: "SMS", links: true, send: refusing(/0001$/) },
      { name: "EMAIL", links: true, send: deliver },
      ...(whatsApp ? [{ name: "WHATSAPP" as const, send: refusing(/000[01]$/) }] : [])
    ],
    secret: "11".repeat(32),
    baseUrl: "https://verify.example.com",
    keys,
    settings: {
      oneTap: true,
      strictReverify: true,
      hourlyLimit: 100,
      sdkInitiatesPerIpPerHour: 1000,
      redirectUris: ["http://127.0.0.1/demo/back"],
      ...(whatsApp
        ? { primaryChannel: "WHATSAPP", fallbackChannel: "SMS", fallbackAfterSeconds: 30, linkNumberMatch: true }
        : {})
    }
  })
  let away = false
  let guest: { readonly prefix: string; readonly handler: RequestListener } | undefined
  const { close, url } = await listen((request, response) => {
    if (guest !== undefined && request.url?.startsWith(guest.prefix) === true) guest.handler(request, response)
    else if (away) request.socket.destroy()
    else countersign.nodeHandler(request, response)
  })
  /** The code or link in the first message to an identity, or in the `nth`. */
  const codeFor = async (to: string, nth = 1): Promise<string> => {
    const begun = performance.now()
    while (performance.now() - begun < 120_000) {
      const code = codes.get(to)?.[nth - 1]
      if (code !== undefined) return code
      await new Promise((resume) => setTimeout(resume, 5))
    }
    throw new Error("no code arrived")
  }
  /** Opens a link's page, presses its button, and returns the address it leads to. */
  const approve = async (link: string, number?: string): Promise<string> => {
    const form = new URLSearchParams({ token: link.split("/l/")[1] ?? "", ...(number === undefined ? {} : { number }) })
    const answer = await fetch(`${url}/l`, { method: "POST", body: form, redirect: "manual" })
    return answer.headers.get("location") ?? String(answer.status)
  }
  return {
    url,
    codeFor,
    approve,
    /** Adds another handler at the service's own address. */
    mount: (prefix: string, handler: RequestListener) => {
      guest = { prefix, handler }
      return { url, close: async () => {} }
    },
    /** Holds calls to the path until `count` of them have arrived, while `work` runs. */
    gathering: async (path: string, count: number, work: () => Promise<void>) => {
      const waiting: Array<() => void> = []
      guest = {
        prefix: path,
        handler: (request, response) => {
          waiting.push(() => countersign.nodeHandler(request, response))
          if (waiting.length === count) for (const call of waiting.splice(0)) call()
        }
      }
      await work().finally(() => {
        guest = undefined
      })
    },
    /** Breaks every connection until `comeBack`. */
    leave: () => {
      away = true
    },
    comeBack: () => {
      away = false
    },
    close: async () => {
      await close()
      await countersign.close()
    }
  }
}
