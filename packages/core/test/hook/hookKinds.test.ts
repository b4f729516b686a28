import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { type HookKind, HookKind as kinds, hookKinds } from "../../src/auth/hook/hookKinds.ts"
import {
  kratos,
  requestOf,
  signedAt,
  standardHeaders,
  supabase,
  type Vector,
  zitadel,
  zitadelHeaders
} from "./vectors.ts"

const vectors = [supabase, zitadel, kratos]

const faultOf = (
  { body, headers, kind }: Pick<Vector, "kind" | "body" | "headers">,
  secrets: ReadonlyArray<string>,
  now = signedAt
) => {
  const { signed } = hookKinds[kind]
  const signers = secrets.flatMap((secret) => signed.signerOf(secret) ?? [])
  return signed.faultOf(requestOf({ body, headers }), signers, now)
}

const read = (kind: HookKind, body: unknown, headers: Vector["headers"] = {}) =>
  hookKinds[kind].read(body, requestOf({ body: JSON.stringify(body), headers }))

const only = (kind: HookKind, body: unknown, headers: Vector["headers"] = {}) => {
  const messages = Result.getOrThrow(read(kind, body, headers))
  assert.strictEqual(messages.length, 1)
  return messages[0]!
}

const refusalOf = (kind: HookKind, body: unknown) => {
  const refused = Result.getOrThrow(Result.flip(read(kind, body)))
  return `${refused.field}: ${refused.problem}`
}

describe("the signatures of sign-in systems", () => {
  it.each(vectors.map((vector) => [vector.kind, vector] as const))(
    "a request of %s that its system signed is accepted, byte for byte",
    (_kind, vector) => {
      assert.isNull(faultOf(vector, [vector.secret]))
      assert.strictEqual(faultOf(vector, ["another-secret-0123456789"]), "WRONG")
      assert.strictEqual(faultOf({ ...vector, headers: {} }, [vector.secret]), "MISSING")
    }
  )

  it.each([", ", " ", ",  "])("several signatures are read when they are joined by %j", (joint) => {
    const { "webhook-signature": own, ...others } = supabase.headers as { readonly [name: string]: string }
    const foreign = "v1,AAAAdghh/JEKxYEqrVigePRlzHJwmDtymJkJpwW0dFo="
    for (const signatures of [
      [foreign, own],
      [own, foreign],
      ["v1a,anything", own]
    ]) {
      const headers = { ...others, "webhook-signature": signatures.join(joint) }
      assert.isNull(faultOf({ ...supabase, headers }, [supabase.secret]))
    }
  })

  it("several signatures of Zitadel are read, as it sends them while its key rotates", () => {
    const [time, own] = zitadel.headers["zitadel-signature"]!.split(",")
    const headers = { "zitadel-signature": `${time},v1=${"0".repeat(64)},${own}` }
    assert.isNull(faultOf({ ...zitadel, headers }, [zitadel.secret]))
  })

  it("every secret of a rotation is tried", () => {
    const other = hookKinds["supabase-sms"].signed.makeSecret(new Uint8Array(32).fill(7))
    assert.isNull(faultOf(supabase, [other, supabase.secret]))
    assert.isNull(faultOf(supabase, [supabase.secret, other]))
    assert.strictEqual(faultOf(supabase, []), "WRONG")
  })

  it("a signature is accepted for five minutes on both sides of its time, and not longer", () => {
    for (const vector of [supabase, zitadel]) {
      for (const off of [-300_000, -1, 0, 1, 300_000]) assert.isNull(faultOf(vector, [vector.secret], signedAt + off))
      for (const off of [-300_001, 300_001, 86_400_000]) {
        assert.strictEqual(faultOf(vector, [vector.secret], signedAt + off), "OLD")
      }
    }
  })

  it("a part of a signed body cannot be passed off as another request", () => {
    // The signed text is `id.time.body`. Here the body contains a whole second request behind a time of its own.
    const { secret } = supabase
    const inner = '{"identity":"+919800000000","code":"000000"}'
    const body = `{"x":".1795000000.${inner}`
    const headers = standardHeaders(secret, body)
    const shifted = {
      "webhook-id": `msg_1.1795000000.{"x":"`,
      "webhook-timestamp": "1795000000",
      "webhook-signature": headers["webhook-signature"]
    }
    assert.strictEqual(faultOf({ kind: "generic", headers: shifted, body: inner }, [secret]), "MISSING")
  })

  it.each(kinds)("a new secret of %s is accepted as a secret, and signs", (kind) => {
    const { signed } = hookKinds[kind]
    const secret = signed.makeSecret(crypto.getRandomValues(new Uint8Array(32)))
    assert.deepStrictEqual(signed.checkSecret(secret), Result.succeed(secret))
  })

  it("a secret of Supabase is accepted with and without its prefixes, and refused when it is too short", () => {
    const { checkSecret } = hookKinds["supabase-sms"].signed
    const text = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
    for (const written of [`v1,whsec_${text}`, `whsec_${text}`, text]) {
      assert.deepStrictEqual(checkSecret(written), Result.succeed(`v1,whsec_${text}`))
    }
    for (const wrong of [
      "",
      "v1,whsec_",
      "v1,whsec_c2hvcnQ=",
      `v1,whsec_${text}|v1,whsec_${text}`,
      `v2,whsec_${text}`
    ]) {
      assert.isTrue(Result.isFailure(checkSecret(wrong)), wrong)
    }
  })
})

