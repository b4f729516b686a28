import { afterAll, beforeAll, describe } from "vitest"
import type { Service } from "../fixture/Service.ts"
import * as admin from "./admin.ts"
import * as checks from "./checks.ts"
import * as events from "./events.ts"
import * as idempotency from "./idempotency.ts"
import * as idToken from "./idToken.ts"
import * as isolation from "./isolation.ts"
import * as login from "./login.ts"
import * as otps from "./otps.ts"
import * as resend from "./resend.ts"
import * as settings from "./settings.ts"
import * as system from "./system.ts"
import * as transport from "./transport.ts"

/** The whole public behaviour, over HTTP, of a service that runs in some way. */
export const contract = (mode: string, open: () => Promise<Service>) =>
  describe(`the contract, ${mode}`, () => {
    let opened: Service | undefined
    beforeAll(async () => {
      opened = await open()
    }, 60_000)
    afterAll(() => opened?.close())
    const service = (): Service => {
      if (opened === undefined) throw new Error("The service has not started")
      return opened
    }
    login.suite(service)
    resend.resends(service)
    resend.limits(service)
    checks.suite(service)
    otps.suite(service)
    isolation.suite(service)
    idToken.suite(service)
    idempotency.suite(service)
    settings.suite(service)
    events.suite(service)
    transport.suite(service)
    admin.suite(service)
    system.suite(service)
  })
