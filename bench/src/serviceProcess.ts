import "effect/schema/SchemaJITCompiler/enable"
import {
  Campaigns,
  Core,
  GuardMemory,
  Hooks,
  Identifier,
  Merchants,
  operator,
  Templates,
  Webhooks
} from "@countersign/core"
import type { Channel } from "@countersign/core/channel"
import { MemoryStorage } from "@countersign/core/memory"
import { BalanceStore, emptyBalance, VerificationStore } from "@countersign/core/storage"
import { Dispatcher, NodeHandler } from "@countersign/http"
import { PgClock, PgStorage } from "@countersign/postgres"
import { HttpWebhookSender } from "@countersign/webhooks"
import { WhatsApp } from "@countersign/whatsapp"
import { Context, Effect, Layer, Logger, ManagedRuntime, Metric, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { createServer } from "node:http"
import { Session } from "node:inspector/promises"
import type { AddressInfo } from "node:net"
import { answer } from "./Child.ts"
import { appSecret, type HookStarted, receiver, secret, type ServiceOptions, type ServiceStarted } from "./Service.ts"

/** Takes every message at once, and brings it nowhere. */
const nullChannel: Channel = {
  name: "SMS",
  provider: "null",
  supports: { identityTypes: ["MOBILE"], receipts: false },
  send: () => Effect.succeed({ providerId: null })
}

/** Milliseconds from each verification to its message, since somebody asked; and how many messages of campaigns there were. */
const heard = { delays: new Array<number>(), sent: 0 }

/** A provider as they are: it takes a moment, and may state a pace. */
const provider = (limits: NonNullable<ServiceOptions["provider"]>): Channel => ({
  ...nullChannel,
  supports: { identityTypes: ["MOBILE"], receipts: false, kinds: ["Code", "Text"] },
  limits,
  send: ({ reference }) =>
    Effect.suspend(() => {
      const [, owner = ""] = reference.split(".")
      if (owner.startsWith("cmp_")) heard.sent++
      else heard.delays.push(Date.now() - Identifier.timeOf(owner))
      return Effect.delay(Effect.succeed({ providerId: null }), 20)
    })
})

/** What a campaign is made with. */
let campaign: (people: number) => Promise<void> = () => Promise.resolve()

/** Connects a sign-in system that makes its own codes. */
let hook: () => Promise<HookStarted>

/** It is written to, and nothing is sent over it. */
const inbox = WhatsApp.make({
  accessToken: Redacted.make("none"),
  phoneNumberIds: [receiver],
  appSecret: Redacted.make(appSecret),
  verifyToken: Redacted.make("none"),
  template: { name: "none", language: "en" },
  apiUrl: "http://127.0.0.1:9"
}).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))

const storage = ({ allowDataLoss = false, url }: ServiceOptions) =>
  url === undefined
    ? MemoryStorage.layer
    : PgClock.layer.pipe(Layer.provideMerge(PgStorage.layer({ url: Redacted.make(url), allowDataLoss })))

/** What statistics cost is measured beside a service whose changes leave no facts. */
const withoutFacts = Layer.effect(
  VerificationStore,
  Effect.map(VerificationStore, (store) =>
    VerificationStore.of({ ...store, commit: (change) => store.commit({ ...change, facts: [] }) })
  )
)

/** Metrics have no switch of their own. Without updating them is what "off" can mean at best. */
const withoutMetrics = () => {
  for (const metric of [Metric.counter("off"), Metric.histogram("off", { boundaries: [1] })]) {
    let prototype: object | null = Object.getPrototypeOf(metric)
    while (prototype !== null && !Object.hasOwn(prototype, "updateUnsafe")) prototype = Object.getPrototypeOf(prototype)
    if (prototype !== null) Object.defineProperty(prototype, "updateUnsafe", { value: () => {} })
  }
}

