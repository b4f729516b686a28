import { listener } from "../src/listener.ts"
import { makeLogin } from "../src/login.ts"
import { keys, listen, type ServiceOptions, startService } from "./service.ts"

export interface AppOptions extends ServiceOptions {
  /** Serves the page at the service's own address. By default each has its own. */
  readonly mounted?: boolean
}

/** The login and its service, with one clock that a test can move forward. */
export const startApp = async ({ mounted = false, ...options }: AppOptions = {}) => {
  let ahead = 0
  const service = await startService({ ...options, ahead: () => ahead })
  const login = makeLogin({
    service: { url: service.url, ...keys.live },
    browserUrl: mounted ? null : service.url,
    publicKey: keys.live.publicKey,
    path: "/demo/",
    outboxUrl: "/outbox",
    now: () => Date.now() + ahead
  })
  const app = mounted ? service.mount("/demo", listener(login)) : await listen(listener(login))
  const devices = `${service.url}/v1/dashboard/devices`
  const headers = { "x-client-id": keys.live.clientId, "x-client-secret": keys.live.clientSecret }
  let last = 0
  return {
    url: `${app.url}/demo/`,
    codeFor: service.codeFor,
    leave: service.leave,
    comeBack: service.comeBack,
    /** The trusted devices of an identity, as the merchant sees them. */
    devices: async (identity: string) => {
      const answer = await fetch(`${devices}?identity=${encodeURIComponent(identity)}`, { headers })
      const { items }: { readonly items: ReadonlyArray<{ readonly id: string }> } = JSON.parse(await answer.text())
      return items.map(({ id }) => id)
    },
    /** Revokes a device as the merchant. */
    revoke: async (id: string) => (await fetch(`${devices}/${id}`, { method: "DELETE", headers })).status,
    /** Sends a request of the merchant's backend. Returns the status. */
    post: async (path: string, body: object) => {
      const sent = {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(body)
      }
      return (await fetch(`${service.url}${path}`, sent)).status
    },
    /** Moves the clock of the backend and the service forward. */
    pass: (seconds: number) => {
      ahead += seconds * 1000
    },
    /** A new phone number or e-mail address. */
    phone: (ending = "55") => `+919876${String(++last).padStart(6 - ending.length, "0")}${ending}`,
    email: () => `person${++last}@example.com`,
    close: async () => {
      await app.close()
      await service.close()
    }
  }
}

export type App = Awaited<ReturnType<typeof startApp>>

export const wrong = (code: string) => code.replace(/.$/, (digit) => String((Number(digit) + 1) % 10))
