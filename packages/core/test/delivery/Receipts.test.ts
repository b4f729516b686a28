import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { OptOutListener } from "../../src/foundation/delivery/OptOutListener.ts"
import type { SentToOf } from "../../src/message/sending/Receipts.ts"
import { Senders } from "../../src/message/sending/Senders.ts"
import * as Reference from "../../src/message/sending/Reference.ts"
import { Keyring, Receipts } from "../../src/index.ts"
import {
  type Callback,
  type CallbackAnswer,
  CallbackRefused,
  type Channel,
  Channels,
  type Inbound,
  type Receipt
} from "../../src/index.channel.ts"
import { MasterKey } from "../../src/foundation/secret/Keyring.ts"
import { StoreError } from "../../src/index.storage.ts"
import { InboundListener } from "../../src/foundation/delivery/InboundListener.ts"
import { Jobs } from "../../src/foundation/outbox/Jobs.ts"

const dlv = (n: number) => `dlv_${String(n).padStart(26, "0")}`
const key = new MasterKey(new Uint8Array(32))
const older = new MasterKey(new Uint8Array(32).fill(1))
const hex = (byte: string) => Redacted.make(byte.repeat(32))
const keyring = Layer.orDie(Keyring.layer({ secret: hex("00"), previous: [hex("01")] }))
const unsigned = (owner: string, n: number) => `env_1.${owner}.${dlv(n)}`
const acme = { callback: "acme", sender: "" }

const receipt = (owner: string, n: number, status: Receipt["status"] = "DELIVERED"): Receipt => ({
  reference: Reference.sign(key, unsigned(owner, n), acme),
  status,
  providerId: null,
  providerCode: null
})

const written = (id: string): Inbound.Inbound => ({
  _tag: "Deletion",
  id,
  provider: "acme",
  receiver: "1",
  sender: { phone: "919812345678", userId: null, profileName: null },
  at: 0,
  messageId: "m1"
})

const request = {
  method: "POST",
  url: "https://x.example/",
  query: {},
  header: () => undefined,
  body: new Uint8Array()
}

const reporting = (answer: Partial<CallbackAnswer>): Channel => ({
  name: "WHATSAPP",
  provider: "acme",
  supports: { identityTypes: ["MOBILE"], receipts: true },
  send: () => Effect.succeed({ providerId: null }),
  callback: {
    name: "acme",
    receive: () =>
      Effect.succeed({ status: 202, contentType: "text/plain", body: "heard", receipts: [], inbound: [], ...answer })
  }
})

const unheard = Layer.succeed(InboundListener, InboundListener.of({ take: () => Effect.void }))

const withReceipts = <A, E>(
  answer: Partial<CallbackAnswer>,
  use: (receipts: Receipts["Service"]) => Effect.Effect<A, E>,
  listener: Layer.Layer<InboundListener> = unheard
) =>
  Effect.flatMap(Receipts, use).pipe(
    Effect.provide(
      Receipts.layerNoDeps.pipe(Layer.provide(Layer.mergeAll(listener, keyring, Channels.layer([reporting(answer)]))))
    )
  )

/** An owner that records its receipts. */
const keeper = () => {
  const kept: Array<readonly [owner: string, statuses: ReadonlyArray<string>]> = []
  return {
    kept,
    take: ({ ownerId }: { readonly ownerId: string }, receipts: ReadonlyArray<Receipt>) =>
      Effect.sync(() => void kept.push([ownerId, receipts.map(({ status }) => status)]))
  }
}

describe("receipts", () => {
  it.effect("go to the owner of that kind of delivery, and are skipped when it has none", () => {
    const [ver, lead] = [keeper(), keeper()]
    const receipts = [
      receipt("ver_1", 1),
      receipt("lead_7", 2),
      receipt("cmp_1", 3),
      { ...receipt("ver_1", 4), reference: "nonsense" }
    ]
    return withReceipts({ receipts }, (service) =>
      Effect.gen(function* () {
        yield* service.own("ver", ver.take)
        yield* service.own("lead", lead.take)
        assert.deepStrictEqual(yield* service.receive("acme", request), {
          status: 202,
          contentType: "text/plain",
          body: "heard"
        })
        assert.deepStrictEqual(ver.kept, [["ver_1", ["DELIVERED"]]])
        assert.deepStrictEqual(lead.kept, [["lead_7", ["DELIVERED"]]])
      })
    )
  })

  it.effect("about one message are passed together, successes first", () => {
    const ver = keeper()
    const receipts = (["FAILED", "READ", "SENT"] as const).map((status) => receipt("ver_1", 1, status))
    return withReceipts({ receipts }, (service) =>
      Effect.gen(function* () {
        yield* service.own("ver", ver.take)
        yield* service.receive("acme", request)
        assert.deepStrictEqual(ver.kept, [["ver_1", ["SENT", "READ", "FAILED"]]])
      })
    )
  })
})

