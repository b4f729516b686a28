import { Effect, Exit, Scope } from "effect"
import type { BrowserContext, Page, Worker } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { until } from "../../server/test/fixture/Until.ts"
import * as PushService from "../../testkit/src/simulator/PushService.ts"
import { violations } from "./fixture/axe.ts"
import { Chat } from "./fixture/Chat.ts"
import { browser, serve, Visit } from "./fixture/visit.ts"

/** Chromium subscribes only at its vendor's service, so subscriptions come from the test's push service. */
const subscribing = () => {
  const bytes = (text: string) =>
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0)).buffer
  let current: unknown = null
  PushManager.prototype.getSubscription = () => Promise.resolve(current as PushSubscription | null)
  PushManager.prototype.subscribe = async (options) => {
    const key = options?.applicationServerKey as string
    const { subscribeAt } = globalThis as unknown as {
      readonly subscribeAt: (key: string) => Promise<PushService.Subscription>
    }
    const { endpoint, keys } = await subscribeAt(key)
    current = {
      endpoint,
      options: { applicationServerKey: bytes(key) },
      getKey: (name: "auth" | "p256dh") => bytes(keys[name]),
      unsubscribe: () => {
        current = null
        return Promise.resolve(true)
      }
    }
    return current as PushSubscription
  }
}

interface Shown {
  readonly title: string
  readonly body: string
  readonly tag: string
  readonly path: string
}

/** Headless Chromium shows no notifications, so the worker only keeps them, one of each tag, as a browser does. */
const keeping = () => {
  const self = globalThis as unknown as { shown: ReadonlyArray<Shown> }
  self.shown = []
  ServiceWorkerRegistration.prototype.showNotification = async (title, { body = "", data, tag = "" } = {}) => {
    self.shown = [...self.shown.filter((other) => other.tag !== tag), { title, body, tag, path: data.path as string }]
  }
}

/** The running worker of a language. */
const workerOf = async (page: Page, language: "en" | "hi"): Promise<Worker> => {
  const all = () => page.context().serviceWorkers()
  const found = () => all().find((worker) => worker.url().endsWith(`?lang=${language}`))
  const worker = await until(
    () => Promise.resolve(found()),
    (one) => one !== undefined,
    { what: "the worker" }
  )
  await worker!.evaluate(keeping)
  return worker!
}

/** The notifications that a worker shows now. */
const notifications = (worker: Worker) =>
  worker.evaluate(() => (globalThis as unknown as { readonly shown: ReadonlyArray<Shown> }).shown)

