import { generateKeyPairSync, sign } from "node:crypto"

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
const decoded = (part = "") => JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>

/** What somebody without the service's key could make of a token, for another number than its own. */
export const forgeries: Readonly<Record<string, (token: string, number: string) => string>> = {
  "another number under the same signature": (token, number) => {
    const [head, payload, signature] = token.split(".")
    return [head, encoded({ ...decoded(payload), identity: number, phone_number: number }), signature].join(".")
  },
  "no signature, and an algorithm that needs none": (token) => {
    const [head, payload] = token.split(".")
    return `${encoded({ ...decoded(head), alg: "none" })}.${payload}.`
  },
  "the signature of another key under the same name": (token) => {
    const [head, payload] = token.split(".")
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
    const signature = sign("sha256", Buffer.from(`${head}.${payload}`), { key: privateKey, dsaEncoding: "ieee-p1363" })
    return `${head}.${payload}.${signature.toString("base64url")}`
  },
  "a signature of nothing": (token) => `${token.slice(0, token.lastIndexOf("."))}.${"A".repeat(86)}`
}