describe("a receipt is accepted only about a message of its reporter", () => {
  const text = unsigned("ver_1", 1)
  const [other, last] = [unsigned("ver_2", 1), text.at(-1) === "0" ? "1" : "0"]
  const signed = (reporter: Partial<Reference.Reporter>, about = text) =>
    Reference.sign(key, about, { ...acme, ...reporter })
  const genuine = signed({})
  const mac = genuine.slice(text.length)

  const forged: ReadonlyArray<readonly [what: string, receipt: Partial<Receipt>]> = [
    ["a reference that is not signed", { reference: text }],
    ["another callback's reference", { reference: signed({ callback: "other" }) }],
    ["a reference of a channel without a callback", { reference: signed({ callback: "" }) }],
    ["another number's reference", { reference: signed({ sender: "106540352242922" }), sender: "999999999999999" }],
    ["a number's reference in a receipt that names none", { reference: signed({ sender: "106540352242922" }) }],
    ["a reference without a number in a receipt that names one", { reference: genuine, sender: "106540352242922" }],
    ["another owner's signature", { reference: other + mac }],
    ["another delivery's signature", { reference: unsigned("ver_1", 2) + mac }],
    ["another environment's signature", { reference: genuine.replace("env_1", "env_2") }],
    ["a signature cut by a character", { reference: genuine.slice(0, -1) }],
    ["a signature with another character", { reference: genuine.slice(0, -1) + (genuine.endsWith(last) ? "2" : last) }],
    [
      "a signature of a key that is not on the ring",
      { reference: Reference.sign(new MasterKey(new Uint8Array(32).fill(2)), text, acme) }
    ]
  ]

  // A new kind of owner is protected without its own code.
  for (const owner of ["ver", "cmp", "lead", "new"]) {
    it.effect(`for every kind of owner: ${owner}_`, () => {
      const keeps = keeper()
      const about = unsigned(`${owner}_1`, 1)
      const references = [
        about,
        signed({ callback: "other" }, about),
        signed({ sender: "42" }, about),
        signed({}, about)
      ]
      const receipts = references.map((reference) => ({ ...receipt("ver_1", 1), reference }))
      return withReceipts({ receipts }, (service) =>
        Effect.gen(function* () {
          yield* service.own(owner, keeps.take)
          yield* service.receive("acme", request)
          assert.deepStrictEqual(keeps.kept, [[`${owner}_1`, ["DELIVERED"]]])
        })
      )
    })
  }

  for (const [what, fake] of forged) {
    it.effect(`and not with ${what}`, () => {
      const ver = keeper()
      return withReceipts({ receipts: [{ ...receipt("ver_1", 1), ...fake }] }, (service) =>
        Effect.gen(function* () {
          yield* service.own("ver", ver.take)
          assert.strictEqual((yield* service.receive("acme", request)).status, 202, "the provider need not repeat it")
          assert.deepStrictEqual(ver.kept, [])
        })
      )
    })
  }

  it.effect("and with a signature of the current secret or the previous one, with its sender or none", () => {
    const ver = keeper()
    const receipts = [
      { ...receipt("ver_1", 1), reference: Reference.sign(older, unsigned("ver_1", 1), acme) },
      receipt("ver_2", 2),
      { ...receipt("ver_3", 3), reference: signed({ sender: "42" }, unsigned("ver_3", 3)), sender: "42" }
    ]
    return withReceipts({ receipts }, (service) =>
      Effect.gen(function* () {
        yield* service.own("ver", ver.take)
        yield* service.receive("acme", request)
        assert.deepStrictEqual(
          ver.kept.map(([id]) => id),
          ["ver_1", "ver_2", "ver_3"]
        )
      })
    )
  })

  it.effect("and without a signature when core records it itself", () => {
    const ver = keeper()
    return withReceipts({}, (service) =>
      Effect.gen(function* () {
        yield* service.own("ver", ver.take)
        yield* service.record({ ...receipt("ver_1", 1), reference: text })
        yield* service.record({ ...receipt("ver_2", 2) })
        assert.deepStrictEqual(
          ver.kept.map(([id]) => id),
          ["ver_1", "ver_2"]
        )
      })
    )
  })

  it.effect("so a channel's own receipts are accepted, and other channels' receipts about its message are not", () => {
    const ver = keeper()
    const sent: Array<string> = []
    const answer: { receipts: ReadonlyArray<Receipt> } = { receipts: [] }
    const channelOf = (name: "SMS" | "WHATSAPP", callback: string): Channel => ({
      ...reporting({}),
      name,
      supports: { identityTypes: ["MOBILE"], receipts: true, ...(name === "WHATSAPP" ? { senders: ["42"] } : {}) },
      send: ({ reference, referenceFrom }) =>
        Effect.sync(() => {
          sent.push(referenceFrom?.("42") ?? reference)
          return { providerId: null }
        }),
      callback: {
        name: callback,
        receive: () => Effect.sync(() => ({ status: 200, contentType: "text/plain", body: "", inbound: [], ...answer }))
      }
    })
    const [sms, whatsapp] = [channelOf("SMS", "sms"), channelOf("WHATSAPP", "whatsapp")]
    const jobs = Layer.succeed(Jobs, {
      handle: () => Effect.void,
      pass: () => Effect.void,
      adopt: () => Effect.void,
      commit: (_, commit) => commit(_)
    })
    const services = Layer.merge(Receipts.layerNoDeps, Senders.layer).pipe(
      Layer.provide(Layer.mergeAll(unheard, keyring, jobs, Channels.layer([sms, whatsapp])))
    )
    return Effect.gen(function* () {
      const receipts = yield* Receipts
      const { send } = yield* Senders
      yield* receipts.own("ver", ver.take)
      for (const [n, channel] of [sms, whatsapp].entries()) {
        yield* send(channel, {
          _tag: "Code",
          deliveryId: dlv(n),
          reference: unsigned(`ver_${n}`, n),
          to: "+12025550101",
          brand: "Acme",
          locale: "en",
          text: Redacted.make("482913"),
          subject: Redacted.make(""),
          html: null,
          code: Redacted.make("482913"),
          validForSeconds: 300,
          expiresAt: 300_000,
          options: {}
        })
      }
      const [bySms = "", byWhatsApp = ""] = sent
      assert.match(bySms, /^[A-Za-z0-9._-]{1,100}$/)
      const tell = (callback: string, reference: string, sender?: string) =>
        Effect.suspend(() => {
          answer.receipts = [{ ...receipt("ver_1", 1), reference, ...(sender === undefined ? {} : { sender }) }]
          ver.kept.length = 0
          return Effect.map(receipts.receive(callback, request), () => ver.kept.length)
        })
      assert.deepStrictEqual(
        yield* Effect.all([
          tell("sms", bySms),
          tell("whatsapp", byWhatsApp, "42"),
          tell("whatsapp", bySms, "42"),
          tell("whatsapp", bySms),
          tell("sms", byWhatsApp),
          tell("whatsapp", byWhatsApp, "43"),
          tell("whatsapp", byWhatsApp)
        ]),
        [1, 1, 0, 0, 0, 0, 0]
      )
    }).pipe(Effect.provide(services))
  })
})