describe.skipIf("skipped" in browser)("push notifications", () => {
  const scope = Effect.runSync(Scope.make())
  let service: PushService.PushService
  beforeAll(async () => {
    service = await Effect.runPromise(Effect.provideService(PushService.start, Scope.Scope, scope))
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  const setUp = async (context: BrowserContext, url: string) => {
    await context.grantPermissions(["notifications"], { origin: url })
    await context.exposeFunction("subscribeAt", (key: string) => service.subscribe(key))
    await context.addInitScript(subscribing)
  }

  /** Delivers a message to the browser's worker, as its push service does. */
  const deliver = async (page: Page, url: string, data: string) => {
    const session = await page.context().newCDPSession(page)
    const registrations: Array<string> = []
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: all }) => {
      for (const { isDeleted, registrationId } of all) if (!isDeleted) registrations.push(registrationId)
    })
    await session.send("ServiceWorker.enable")
    const id = await until(
      () => Promise.resolve(registrations.at(-1) ?? ""),
      (id) => id !== "",
      { what: "the worker's registration" }
    )
    await session.send("ServiceWorker.deliverPushMessage", { origin: url, registrationId: id, data })
    await session.detach()
  }

  const openDialog = async (page: Page, name: string) => {
    await page.getByRole("button", { name }).click()
    return page.getByRole("dialog")
  }

  it("are turned on for this device, show a count without a word of the customer, and lead to the conversation", async () => {
    const chat = new Chat()
    const house = await serve({ channels: [chat.channel] })
    const merchant = await house.merchant()
    const connected = await merchant.live.post("/v1/dashboard/whatsapp/connect", {
      phoneNumberId: chat.number,
      wabaId: "202290129340398",
      accessToken: "good"
    })
    assert.strictEqual(connected.status, 201)
    const visit = await Visit.signedIn(house, merchant, { role: "AGENT" })
    const { page, url } = visit
    await setUp(page.context(), url)
    await page.goto(`${url}/dashboard/inbox`)
    await visit.settled()
    const dialog = await openDialog(page, "Notifications")
    const box = dialog.getByLabel("Notify this device")
    await box.click()
    await until(
      () => box.isChecked(),
      (isChecked) => isChecked,
      { what: "the device" }
    )
    assert.deepStrictEqual(await violations(page), [])
    await page.keyboard.press("Escape")

    await chat.says(house, "919812300002", "The code is 123456", { name: "Meera" })
    const [pushed] = await until(
      () => Promise.resolve(service.pushed()),
      (all) => all.length > 0,
      { what: "a push" }
    )
    assert.strictEqual(pushed?.ttlSeconds, 14_400)
    assert.match(pushed?.topic ?? "", /^[a-z0-9]{32}$/)
    assert.deepStrictEqual(JSON.parse(pushed?.text ?? ""), { count: 1, lead: `${merchant.id}.1` })

    const worker = await workerOf(page, "en")
    await deliver(page, url, pushed!.text)
    const [shown] = await until(
      () => notifications(worker),
      (all) => all.length > 0,
      { what: "a notification" }
    )
    assert.deepStrictEqual(shown, {
      title: "A customer is waiting",
      body: "1 message without an answer",
      tag: `countersign-${merchant.id}-1`,
      path: `/dashboard/inbox/1?merchant=${merchant.id}`
    })
    await deliver(page, url, JSON.stringify({ count: 3, lead: `${merchant.id}.1` }))
    await until(
      () => notifications(worker),
      (all) => all.length === 1 && all[0]?.body === "3 messages without an answer",
      { what: "a notification in place of the first" }
    )
    await deliver(page, url, "not JSON")
    await until(
      () => notifications(worker),
      (all) => all.length === 2,
      { what: "a notification for a push that cannot be read" }
    )

    const isClosed = await worker.evaluate(async () => {
      const self = globalThis as unknown as { readonly shown: ReadonlyArray<Shown> } & EventTarget
      const { path } = self.shown.find(({ tag }) => tag.endsWith("-1"))!
      let isClosed = false
      let ends: Promise<unknown> = Promise.resolve()
      const event = Object.assign(new Event("notificationclick"), {
        notification: { data: { path }, close: () => (isClosed = true) },
        waitUntil: (promise: Promise<unknown>) => (ends = promise)
      })
      self.dispatchEvent(event)
      await ends.catch(() => {}) // only a real click may focus a window
      return isClosed
    })
    assert.isTrue(isClosed)
    await page.waitForURL(`${url}/dashboard/inbox/1`)
    await page.getByText("The code is 123456").first().waitFor()

    // The device is the same after a reload in another language, and the worker speaks it.
    await page.evaluate(() => localStorage.setItem("countersign.language", "hi"))
    await page.goto(`${url}/dashboard/inbox?merchant=${merchant.id}`)
    const inHindiWorker = await workerOf(page, "hi")
    await deliver(page, url, JSON.stringify({ count: 2, lead: `${merchant.id}.9` }))
    await until(
      () => notifications(inHindiWorker),
      (all) => all.some(({ body }) => body === "2 संदेशों का जवाब बाकी है"),
      { what: "a notification in Hindi" }
    )
    const inHindi = await openDialog(page, "सूचनाएँ")
    const own = inHindi.getByLabel("इस डिवाइस पर सूचना दें")
    await until(
      () => own.isChecked(),
      (isChecked) => isChecked,
      { what: "the same device" }
    )
    await own.click()
    await until(
      () => own.isChecked(),
      (isChecked) => !isChecked,
      { what: "the removed device" }
    )
    const left = await page.evaluate(() => navigator.serviceWorker.getRegistration("/dashboard/"))
    assert.isUndefined(left, "the worker goes with its device")
    await visit.end()
    await house.close()
  })

  it("are refused to a viewer with the reason, and the worker has no right to load anything", async () => {
    const house = await serve()
    const visit = await Visit.signedIn(house, await house.merchant(), { role: "VIEWER" })
    await visit.page.goto(`${visit.url}/dashboard/inbox`)
    await visit.settled()
    const dialog = await openDialog(visit.page, "Notifications")
    await dialog.getByText("Only agents, admins and owners get these notifications.").waitFor()
    const file = await visit.page.request.get(`${visit.url}/dashboard/push.js`)
    assert.strictEqual(file.headers()["content-security-policy"], "default-src 'none'; frame-ancestors 'none'")
    assert.strictEqual(file.headers()["cache-control"], "no-cache")
    assert.strictEqual(file.headers()["content-type"], "text/javascript; charset=utf-8")
    assert.notMatch(await file.text(), /addEventListener\("fetch"|caches\.|importScripts/)
    await visit.end()
    await house.close()
  })
})
