import { readFileSync } from "node:fs"
import { Core, Merchants } from "@countersign/core"
import type { Channel } from "@countersign/core/channel"
import { MemoryStorage } from "@countersign/core/memory"
import { noRecords, OutboxStore, refused } from "@countersign/core/storage"
import { Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { assert, beforeAll, describe, it } from "vitest"
import { Dispatcher, type WireRequest } from "../src/index.ts"

const start = Date.UTC(2030, 0, 7, 10)
const identity = "+919876543210"

/** Sends immediately. */
const makeChannel = (): Channel => {
  let sent = 0
  return {
    name: "SMS",
    provider: "acme",
    supports: { identityTypes: ["MOBILE"], receipts: true },
    send: () => Effect.sync(() => ({ providerId: `m${++sent}` }))
  }
}

const request = (method: string, path: string, fields: Partial<WireRequest> = {}): WireRequest => ({
  method,
  path,
  query: "",
  remoteAddress: path === "/metrics" ? "127.0.0.1" : "203.0.113.7",
  header: () => undefined,
  body: () => Effect.die("the body was read"),
  ...fields
})

/** The metrics of a process after a login, a wrong request, refusals and a job without a handler. */
const told = Effect.gen(function* () {
  const { dispatch } = yield* Dispatcher
  const merchants = yield* Merchants
  const { live, merchant } = yield* merchants.create("Acme")
  const caller = yield* merchants.authenticate(live.clientId, live.clientSecret)
  const headers: Record<string, string> = {
    "x-client-id": live.clientId,
    "x-client-secret": Redacted.value(live.clientSecret),
    "content-type": "application/json"
  }
  const body = JSON.stringify({ identity, identityType: "MOBILE", mode: "OTP", channel: "SMS" })
  const header = (name: string) => headers[name]
  const initiated = yield* dispatch(
    request("POST", "/v1/auth/initiate", { header, body: () => Effect.succeed(new TextEncoder().encode(body)) })
  )
  assert.strictEqual(initiated.status, 200)
  const metrics = Effect.map(dispatch(request("GET", "/metrics")), ({ body }) => (typeof body === "string" ? body : ""))
  const before = yield* metrics
  const at = { environment: caller.environment, at: start }
  const value = { path: "SDK", channel: null, country: null, n: 3 }
  const facts = [
    refused.fact({ ...at, key: "a", value: { ...value, reason: "limit" } }),
    refused.fact({ ...at, key: "b", value: { ...value, reason: `${identity} "}\n` } })
  ]
  const nobodys = { key: "old", environment: caller.environment, kind: "nobodys", payload: {}, runAt: start - 60_000 }
  yield* (yield* OutboxStore).append({ ...noRecords, facts, jobs: [nobodys] })
  yield* TestClock.adjust("11 seconds")
  const secrets = [identity, identity.slice(1), live.clientId, caller.environment, merchant.id]
  return { before, text: yield* metrics, secrets }
}).pipe(
  Effect.provide(
    Dispatcher.layer().pipe(
      Layer.provideMerge(
        Core.layer({
          secret: Redacted.make("00".repeat(32)),
          publicUrl: "http://localhost",
          channels: [makeChannel()]
        })
      ),
      Layer.provideMerge(MemoryStorage.layer)
    )
  ),
  // Background work starts at its time, and does not catch up on sixty years.
  (work) => Effect.andThen(TestClock.setTime(start), work),
  Effect.provide(TestClock.layer())
)

interface Sample {
  readonly name: string
  readonly labels: { readonly [label: string]: string }
  readonly value: number
}

const labelsIn = (text: string) =>
  Object.fromEntries([...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name!, value!]))

const samplesIn = (text: string): ReadonlyArray<Sample> =>
  text.split("\n").flatMap((line) => {
    const [, name, labels = "", value] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    return name === undefined ? [] : [{ name, labels: labelsIn(labels), value: Number(value) }]
  })

const file = (name: string) => readFileSync(new URL(`../../../docs/observability/${name}`, import.meta.url), "utf8")

interface Dashboard {
  readonly panels: ReadonlyArray<{ readonly title: string; readonly targets: ReadonlyArray<{ readonly expr: string }> }>
}

const ofDashboard = (JSON.parse(file("grafana.json")) as Dashboard).panels.flatMap(({ targets, title }) =>
  targets.map(({ expr }): [string, string] => [title, expr])
)
const ofAlerts = [...file("alerts.yml").matchAll(/- alert: (\w+)\n +expr: (.*)\n/g)].map(
  ([, alert, expr]): [string, string] => [alert!, expr!]
)