describe("receipts of two accounts at one provider", () => {
  const account = (carrier: string, secret: string, receipts: ReadonlyArray<Receipt>): Channel => {
    const { callback, ...channel } = reporting({ receipts })
    const receive: Callback["receive"] = (request) =>
      request.url.endsWith(secret) ? callback!.receive(request) : Effect.fail(new CallbackRefused({ provider: "acme" }))
    return { ...channel, name: "SMS", carrier, callback: { name: "acme", receive } }
  }
  const signedBy = (carrier: string) =>
    Reference.sign(key, unsigned("ver_1", 1), { callback: `acme ${carrier}`, sender: "" })

  /** The accounts whose receipts are accepted about a message of `us`, when `reporter`'s secret signs the request. */
  const heard = (reporter: string, secrets: { readonly us: string; readonly eu: string }) => {
    const kept: Array<ReadonlyArray<string> | undefined> = []
    const receipts: ReadonlyArray<Receipt> = [{ ...receipt("ver_1", 1), reference: signedBy("us") }]
    const channels = Channels.layer([account("eu", secrets.eu, receipts), account("us", secrets.us, receipts)])
    return Effect.gen(function* () {
      const service = yield* Receipts
      yield* service.own("ver", (_, reported) => Effect.sync(() => void kept.push(...reported.map(({ by }) => by))))
      yield* service.receive("acme", { ...request, url: reporter })
      return kept
    }).pipe(Effect.provide(Receipts.layerNoDeps.pipe(Layer.provide(Layer.mergeAll(unheard, keyring, channels)))))
  }

  it.effect("are accepted about messages of their own account only", () =>
    Effect.gen(function* () {
      const secrets = { us: "secret-us", eu: "secret-eu" }
      assert.deepStrictEqual(yield* heard("secret-us", secrets), [["us"]])
      assert.deepStrictEqual(yield* heard("secret-eu", secrets), [])
    })
  )

  it.effect("are accepted about both accounts if the accounts share a secret", () =>
    Effect.map(heard("secret", { us: "secret", eu: "secret" }), (kept) => assert.deepStrictEqual(kept, [["us"]]))
  )
})