/** A small generator, so that every run tries the same variants. */
const randomFrom = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

describe("forged requests", () => {
  const bytes = (vector: Vector) =>
    vector.secret.includes("whsec_") ? Buffer.from(vector.secret.replace(/^.*whsec_/, ""), "base64") : vector.secret

  /** Replaces one character of a text by another. */
  const altered = (text: string, next: (below: number) => number) => {
    const at = next(text.length)
    const other = text[at] === "x" ? "y" : "x"
    return text.slice(0, at) + other + text.slice(at + 1)
  }

  /** Ways to alter a signed request of any kind. */
  const alterations: ReadonlyArray<
    readonly [
      name: string,
      forge: (vector: Vector, next: (below: number) => number) => Pick<Vector, "headers" | "body">
    ]
  > = [
    ["another body", ({ body, headers }, next) => ({ headers, body: altered(body, next) })],
    ["a longer body", ({ body, headers }, next) => ({ headers, body: `${body}${" ".repeat(1 + next(9))}` })],
    ["a shorter body", ({ body, headers }, next) => ({ headers, body: body.slice(0, next(body.length)) })],
    [
      "an altered header",
      ({ body, headers }, next) => {
        const names = Object.keys(headers)
        const name = names[next(names.length)]!
        return { body, headers: { ...headers, [name]: altered(headers[name]!, next) } }
      }
    ],
    [
      "a header left out",
      ({ body, headers }, next) => {
        const names = Object.keys(headers)
        const name = names[next(names.length)]!
        return { body, headers: Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name)) }
      }
    ],
    [
      "a signature cut short",
      ({ body, headers }, next) => ({
        body,
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name, value.slice(0, next(value.length))])
        )
      })
    ]
  ]

  const algorithms = ["md5", "sha1", "sha512", "none"] as const

  /** Signed anew: with a foreign or an empty key, over other parts, or by another algorithm. */
  const resigned = (vector: Vector, next: (below: number) => number): Pick<Vector, "headers" | "body"> => {
    const { body, kind } = vector
    const foreign = Buffer.from(Array.from({ length: 32 }, () => next(256)))
    const keys = [foreign, Buffer.alloc(0), Buffer.from(vector.secret.slice(0, 8)), Buffer.from(`${vector.secret} `)]
    const algorithm = algorithms[next(algorithms.length)]!
    const own = next(2) === 0
    const key = own ? bytes(vector) : keys[next(keys.length)]!
    const parts = own && algorithm === "none" ? [body, `.${body}`, `1795000000${body}`][next(3)]! : null
    const digest = (signed: string, encoding: "base64" | "hex") => {
      if (own && algorithm === "none") return createHmac("sha256", key).update(parts!).digest(encoding)
      if (algorithm === "none") return ["", "none", "null"][next(3)]!
      return createHmac(own ? algorithm : "sha256", key)
        .update(signed)
        .digest(encoding)
    }
    if (kind === "kratos") {
      const schemes = ["Basic", "Token", "", "Bearer Bearer"]
      const given = own ? `${schemes[next(4)]} ${vector.secret}` : `Bearer ${keys[next(4)]!.toString("base64")}`
      return { body, headers: { authorization: given } }
    }
    if (kind === "zitadel-sms") {
      const version = own && next(2) === 0 ? "v2" : "v1"
      const sent =
        version === "v2"
          ? createHmac("sha256", key).update(`1795000000.${body}`).digest("hex")
          : digest(`1795000000.${body}`, "hex")
      return { body, headers: { "zitadel-signature": `t=1795000000,${version}=${sent}` } }
    }
    const id = vector.headers["webhook-id"]!
    const version = own && next(2) === 0 ? ["v1a", "v2", "V1", "none"][next(4)]! : "v1"
    const sent =
      version === "v1"
        ? digest(`${id}.1795000000.${body}`, "base64")
        : createHmac("sha256", key).update(`${id}.1795000000.${body}`).digest("base64")
    return { body, headers: { ...vector.headers, "webhook-signature": `${version},${sent}` } }
  }

  it.each(vectors.map((vector) => [vector.kind, vector] as const))(
    "300 variants of a request of %s are refused",
    (kind, vector) => {
      const next = randomFrom(20_261_127)
      for (let i = 0; i < 300; i++) {
        const isAltered = next(2) === 0
        const [name, forge] = isAltered ? alterations[next(alterations.length)]! : (["signed anew", resigned] as const)
        const forged = forge(vector, next)
        const sameHeaders = JSON.stringify(forged.headers) === JSON.stringify(vector.headers)
        // An API key signs no body: who has it may send any.
        if (kind === "kratos" && sameHeaders) continue
        assert.isNotNull(faultOf({ kind, ...forged }, [vector.secret]), `${name}: ${JSON.stringify(forged)}`)
      }
    }
  )

  it("a signature of another hook's secret is refused, and so is one of a secret that ended", () => {
    const { signed } = hookKinds["supabase-sms"]
    for (let i = 0; i < 50; i++) {
      const own = signed.makeSecret(crypto.getRandomValues(new Uint8Array(32)))
      const foreign = signed.makeSecret(crypto.getRandomValues(new Uint8Array(32)))
      const headers = standardHeaders(foreign, supabase.body)
      assert.strictEqual(faultOf({ ...supabase, headers }, [own]), "WRONG")
    }
    const headers = zitadelHeaders("another_signing_key_0123", zitadel.body)
    assert.strictEqual(faultOf({ ...zitadel, headers }, [zitadel.secret]), "WRONG")
  })
})