const functions = ["sum", "max", "rate", "histogram_quantile", "time", "topk"]
const words = ["by", "and", ...functions]

/** Every metric in the expression, with its label selectors. */
const selectorsIn = (expr: string) =>
  [...expr.matchAll(/\b(countersign_\w+)(?:\{([^}]*)\})?/g)].map(([, name, asked = ""]) => ({ name: name!, asked }))

describe("metrics", () => {
  let text = ""
  let samples: ReadonlyArray<Sample> = []
  /** The samples that other tests left in this process. */
  let earlier: ReadonlyArray<Sample> = []
  let secrets: ReadonlyArray<string> = []
  beforeAll(async () => {
    const said = await Effect.runPromise(told)
    ;({ secrets, text } = said)
    samples = samplesIn(text)
    earlier = samplesIn(said.before)
  })

  type Labels = { readonly [label: string]: string }

  const matching = (all: ReadonlyArray<Sample>, name: string, labels: Labels) =>
    all.filter(
      (sample) =>
        sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value)
    )

  const valueOf = (name: string, labels: Labels) => matching(samples, name, labels)[0]?.value

  const sumIn = (all: ReadonlyArray<Sample>, name: string, labels: Labels) =>
    matching(all, name, labels).reduce((sum, { value }) => sum + value, 0)

  /** Counters belong to the process, not to a service: other tests may have counted under more labels. */
  const countOf = (name: string, labels: Labels) => sumIn(samples, name, labels) - sumIn(earlier, name, labels)

  it("count folded statistics and refusals, and measure how long jobs wait", () => {
    const live = { environment: "live", channel: "SMS" }
    assert.strictEqual(countOf("countersign_verifications_total", { ...live, event: "asked" }), 1)
    assert.strictEqual(countOf("countersign_messages_total", { ...live, event: "sent" }), 1)
    assert.strictEqual(countOf("countersign_time_to_send_ms_count", live), 1)
    assert.strictEqual(countOf("countersign_refusals_total", { path: "SDK", reason: "limit" }), 3)
    assert.strictEqual(valueOf("countersign_job_overdue_seconds", { kind: "nobodys" }), 71)
    assert.strictEqual(valueOf("countersign_statistics_folded_timestamp_seconds", {}), (start + 10_000) / 1000)
    assert.strictEqual(valueOf("countersign_provider_resting", { provider: "acme" }), 0)
  })

  it("contain no personal data, and no label value from a request", () => {
    for (const secret of secrets) assert.notInclude(text, secret)
    assert.strictEqual(countOf("countersign_refusals_total", { reason: "other" }), 3)
  })

  it("are exactly those that the documentation describes", () => {
    const page = readFileSync(new URL("../../../docs/observability.md", import.meta.url), "utf8")
    const described = [...page.matchAll(/^\| `(countersign_\w+)` \|/gm)].map(([, name]) => name!)
    const names = samples.map(({ name }) => name.replace(/_(bucket|sum|count|min|max)$/, ""))
    const ours = [...new Set(names)].filter((name) => name.startsWith("countersign_"))
    // These appear with the first delivery, success, refusal and lookup of their kind.
    const later = [
      "countersign_time_to_deliver_ms",
      "countersign_time_to_verify_ms",
      "countersign_refused_addresses_total",
      "countersign_line_facts_total"
    ]
    assert.sameMembers(described, [...new Set([...ours, ...later])])
  })

  it.each([...ofDashboard, ...ofAlerts])("%s queries only metrics and labels that exist: %s", (_title, expr) => {
    const open = expr.split("").reduce((depth, sign) => depth + (sign === "(" ? 1 : sign === ")" ? -1 : 0), 0)
    assert.strictEqual(open, 0, "every bracket is closed")
    const called = [...expr.matchAll(/\b([a-z_]+)\s*\(/g)].map(([, name]) => name!)
    for (const name of called) assert.include(words, name)
    const selectors = selectorsIn(expr)
    assert.isNotEmpty(selectors)
    for (const { asked, name } of selectors) {
      const like = name.replace(/time_to_(deliver|verify)/, "time_to_send")
      const known = samples.filter((sample) => sample.name === like)
      assert.isNotEmpty(known, name)
      const labels = Object.keys(known[0]!.labels)
      for (const [, label] of asked.matchAll(/(\w+)=~?"/g)) assert.include(labels, label, name)
      for (const [, grouped] of expr.matchAll(/\bby \(([^)]*)\)/g)) {
        if (selectors.every((one) => one.name === name)) assert.includeMembers(labels, grouped!.split(/, */), name)
      }
    }
  })
})
