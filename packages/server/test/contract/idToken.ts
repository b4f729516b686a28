import { createHmac, createPublicKey, createSign, generateKeyPairSync, type JsonWebKey, verify } from "node:crypto"
import { assert, describe, it } from "vitest"
import { email, phone, refused } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"

const encode = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url")
const decode = (part: string | undefined) => JSON.parse(Buffer.from(part ?? "", "base64url").toString())
const parts = (token: string) => token.split(".") as [header: string, payload: string, signature: string]

/** The proof that a backend can check without a call, and what is not accepted in its place. */
export const suite = (service: () => Service) =>
  describe("idToken", () => {
    const jwks = async () => {
      const { body, status } = await service().send({ path: "/.well-known/jwks.json" })
      assert.strictEqual(status, 200)
      return body.keys as ReadonlyArray<JsonWebKey & { readonly kid: string }>
    }

    it("is signed by a published key and says who was verified", async () => {
      const client = await service().client()
      const [number, address] = [phone(), email()]
      const cases = [
        {
          identity: number.slice(3),
          identityType: "MOBILE",
          standard: { phone_number: number, phone_number_verified: true }
        },
        { identity: address, identityType: "EMAIL", standard: { email: address, email_verified: true } }
      ]
      const ids = new Set<string>()
      for (const { identity, identityType, standard } of cases) {
        const { idToken, requestId } = await client.verified({ identity, identityType })
        const [header, payload, signature] = parts(idToken)
        const { alg, kid, typ } = decode(header)
        assert.strictEqual(alg, "ES256")
        assert.isString(typ)
        const key = (await jwks()).find((one) => one.kid === kid)
        assert.isDefined(key)
        const publicKey = createPublicKey({ key: key!, format: "jwk" })
        const given = Buffer.from(signature, "base64url")
        assert.isTrue(
          verify("sha256", Buffer.from(`${header}.${payload}`), { key: publicKey, dsaEncoding: "ieee-p1363" }, given)
        )
        const claims = decode(payload)
        const { verifiedAt } = (await client.status({ requestId })).body
        const { exp, iat, iss, jti, ...rest } = claims
        assert.deepStrictEqual(rest, {
          aud: client.keys.clientId,
          sub: requestId,
          auth_time: Math.floor(Date.parse(verifiedAt) / 1000),
          identity,
          identityType,
          ...standard
        })
        assert.strictEqual(exp - iat, 300)
        assert.match(iss, /^https?:\/\//)
        ids.add(jti)
      }
      assert.strictEqual(ids.size, 2)
    })

    it("has public keys that hold nothing private", async () => {
      const keys = await jwks()
      assert.isNotEmpty(keys)
      for (const key of keys) {
        assert.sameMembers(Object.keys(key), ["kty", "crv", "x", "y", "kid", "alg", "use"])
        assert.deepInclude(key, { kty: "EC", crv: "P-256", alg: "ES256", use: "sig" })
      }
    })

    it("is refused when forged", async () => {
      const client = await service().client()
      const { idToken } = await client.verified()
      const other = await client.verified()
      const [header, payload, signature] = parts(idToken)
      const claims = decode(payload)
      const stated = decode(header)
      const [key] = await jwks()
      const pem = createPublicKey({ key: key!, format: "jwk" }).export({ type: "spki", format: "pem" })
      const foreign = generateKeyPairSync("ec", { namedCurve: "P-256" })
      const sign = (head: object, body: unknown) => {
        const text = `${encode(head)}.${encode(body)}`
        const made = createSign("sha256").update(text).sign({ key: foreign.privateKey, dsaEncoding: "ieee-p1363" })
        return `${text}.${made.toString("base64url")}`
      }
      const hmac = (alg: string, with_: string | Buffer) => {
        const text = `${encode({ ...stated, alg })}.${payload}`
        return `${text}.${createHmac("sha256", with_).update(text).digest("base64url")}`
      }
      const jwk = foreign.publicKey.export({ format: "jwk" })
      const later = { ...claims, exp: claims.exp + 100_000 }
      const forged = [
        `${encode({ ...stated, alg: "none" })}.${payload}.`,
        `${encode({ ...stated, alg: "None" })}.${payload}.${signature}`,
        `${encode({ ...stated, alg: "nOnE" })}.${payload}.`,
        hmac("HS256", pem),
        hmac("HS256", JSON.stringify(key)),
        hmac("HS256", Buffer.alloc(0)),
        sign(stated, claims),
        sign({ ...stated, jwk }, claims),
        sign({ ...stated, jku: "http://127.0.0.1:1/jwks.json" }, claims),
        sign({ ...stated, x5u: "http://127.0.0.1:1/x", x5c: ["AAAA"] }, claims),
        sign({ ...stated, kid: "../../../../dev/null" }, claims),
        sign({ ...stated, kid: "' or 1=1 --" }, claims),
        sign({ ...stated, kid: "__proto__" }, claims),
        sign({ ...stated, crit: ["exp"] }, claims),
        sign({ ...stated, typ: "JWT" }, claims),
        `${header}.${encode(later)}.${signature}`,
        `${header}.${encode({ ...claims, sub: other.requestId })}.${signature}`,
        `${header}.${encode({ ...claims, aud: "*" })}.${signature}`,
        `${header}.${payload}.${Buffer.alloc(64).toString("base64url")}`,
        `${header}.${payload}.${parts(other.idToken)[2]}`,
        `${header}.${payload}.`,
        `${header}.${payload}`,
        `${header}..${signature}`,
        `.${payload}.${signature}`,
        `${header}.${payload}.${signature}.${signature}`,
        `${idToken.slice(0, -2)}AA`,
        encode("null"),
        `${encode("null")}.${encode("null")}.`,
        `${encode("{}")}.${encode("[]")}.AA`,
        "..",
        "",
        "a.b.c",
        "\u0000",
        "ü".repeat(100),
        "x".repeat(60_000)
      ]
      for (const token of forged) refused(await client.confirm({ idToken: token }), "INVALID_REQUEST", "idToken")
      assert.strictEqual((await client.confirm({ idToken })).body.success, true)
    })

    it("opens nothing but confirm", async () => {
      const client = await service().client()
      const { idToken } = await client.verified()
      for (const path of ["/v1/dashboard/settings", "/v1/auth/status?requestId=x", "/v1/admin/merchants"]) {
        refused(
          await service().send({ path, headers: { authorization: `Bearer ${idToken}` } }),
          "INVALID_CLIENT_CREDENTIALS"
        )
      }
    })
  })