describe("the bodies of sign-in systems", () => {
  const none = { channel: null, clientIp: null, expiresInSeconds: null, locale: null, purpose: null }

  it.each(["+919812345678", "919812345678"])("Supabase's phone %s is read as E.164", (phone) => {
    const body = {
      metadata: { uuid: "u-1", ip_address: "203.0.113.7" },
      user: { phone: "91000" },
      sms: { otp: "482913", phone }
    }
    const read = only("supabase-sms", body)
    assert.deepStrictEqual(
      { ...read, repeats: read.repeats.slice(0, 2) },
      { ...none, identity: "+919812345678", code: "482913", clientIp: "203.0.113.7", repeats: ["uuid", "u-1"] }
    )
  })

  it("Supabase's phone may stand in the user alone, and its metadata may be missing", () => {
    const read = only("supabase-sms", { user: { phone: "919812345678" }, sms: { otp: "482913", sms_type: "mfa" } })
    assert.strictEqual(read.identity, "+919812345678")
    assert.strictEqual(read.purpose, "mfa")
    assert.deepStrictEqual(read.repeats, ["derived", "919812345678", "482913"])
  })

  it.each(["10.1.2.3", "127.0.0.1", "::1", "fd00::1", "nonsense", ""])(
    "the address %j is that of a proxy or of none, so nobody is limited by it",
    (ip_address) => {
      assert.isNull(
        only("supabase-sms", { ...JSON.parse(supabase.body), metadata: { uuid: "u", ip_address } }).clientIp
      )
    }
  )

  it.each(["signup", "magiclink", "recovery", "invite", "email", "reauthentication"])(
    "Supabase's e-mail for %s sends its code to the user",
    (action) => {
      const body = {
        metadata: { uuid: "u-1" },
        user: { email: "a@example.com" },
        email_data: { token: "482913", token_hash: "h", email_action_type: action, token_new: "" }
      }
      const read = only("supabase-email", body)
      assert.deepStrictEqual([read.identity, read.code, read.purpose], ["a@example.com", "482913", action])
    }
  )

  it("Supabase's change of address sends each address its own code, and the two are told apart", () => {
    const user = { email: "old@example.com", new_email: "new@example.com" }
    const email_data = { token: "111111", token_new: "222222", email_action_type: "email_change" }
    const both = Result.getOrThrow(read("supabase-email", { metadata: { uuid: "u-1" }, user, email_data }))
    assert.deepStrictEqual(
      both.map(({ code, identity }) => [identity, code]),
      [
        ["old@example.com", "111111"],
        ["new@example.com", "222222"]
      ]
    )
    assert.notDeepEqual(both[0]!.repeats, both[1]!.repeats)
    const single = only("supabase-email", { user, email_data: { ...email_data, token_new: "" } })
    assert.deepStrictEqual([single.identity, single.code], ["new@example.com", "111111"])
  })

  it("Supabase's notifications without a code are refused, with words", () => {
    const email_data = { token: "", email_action_type: "password_changed_notification" }
    assert.include(refusalOf("supabase-email", { user: { email: "a@example.com" }, email_data }), "has no code")
  })

  it.each([
    ["session.otp.sms.challenged", { oTP: "48291377" }, "48291377", "sign-in"],
    ["user.human.mfa.otp.sms.code.added", { oTP: "48291377" }, "48291377", "mfa-enrolment"],
    ["user.human.phone.code.added", { code: "A1B2C3" }, "A1B2C3", "phone-verification"],
    ["user.human.phone.code.added", { oTP: "11112222", code: "A1B2C3" }, "11112222", "phone-verification"]
  ])("Zitadel's event %s sends the code of %j", (eventType, args, code, purpose) => {
    const body = {
      contextInfo: { eventType, recipientPhoneNumber: "+919812345678" },
      templateData: { text: "…" },
      args
    }
    assert.deepStrictEqual(only("zitadel-sms", body), {
      ...none,
      identity: "+919812345678",
      code,
      purpose,
      repeats: [eventType, "+919812345678", code]
    })
  })

  it.each(["user.domain.claimed", "user.human.password.changed", "", "constructor"])(
    "Zitadel's event %j sends nothing",
    (eventType) => {
      const contextInfo = { eventType, recipientPhoneNumber: "+919812345678", recipientEmailAddress: "a@example.com" }
      for (const kind of ["zitadel-sms", "zitadel-email"] as const) {
        assert.include(refusalOf(kind, { contextInfo, args: { code: "123456" } }), "contextInfo.eventType")
      }
    }
  )

  it("Kratos' code is told from the next by recipient, type and code, or by the id of your own Jsonnet", () => {
    const body = { to: "+919812345678", type: "login_code_valid", code: "482913" }
    assert.deepStrictEqual(only("kratos", body), {
      ...none,
      identity: "+919812345678",
      code: "482913",
      purpose: "login_code_valid",
      repeats: ["login_code_valid", "+919812345678", "482913"]
    })
    assert.deepStrictEqual(only("kratos", { ...body, id: "m-1" }).repeats, ["id", "m-1"])
    assert.strictEqual(only("kratos", { ...body, to: "a@example.com" }).identity, "a@example.com")
    assert.include(refusalOf("kratos", { ...body, type: "recovery_code_invalid", code: null }), "has no code")
  })

  it("Auth0's text is sent, and its voice is refused with words", () => {
    const body = { to: "+919812345678", type: "otp_verify", method: "text", code: "482913", locale: "en" }
    const read = only("auth0", body, { "webhook-id": "m-1" })
    assert.deepStrictEqual([read.locale, read.repeats], ["en", ["m-1"]])
    assert.include(refusalOf("auth0", { ...body, method: "voice" }), "not spoken")
    assert.include(refusalOf("auth0", { ...body, type: "blocked_account", code: "" }), "has no code")
  })

  it("a generic request may name everything that a relayed code has", () => {
    const body = {
      identity: "919812345678",
      code: "482913",
      channel: "WHATSAPP",
      locale: "hi",
      expiresInSeconds: 120,
      clientIp: "203.0.113.7",
      purpose: "checkout"
    }
    assert.deepStrictEqual(only("generic", body, { "webhook-id": "m-1", "idempotency-key": "other" }), {
      ...body,
      identity: "+919812345678",
      repeats: ["m-1"]
    })
  })

  it.each(kinds)("a body of %s that is none is refused, and the refusal repeats none of it", (kind) => {
    for (const body of [null, 7, "text", [], {}, { to: 7 }, { sms: "canary-482913" }, { contextInfo: [], user: 1 }]) {
      const refusal = refusalOf(kind, body)
      assert.match(refusal, /^[\w.]+: ./)
      assert.notInclude(refusal, "canary")
    }
  })
})

