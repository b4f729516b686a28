import { ClientAddress } from "@countersign/http"
import { Result } from "effect"
import { availableParallelism } from "node:os"
import type { VariableReader } from "../VariableReader.ts"
import { urlOf, wholeNumber } from "./parse.ts"
import type { VariableGroup } from "./Variable.ts"

export const group: VariableGroup = {
  id: "listening",
  title: "Where it listens",
  variables: [
    {
      name: "HOST",
      about: "the address to listen on",
      default: "`127.0.0.1`; with `DATABASE_URL` `0.0.0.0`",
      example: "0.0.0.0"
    },
    { name: "PORT", about: "the port; `0` lets the system choose", default: "`8080`", example: "9000" },
    {
      name: "PUBLIC_URL",
      about: "where the service is reached from outside, and the `iss` of every token",
      default: "`http://localhost:{PORT}`",
      example: "https://verify.example.com"
    },
    {
      name: "TRUSTED_PROXIES",
      about: "the proxies in front of the service, with commas between",
      example: "loopback, 203.0.113.0/24",
      more: "See [behind a proxy](#behind-a-proxy)"
    },
    {
      name: "MANAGEMENT_PORT",
      about: "a port for the operator alone: `/v1/admin/*` and `/metrics` are served there, and no longer at `PORT`",
      default: "none: all is served at `PORT`",
      example: "9090",
      more: "See [an address for the operator](#an-address-for-the-operator)"
    },
    {
      name: "MANAGEMENT_HOST",
      about: "the address that `MANAGEMENT_PORT` is on",
      default: "`127.0.0.1`",
      example: "10.0.0.5",
      needs: ["MANAGEMENT_PORT"]
    },
    {
      name: "COUNTERSIGN_ADMIN_ADDRESSES",
      about: "from where `/v1/admin/*` may be called, in the forms of `TRUSTED_PROXIES`, with commas between",
      default: "anywhere",
      example: "loopback, 203.0.113.0/24",
      more: "See [addresses of callers](#who-may-call-from-where)"
    },
    {
      name: "COUNTERSIGN_MAX_CONNECTIONS",
      about: "connections at one time; one more is answered 503 with `Retry-After`",
      default: "`10000`",
      example: "50000",
      more: "See [connections](#connections)"
    },
    {
      name: "WORKERS",
      about: "how many processes share the port, 1 to 64, or `auto` for one for each core; SIGHUP replaces them",
      default: "none: one process, without a parent that replaces it",
      example: "auto",
      more: "With the embedded database one. See [workers](operations.md#workers)"
    }
  ]
}

const listForm = `must be a list with commas between, of ${ClientAddress.proxyForms}`
const portForm = "must be a whole number from 0 to 65535"

const management = (reader: VariableReader, port: number) => {
  const chosen = reader.read("MANAGEMENT_PORT", wholeNumber(0, 65_535), portForm)
  const host = reader.text("MANAGEMENT_HOST") ?? "127.0.0.1"
  if (chosen === undefined) return undefined
  if (chosen === port && port !== 0) reader.refuse("MANAGEMENT_PORT", "must be another port than PORT")
  return { host, port: chosen }
}

const proxies = (text: string) =>
  Result.getOrUndefined(ClientAddress.parseProxies(text.split(",").map((one) => one.trim())))

const mostWorkers = 64

/** One process at a time has an embedded database open. */
const workersOf = (isEmbedded: boolean) => (text: string) => {
  const wanted = text === "auto" ? Math.min(mostWorkers, availableParallelism()) : wholeNumber(1, mostWorkers)(text)
  if (!isEmbedded || wanted === undefined) return wanted
  return text === "auto" || wanted === 1 ? 1 : undefined
}

const workersProblem = (isEmbedded: boolean) =>
  isEmbedded
    ? "must be auto or 1: the embedded database is open in one process at a time. With DATABASE_URL there may be more"
    : `must be auto or a whole number from 1 to ${mostWorkers}`

/** Where and how it listens. */
export const read = (reader: VariableReader, options: { readonly isEmbedded: boolean }) => {
  const host = reader.text("HOST") ?? (options.isEmbedded ? "127.0.0.1" : "0.0.0.0")
  const port = reader.read("PORT", wholeNumber(0, 65_535), portForm) ?? 8080
  const publicUrl = reader.read("PUBLIC_URL", urlOf("http:", "https:"), "must be an http or https URL")
  return {
    host,
    port,
    publicUrl: (publicUrl ?? `http://localhost:${port}`).replace(/\/+$/, ""),
    trustedProxies: reader.read("TRUSTED_PROXIES", proxies, listForm) ?? [],
    management: management(reader, port),
    adminAddresses: reader.read("COUNTERSIGN_ADMIN_ADDRESSES", proxies, listForm),
    maxConnections: reader.read(
      "COUNTERSIGN_MAX_CONNECTIONS",
      wholeNumber(1, 9_999_999),
      "must be a whole number from 1 to 9999999"
    ),
    workers: reader.read("WORKERS", workersOf(options.isEmbedded), workersProblem(options.isEmbedded))
  }
}
