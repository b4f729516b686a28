import { createPublicKey, type JsonWebKey, verify } from "node:crypto"
import { assert, describe, it } from "vitest"
import { email, phone, refused } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"

const decode = (part: string | undefined) => JSON.parse(Buffer.from(part ?? "", "base64url").toString())
const parts = (token: string) => token.split(".") as [header: string, payload: string, signature: string]

/** The token that a backend verifies without a call. forgedTokens.test.ts tests invalid ones. */
export const suite = (service: () => Service) =>
  describe("an idToken", () => {
    const jwks = async () => {
      const { body, status } = await service().send({ path: "/.well-known/jwks.json" })
      assert.strictEqual(status, 200)
      return body.keys as ReadonlyArray<JsonWebKey & { readonly kid: string }>
    }

    it("is signed by a published key, and contains the verified identity", async () => {
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

    it("has public keys without private parts", async () => {
      const keys = await jwks()
      assert.isNotEmpty(keys)
      for (const key of keys) {
        assert.sameMembers(Object.keys(key), ["kty", "crv", "x", "y", "kid", "alg", "use"])
        assert.deepInclude(key, { kty: "EC", crv: "P-256", alg: "ES256", use: "sig" })
      }
    })

    it("is accepted only by confirm", async () => {
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
