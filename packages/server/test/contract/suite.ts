import { afterAll, beforeAll, describe } from "vitest"
import type { Service } from "../fixture/Service.ts"
import * as admin from "./admin.ts"
import * as attribution from "./attribution.ts"
import * as audit from "./audit.ts"
import * as billing from "./billing.ts"
import * as campaigns from "./campaigns.ts"
import * as channels from "./channels.ts"
import * as checks from "./checks.ts"
import * as credentials from "./credentials.ts"
import * as deliveries from "./deliveries.ts"
import * as events from "./events.ts"
import * as exports from "./exports.ts"
import * as example from "./example.ts"
import * as hooks from "./hooks.ts"
import * as idempotency from "./idempotency.ts"
import * as idToken from "./idToken.ts"
import * as inbox from "./inbox.ts"
import * as isolation from "./isolation.ts"
import * as keys from "./keys.ts"
import * as leads from "./leads.ts"
import * as linkPages from "./linkPages.ts"
import * as links from "./links.ts"
import * as looking from "./looking.ts"
import * as login from "./login.ts"
import { onceIn } from "./Once.ts"
import * as onetap from "./onetap.ts"
import * as optOuts from "./optOuts.ts"
import * as otps from "./otps.ts"
import * as payments from "./payments.ts"
import * as people from "./people.ts"
import * as presence from "./presence.ts"
import * as protection from "./protection.ts"
import * as resend from "./resend.ts"
import * as sdk from "./sdk.ts"
import * as settings from "./settings.ts"
import * as statistics from "./statistics.ts"
import * as system from "./system.ts"
import * as templates from "./templates.ts"
import * as transport from "./transport.ts"
import * as trials from "./trials.ts"
import * as truecaller from "./truecaller.ts"
import * as webhooks from "./webhooks.ts"

/**
 * Tests the public behavior of a running service over HTTP. On memory storage it runs everything. Two processes on
 * Postgres run what depends on storage or on several processes. The embedded database executes the same statements one
 * at a time, and runs races, wake-ups, text that a database cannot store, and logins.
 */
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
    const once = onceIn(mode)
    login.suite(service, once)
    links.suite(service, once)
    truecaller.suite(service, once)
    onetap.suite(service, once)
    sdk.suite(service, once)
    idempotency.suite(service, once)
    webhooks.suite(service, once)
    if (mode === "memory") hooks.suite(service, once)
    transport.suite(service, once)
    system.suite(service, once)
    deliveries.suite(service, once)
    campaigns.whole(service)
    // The other statements are tested on Postgres, and the promises of each store on the embedded database too.
    if (mode === "embedded") return
    attribution.suite(service, once)
    audit.suite(service, once)
    billing.suite(service, once)
    exports.suite(service, once)
    looking.suite(service, once)
    trials.suite(service, once)
    channels.suite(service)
    statistics.suite(service, once)
    keys.suite(service, once)
    resend.resends(service, once)
    resend.limits(service, once)
    isolation.suite(service, once)
    settings.suite(service, once)
    events.suite(service, once)
    templates.suite(service, once)
    campaigns.suite(service, once)
    leads.suite(service, once)
    inbox.suite(service, once)
    presence.suite(service, once)
    admin.suite(service, once)
    people.suite(service, once)
    payments.suite(service, once)
    if (mode !== "memory") return
    example.suite(service)
    optOuts.suite(service, once)
    protection.suite(service, once)
    // These do not depend on storage.
    credentials.suite(service)
    checks.suite(service)
    linkPages.suite(service)
    otps.suite(service)
    idToken.suite(service)
  })

/** Tests that wait for half a minute, over HTTP, in several modes of the service: they wait together. */
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
  beforeAll(async () => void (await Promise.all(all.map(({ begin }) => begin()))))
  afterAll(async () => void (await Promise.all([...opened.values()].map((service) => service.close()))))
  for (const { mode, suite } of all) describe(`the contract with waiting times, ${mode}`, () => void suite())
}