describe("the answers to sign-in systems", () => {
  const refusal = (
    status: number,
    message = "Too many codes for this number",
    retryAfterSeconds: number | null = null
  ) => hookKinds["supabase-sms"].refusal!({ status, message, retryAfterSeconds })

  it("Supabase shows the person a limit as 429 and a rule as 400", () => {
    assert.deepStrictEqual(refusal(429), {
      status: 200,
      headers: { "content-type": "application/json" },
      body: '{"error":{"http_code":429,"message":"Too many codes for this number"}}'
    })
    assert.include(refusal(400).body, '"http_code":400')
  })

  it("the person does not read about the balance or the rules of the merchant", () => {
    for (const status of [402, 403]) {
      assert.strictEqual(
        refusal(status, "The balance is too low").body,
        '{"error":{"http_code":400,"message":"A code cannot be sent to this number or address."}}'
      )
    }
  })

  it("Supabase repeats trouble of ours, because the answer says when", () => {
    for (const [status, seconds] of [
      [500, null],
      [503, 3]
    ] as const) {
      const answer = refusal(status, "The service cannot reach its storage", seconds)
      assert.strictEqual(answer.status, 503)
      assert.strictEqual(answer.headers["retry-after"], String(seconds ?? 1))
      assert.notInclude(answer.body, "storage")
    }
  })
})
