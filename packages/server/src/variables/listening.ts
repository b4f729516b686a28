import { ClientAddress } from "@countersign/http"
import { Result } from "effect"
import { availableParallelism } from "node:os"
import type { VariableReader } from "../VariableReader.ts"
import { urlOf, wholeNumber } from "./parse.ts"
import type { VariableGroup } from "./Variable.ts"

export const group: VariableGroup = {
  id: "listening",
  title: "Network",
  variables: [
    {
      name: "HOST",
      about: "the address to listen on",
      default: "`127.0.0.1`, or `0.0.0.0` with `DATABASE_URL`",
      example: "0.0.0.0"
    },
    { name: "PORT", about: "the port to listen on; `0` lets the system choose", default: "`8080`", example: "9000" },
    {
      name: "PUBLIC_URL",
      about: "the URL that clients and providers use to reach the service, and the `iss` of every token",
      default: "`http://localhost:{PORT}`",
      example: "https://verify.example.com"
    },
    {
      name: "TRUSTED_PROXIES",
      about: "a comma-separated list of the proxies in front of the service",
      example: "loopback, 203.0.113.0/24",
      more: "See [behind a proxy](#behind-a-proxy)"
    },
    {
      name: "MANAGEMENT_PORT",
      about: "a separate port for the operator: only this port serves `/v1/admin/*` and `/metrics`",
      default: "none: `PORT` serves everything",
      example: "9090",
      more: "See [an address for the operator](#an-address-for-the-operator)"
    },
    {
      name: "MANAGEMENT_HOST",
      about: "the address to listen on for `MANAGEMENT_PORT`",
      default: "`127.0.0.1`",
      example: "10.0.0.5",
      needs: ["MANAGEMENT_PORT"]
    },
    {
      name: "COUNTERSIGN_ADMIN_ADDRESSES",
      about: "a comma-separated list of the addresses that may call `/v1/admin/*`, in the format of `TRUSTED_PROXIES`",
      default: "any address",
      example: "loopback, 203.0.113.0/24",
      more: "See [addresses of callers](#who-may-call-from-where)"
    },
    {
      name: "COUNTERSIGN_MAX_CONNECTIONS",
      about: "the most connections at one time; further ones get a 503 with `Retry-After`",
      default: "`10000`",
      example: "50000",
      more: "See [connections](#connections)"
    },
    {
      name: "WORKERS",
      about: "how many worker processes share the port: 1 to 64, or `auto` for one per core. SIGHUP replaces them",
      default: "none: one process, without a parent that replaces it",
      example: "auto",
      more: "The embedded database allows only one. See [workers](operations.md#workers)"
    }
  ]
}

const listForm = `must be a comma-separated list of ${ClientAddress.proxyForms}`
const portForm = "must be a whole number from 0 to 65535"

const management = (reader: VariableReader, port: number) => {
  const chosen = reader.read("MANAGEMENT_PORT", wholeNumber(0, 65_535), portForm)
  const host = reader.text("MANAGEMENT_HOST") ?? "127.0.0.1"
  if (chosen === undefined) return undefined
  if (chosen === port && port !== 0) reader.refuse("MANAGEMENT_PORT", "must differ from PORT")
  return { host, port: chosen }
}

const proxies = (text: string) =>
  Result.getOrUndefined(ClientAddress.parseProxies(text.split(",").map((one) => one.trim())))

const mostWorkers = 64

/** Only one process at a time can open an embedded database. */
const workersOf = (isEmbedded: boolean) => (text: string) => {
  const wanted = text === "auto" ? Math.min(mostWorkers, availableParallelism()) : wholeNumber(1, mostWorkers)(text)
  if (!isEmbedded || wanted === undefined) return wanted
  return text === "auto" || wanted === 1 ? 1 : undefined
}

const workersProblem = (isEmbedded: boolean) =>
  isEmbedded
    ? "must be auto or 1: only one process can open the embedded database. Set DATABASE_URL to use more"
    : `must be auto or a whole number from 1 to ${mostWorkers}`

/** Reads the network variables. */
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
