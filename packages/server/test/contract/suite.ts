import { afterAll, beforeAll, describe } from "vitest"
import type { Service } from "../fixture/Service.ts"
import * as admin from "./admin.ts"
import * as checks from "./checks.ts"
import * as credentials from "./credentials.ts"
import * as events from "./events.ts"
import * as idempotency from "./idempotency.ts"
import * as idToken from "./idToken.ts"
import * as isolation from "./isolation.ts"
import * as keys from "./keys.ts"
import * as login from "./login.ts"
import * as onetap from "./onetap.ts"
import * as otps from "./otps.ts"
import * as resend from "./resend.ts"
import * as sdk from "./sdk.ts"
import * as settings from "./settings.ts"
import * as system from "./system.ts"
import * as transport from "./transport.ts"
import * as webhooks from "./webhooks.ts"

/** The whole public behaviour, over HTTP, of a service that runs in some way. */
export const contract = (mode: string, open: () => Promise<Service>) =>
  describe(`the contract, ${mode}`, () => {
    let opened: Service | undefined
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened?.close())
    const service = (): Service => {
      if (opened === undefined) throw new Error("The service has not started")
      return opened
    }
    login.suite(service)
    onetap.suite(service)
    sdk.suite(service)
    credentials.suite(service)
    keys.suite(service)
    resend.resends(service)
    resend.limits(service)
    checks.suite(service)
    otps.suite(service)
    isolation.suite(service)
    idToken.suite(service)
    idempotency.suite(service)
    settings.suite(service)
    events.suite(service)
    webhooks.suite(service)
    transport.suite(service)
    admin.suite(service)
    system.suite(service)
  })

/** What takes half a minute, over HTTP, of services that run in every way: they wait together. */
export const contractInTime = (modes: { readonly [mode: string]: () => Promise<Service> }) => {
  const opened = new Map<string, Service>()
  const all = Object.entries(modes).map(([mode, open]) => {
    const service = (): Service => {
      const found = opened.get(mode)
      if (found === undefined) throw new Error("The service has not started")
      return found
    }
    const inTime = webhooks.inTime(service)
    const begin = async () => {
      opened.set(mode, await open())
      await inTime.begin()
    }
    return { mode, begin, suite: inTime.suite }
  })
  beforeAll(async () => void (await Promise.all(all.map(({ begin }) => begin()))), 60_000)
  afterAll(async () => void (await Promise.all([...opened.values()].map((service) => service.close()))))
  for (const { mode, suite } of all) describe(`the contract in time, ${mode}`, () => void suite())
}
