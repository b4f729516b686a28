import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import { MemoryStorage } from "../../src/index.memory.ts"
import { DeploymentStore, type Storage } from "../../src/index.storage.ts"
import { agreeOn, Billing, Core, Merchants, Numbers, operator } from "../../src/index.ts"

const secret = "00".repeat(32)
const ownNumber = "106540352242922"

/** One process with these options on a storage that other processes may share. */
const process = (
  storage: Context.Context<Storage>,
  options: Partial<Core.Options> = {}
): Effect.Effect<Context.Context<Merchants | Numbers | Billing>, Core.StartError, Scope.Scope> =>
  Layer.build(
    Core.layer({
      secret: Redacted.make(secret),
      publicUrl: "https://verify.example.com",
      channels: [
        {
          name: "WHATSAPP",
          provider: "whatsapp",
          supports: { identityTypes: ["MOBILE"], kinds: ["Code"], receipts: false, senders: [ownNumber] },
          send: () => Effect.die("nothing is sent here")
        }
      ] as unknown as Core.Options["channels"],
      ...options
    }).pipe(Layer.provide(Layer.succeedContext(storage)))
  )

const keys = (name: string) => ({
  clientId: `cs_live_${name}0000000000`,
  clientSecret: Redacted.make(`sk_live_${name}_0123456789012345678901234567890123`),
  publicKey: `pk_live_${name}0000000000`
})

describe("the first merchant", () => {
  it.effect("is the one with the configured keys, even if another merchant was created just before", () =>
    Effect.gen(function* () {
      const storage = yield* Layer.build(MemoryStorage.layer)
      const services = yield* process(storage)
      const merchants = Context.get(services, Merchants)
      yield* merchants.create("Made in the first moment")
      const { environments } = yield* merchants.ensure("Configured", { live: keys("a"), test: null })
      const live = environments.find(({ kind }) => kind === "live")?.id
      assert.strictEqual(yield* Context.get(services, Numbers).environmentOf(ownNumber), live)
    })
  )

  it.effect("stays the same when other keys are configured on a database that has merchants", () =>
    Effect.gen(function* () {
      const storage = yield* Layer.build(MemoryStorage.layer)
      const merchants = Context.get(yield* process(storage), Merchants)
      const { merchant } = yield* merchants.create("Acme")
      assert.strictEqual(yield* merchants.first, merchant.id)
      yield* merchants.ensure("Configured later", { live: keys("b"), test: null })
      yield* merchants.ensureInProcess("In process")
      assert.strictEqual(yield* merchants.first, merchant.id)
    })
  )
})

describe("the settings billedBy and currency of a deployment", () => {
  it.effect("are recorded by the first process that sets them, and a process with other values does not start", () =>
    Effect.gen(function* () {
      const storage = yield* Layer.build(MemoryStorage.layer)
      yield* process(storage, { billedBy: "operator", currency: "NPR" })
      for (const other of [{ billedBy: "merchant" }, { currency: "INR" }] as const) {
        const failure = yield* Effect.flip(process(storage, other))
        assert.strictEqual(failure._tag, "DeploymentDiffers")
      }
      yield* process(storage, { billedBy: "operator", currency: "NPR" })
    })
  )

  it.effect("are read from storage by a process that does not set them, also while it runs", () =>
    Effect.gen(function* () {
      const storage = yield* Layer.build(MemoryStorage.layer)
      const silent = yield* process(storage)
      const merchants = Context.get(silent, Merchants)
      const { live } = yield* merchants.create("Acme")
      const caller = yield* merchants.authenticate(live.clientId, live.clientSecret)
      const key = { kind: "KEY", id: live.clientId, label: "key" } as const
      const payer = { ...caller, actor: key, address: null }
      const topUp = { amount: 100, reference: null }
      yield* Context.get(silent, Billing).topUp(payer, topUp, null)
      yield* process(storage, { billedBy: "operator" })
      const refusal = yield* Effect.flip(Context.get(silent, Billing).topUp(payer, topUp, null))
      assert.deepInclude(refusal, { _tag: "BilledByOperator", what: "TOP_UP" })
      assert.strictEqual(
        (yield* Effect.flip(merchants.changeSettings(payer, { billing: "PREPAID" })))._tag,
        "BilledByOperator"
      )
      yield* Context.get(silent, Billing).topUp({ ...payer, actor: { ...operator, label: "command" } }, topUp, null)
      yield* Effect.provide(agreeOn("billedBy", "merchant"), storage)
      assert.strictEqual(yield* Context.get(storage, DeploymentStore).get("billedBy"), "merchant")
      yield* Context.get(silent, Billing).topUp(payer, topUp, null)
    })
  )
})