/** The guard has no switch of its own either. */
const withoutGuard = () => Object.defineProperty(GuardMemory.prototype, "observe", { value: () => {} })

const start = async (options: ServiceOptions): Promise<ServiceStarted> => {
  if (options.guard === "off") withoutGuard()
  if (options.observability === "off") withoutMetrics()
  const sms = options.provider === undefined ? nullChannel : provider(options.provider)
  const channels = options.inbox === true ? [sms, await Effect.runPromise(inbox)] : [sms]
  const core = Core.layer({
    secret: Redacted.make(secret),
    publicUrl: "http://localhost:8080",
    channels,
    webhooks: HttpWebhookSender.layer({ allowPrivate: true })
  })
  const app = Dispatcher.layer().pipe(
    Layer.provideMerge(core),
    Layer.provideMerge(options.statistics === "off" ? withoutFacts : Layer.empty),
    Layer.provideMerge(storage(options)),
    Layer.provideMerge(options.observability === "off" ? Logger.layer([]) : Logger.layer([Logger.consoleJson]))
  )
  const runtime = ManagedRuntime.make(app)
  const context = await runtime.context()
  const { live } = await runtime.runPromise(Context.get(context, Merchants).create("Bench"))
  const caller = await runtime.runPromise(
    Context.get(context, Merchants).authenticate(live.clientId, live.clientSecret)
  )
  await runtime.runPromise(
    Context.get(context, Merchants).changeSettings({ ...caller, actor: operator }, options.settings ?? {})
  )
  if (options.balance !== undefined) {
    const { environment } = caller
    const topUp = {
      environment,
      kind: "TOP_UP",
      amount: options.balance,
      spent: null,
      reference: null,
      item: null,
      at: 0
    } as const
    const change = BalanceStore.change(emptyBalance(environment), { booked: [topUp] })
    await runtime.runPromise(Context.get(context, BalanceStore).commit(change))
  }
  campaign = async (people) => {
    const rows = Array.from({ length: people }, (_, i) => `+9160${String(i).padStart(8, "0")},Guest ${i}`)
    const csv = `phone,name\n${rows.join("\n")}\n`
    const template = `open ${heard.sent}`
    const fields = { name: template, channel: "SMS", purpose: "MESSAGE", body: "Hello {{name}}, we are open." }
    await runtime.runPromise(Context.get(context, Templates).create(caller, fields))
    const request = { name: "Open", channel: "SMS", template, csv }
    await runtime.runPromise(Context.get(context, Campaigns).create(caller, request, null))
  }
  hook = async () => {
    const hooks = Context.get(context, Hooks)
    const made = await runtime.runPromise(hooks.create(caller, { kind: "supabase-sms", name: "Supabase" }))
    const path = new URL(hooks.addressOf(made.hook), "http://localhost").pathname
    return { path, secret: Redacted.value(made.secret) }
  }
  for (const url of options.webhooks ?? []) {
    await runtime.runPromise(Context.get(context, Webhooks).create(caller, { url }))
  }
  const server = createServer(await runtime.runPromise(NodeHandler.make()))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  process.once("SIGTERM", () => {
    server.closeAllConnections()
    void runtime.dispose().finally(() => process.exit(0))
  })
  return {
    port: (server.address() as AddressInfo).port,
    clientId: live.clientId,
    clientSecret: Redacted.value(live.clientSecret)
  }
}

const inspector = new Session()

answer({
  start,
  hook: () => hook(),
  campaign: (people: number) => campaign(people),
  delays: () => Promise.resolve(heard.delays.splice(0)),
  sent: () => Promise.resolve(heard.sent),
  profile: async () => {
    inspector.connect()
    await inspector.post("Profiler.enable")
    await inspector.post("Profiler.setSamplingInterval", { interval: 250 })
    await inspector.post("Profiler.start")
  },
  profiled: async () => {
    const { profile } = await inspector.post("Profiler.stop")
    inspector.disconnect()
    return profile
  }
})
