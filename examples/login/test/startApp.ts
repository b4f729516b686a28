import { listener } from "../src/listener.ts"
import { makeLogin } from "../src/login.ts"
import { keys, listen, type ServiceOptions, startService } from "./service.ts"

export interface AppOptions extends ServiceOptions {
  /** The page is at the service's own address. Otherwise each has one of its own. */
  readonly mounted?: boolean
}

/** The login and its service, with one clock that a test can put forward. */
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
    /** The devices that skip the code for somebody, as the merchant sees them. */
    devices: async (identity: string) => {
      const answer = await fetch(`${devices}?identity=${encodeURIComponent(identity)}`, { headers })
      const { items }: { readonly items: ReadonlyArray<{ readonly id: string }> } = JSON.parse(await answer.text())
      return items.map(({ id }) => id)
    },
    /** The merchant ends the trust in a device. */
    revoke: async (id: string) => (await fetch(`${devices}/${id}`, { method: "DELETE", headers })).status,
    /** Time goes by, for the backend and the service. */
    pass: (seconds: number) => {
      ahead += seconds * 1000
    },
    /** A number, or an address, that nobody has used before. */
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
