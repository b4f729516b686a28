import { Verification } from "@countersign/core"
import { Subject, VerificationStore } from "@countersign/core/storage"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import * as Migrations from "../src/Migrations.ts"
import * as Migrator from "../src/Migrator.ts"
import { PgStorage } from "../src/index.ts"
import { storage, TestDatabase } from "./TestDatabase.ts"

const before = Object.fromEntries(Object.entries(Migrations.all).filter(([name]) => Migrations.numberOf(name) < 7))
const idOf = (n: number) => `ver_${String(n).padStart(26, "0")}`

const verification = (
  environment: string,
  n: number,
  path: Verification.Path,
  orderId: string | null,
  more: Partial<Verification.Verification> = {}
): Verification.Verification => ({
  id: idOf(n),
  environment,
  identity: {
    type: "MOBILE",
    spelling: "+919876543210",
    canonical: "919876543210",
    countryCode: "91",
    nationalNumber: "9876543210"
  },
  mode: "OTP",
  path,
  channel: "SMS",
  orderId,
  status: "PENDING",
  method: null,
  codeLength: 6,
  keyId: "key_1",
  attempts: 0,
  maxAttempts: 3,
  resends: 0,
  createdAt: n,
  sentAt: n,
  expiresAt: n + 300_000,
  endsAt: n + 1_800_000,
  verifiedAt: null,
  expiryAnnounced: true,
  undeliverable: false,
  deliveries: [],
  fallback: null,
  deviceInfo: null,
  ...more
})

/** Texts that JSON and SQL each have their own way of writing. */
const awkward = [
  `a"b\\c`,
  "tab\tline\nend\u0001\u007f",
  `","path":"SDK"`,
  `x","orderId":"order-1042`,
  "चाय-1 \u2028",
  "{}"
]

it.live("orderIds that apps had taken over go back to the backend's newest verification, or go", () =>
  Effect.gen(function* () {
    const { sql, url } = yield* TestDatabase
    yield* Migrator.run({ url }, before)

    const write = Effect.fnUntraced(function* (one: Verification.Verification, refers: boolean) {
      const { environment, id, identity, orderId } = one
      yield* sql`insert into verification (environment, id, canonical, state) values (${environment}, ${id}, ${identity.canonical}, ${Verification.encode(one)})`
      if (refers) {
        yield* sql`insert into order_reference values (${environment}, ${orderId}, ${id}, now())
          on conflict (environment, order_id) do update set verification_id = excluded.verification_id`
      }
    })
    const expected = new Map<string, string | null>()
    const expect = (environment: string, orderId: string, id: string | null) =>
      expected.set(JSON.stringify([environment, orderId]), id)

    // Taken from the backend's second of two.
    yield* write(verification("env_1", 1, "SERVER", "order-1042"), true)
    yield* write(verification("env_1", 2, "SERVER", "order-1042"), true)
    yield* write(verification("env_1", 3, "SDK", "order-1042"), true)
    expect("env_1", "order-1042", idOf(2))
    // The same name elsewhere is another: there it was the app's alone.
    yield* write(verification("env_2", 4, "SDK", "order-1042"), true)
    expect("env_2", "order-1042", null)
    // The backend had it back already.
    yield* write(verification("env_1", 5, "SDK", "order-7"), true)
    yield* write(verification("env_1", 6, "SERVER", "order-7"), true)
    expect("env_1", "order-7", idOf(6))
    // Whatever a merchant, an app or a provider wrote, it is no name of a field.
    for (const [index, orderId] of awkward.entries()) {
      const hostile = {
        identity: { ...verification("", 0, "SDK", null).identity, spelling: `"path":"SDK","orderId":"order-1042"` },
        deviceInfo: JSON.stringify({ path: "SDK", orderId: "order-1042", zero: "\u0000" }),
        deliveries: [
          {
            id: "dlv_1",
            channel: "SMS",
            type: "OTP",
            status: "FAILED",
            attemptNumber: 1,
            createdAt: 0,
            options: {},
            command: null,
            providerId: null,
            providerCode: "\u0000\ud800"
          }
        ]
      } as const
      yield* write(verification("env_1", 100 + index, "SERVER", orderId, hostile), true)
      yield* write(verification("env_1", 200 + index, "SDK", orderId, hostile), index % 2 === 0)
      expect("env_1", orderId, idOf(100 + index))
    }
    // One whose verification is gone stays as it is: nothing is found by it, and it ends with its time.
    yield* sql`insert into order_reference values ('env_1', 'gone', ${idOf(999)}, now())`
    expect("env_1", "gone", idOf(999))

    assert.include(yield* PgStorage.migrate({ url }), "0007_order_of_the_server")
    const store = Context.get(yield* Layer.build(storage()), VerificationStore)
    for (const [name, id] of expected) {
      const [environment, orderId] = JSON.parse(name) as [string, string]
      assert.strictEqual(yield* store.findIdByOrder(environment, orderId), id, name)
    }
    assert.strictEqual((yield* store.subject("env_1", "919876543210")).version, Subject.empty("", "").version)
  }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer))
)
