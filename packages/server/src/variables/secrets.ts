import { Redacted } from "effect"
import type { VariableReader } from "../VariableReader.ts"
import { longEnough } from "./parse.ts"
import type { VariableGroup } from "./Variable.ts"

export const group: VariableGroup = {
  id: "secrets",
  title: "Secrets",
  variables: [
    {
      name: "COUNTERSIGN_SECRET",
      about: "the master secret: 32 bytes as base64url or as 64 hex digits. Required with `DATABASE_URL`",
      default: "embedded database: generated at the first start",
      example: "43 characters",
      secret: true,
      hint: "generate one with `countersign keys secret`",
      more: "Generate one with `countersign keys secret`"
    },
    {
      name: "COUNTERSIGN_SECRET_PREVIOUS",
      about: "a comma-separated list of previous master secrets that are still accepted",
      example: "the previous secret",
      secret: true,
      more: "See [rotation](security.md#rotate-the-master-secret)"
    },
    {
      name: "COUNTERSIGN_ADMIN_TOKEN",
      about: "the token for `/v1/admin/*`, at least 16 characters. Without it, these paths answer 404",
      example: "32 random characters",
      secret: true
    },
    {
      name: "COUNTERSIGN_ADMIN_TOKEN_PREVIOUS",
      about: "the previous admin token, still accepted while you rotate it",
      example: "the previous token",
      secret: true,
      needs: ["COUNTERSIGN_ADMIN_TOKEN"],
      more: "The audit log records which token was used, `current` or `previous`"
    }
  ]
}

const master = (text: string) =>
  /^([0-9a-fA-F]{64}|[A-Za-z0-9_-]{43}=?)$/.test(text) ? Redacted.make(text) : undefined

const masters = (text: string) => {
  const parsed = text.split(",").map((one) => master(one.trim()))
  return parsed.every((one) => one !== undefined) ? parsed : undefined
}

const form = "32 bytes as base64url (43 characters) or hex (64)"

/** Reads the service's own secrets. */
export const read = (reader: VariableReader) => {
  const token = (name: string) => reader.read(name, longEnough(16), "must be at least 16 characters")
  return {
    secret: reader.read("COUNTERSIGN_SECRET", master, `must be ${form}`),
    previousSecrets:
      reader.read("COUNTERSIGN_SECRET_PREVIOUS", masters, `must be a comma-separated list, each item ${form}`) ?? [],
    adminToken: token("COUNTERSIGN_ADMIN_TOKEN"),
    previousAdminToken: token("COUNTERSIGN_ADMIN_TOKEN_PREVIOUS")
  }
}