describe("an opt-out in a receipt", () => {
  const heard = (receipts: ReadonlyArray<Receipt>, sentToOf: SentToOf) => {
    const out: Array<readonly [string, string, number]> = []
    const listener = Layer.succeed(OptOutListener, {
      optedOut: (environment, phone, at) => Effect.sync(() => void out.push([environment, phone, at]))
    })
    return withReceipts({ receipts }, (service) =>
      Effect.gen(function* () {
        yield* service.own("ver", () => Effect.void, sentToOf)
        yield* service.receive("acme", request)
        return out
      })
    ).pipe(Effect.provide(listener))
  }
  const stop: Receipt = { ...receipt("ver_1", 1, "FAILED"), because: "opted_out", providerCode: "any" }
  const sentToOf: SentToOf = () => Effect.succeed({ phone: "+12025550101", at: 1_000 })

  it.effect("is recorded for the number with the time of its message, for every provider", () =>
    Effect.map(heard([stop], sentToOf), (out) => assert.deepStrictEqual(out, [["env_1", "+12025550101", 1_000]]))
  )

  it.effect("is ignored in a forged receipt, with another reason, or for a message without a number", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* heard([{ ...stop, reference: unsigned("ver_1", 1) }], sentToOf), [])
      assert.deepStrictEqual(yield* heard([{ ...stop, because: "recipient", providerCode: "21610" }], sentToOf), [])
      assert.deepStrictEqual(yield* heard([{ ...stop, status: "DELIVERED" }], sentToOf), [])
      assert.deepStrictEqual(yield* heard([stop], () => Effect.succeed(null)), [])
    })
  )
})

describe("inbound messages in a callback", () => {
  const inbound = [written("in1"), written("in2")]

  it.effect("are dropped without a listener, while the receipts of the callback are kept", () => {
    const ver = keeper()
    return withReceipts({ receipts: [receipt("ver_1", 1)], inbound }, (service) =>
      Effect.gen(function* () {
        yield* service.own("ver", ver.take)
        assert.strictEqual((yield* service.receive("acme", request)).status, 202)
        assert.lengthOf(ver.kept, 1)
      })
    )
  })

  it.effect("reach the listener after the receipts, and a callback that fails there is not answered", () => {
    const order: Array<string> = []
    let broken = true
    const listener = Layer.succeed(
      InboundListener,
      InboundListener.of({
        take: (all) =>
          Effect.suspend(() => {
            order.push(`inbound ${all.map(({ id }) => id).join(" ")}`)
            return broken ? Effect.fail(new StoreError({ operation: "keep", cause: "away" })) : Effect.void
          })
      })
    )
    return withReceipts(
      { receipts: [receipt("ver_1", 1)], inbound },
      (service) =>
        Effect.gen(function* () {
          yield* service.own("ver", () => Effect.sync(() => void order.push("receipts")))
          assert.isTrue(Exit.isFailure(yield* Effect.exit(service.receive("acme", request))))
          broken = false
          yield* service.receive("acme", request)
          assert.deepStrictEqual(order, ["receipts", "inbound in1 in2", "receipts", "inbound in1 in2"])
        }),
      listener
    )
  })

  it.effect("that arrive in a thousand concurrent callbacks are taken a few at a time, and all are taken", () => {
    let underWay = 0
    let most = 0
    let taken = 0
    const listener = Layer.succeed(
      InboundListener,
      InboundListener.of({
        take: () =>
          Effect.gen(function* () {
            most = Math.max(most, ++underWay)
            yield* Effect.sleep("1 second")
            underWay--
            taken++
          })
      })
    )
    return withReceipts(
      { inbound: [written("m2")] },
      ({ receive }) =>
        Effect.gen(function* () {
          const all = yield* Effect.forkChild(
            Effect.forEach(Array.from({ length: 1_000 }), () => receive("acme", request), { concurrency: "unbounded" })
          )
          yield* TestClock.adjust("1 second")
          assert.strictEqual(taken, most)
          yield* TestClock.adjust("1 hour")
          yield* Fiber.join(all)
          assert.strictEqual(taken, 1_000)
          assert.isAtMost(most, 16)
        }),
      listener
    )
  })

  it.effect("pass their turn on when their request is interrupted", () => {
    let isStuck = true
    const listener = Layer.succeed(
      InboundListener,
      InboundListener.of({ take: () => (isStuck ? Effect.never : Effect.void) })
    )
    return withReceipts(
      { inbound: [written("m3")] },
      ({ receive }) =>
        Effect.gen(function* () {
          const stuck = yield* Effect.forkChild(
            Effect.forEach(Array.from({ length: 100 }), () => receive("acme", request), { concurrency: "unbounded" })
          )
          yield* Effect.yieldNow
          isStuck = false
          yield* Fiber.interrupt(stuck)
          assert.strictEqual((yield* receive("acme", request)).status, 202)
        }),
      listener
    )
  })
})
