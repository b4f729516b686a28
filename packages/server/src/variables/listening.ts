import { ClientAddress } from "@countersign/http"
import { Result } from "effect"
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
      name: "COUNTERSIGN_MAX_CONNECTIONS",
      about: "connections at one time; one more is answered 503 with `Retry-After`",
      default: "`10000`",
      example: "50000",
      more: "See [connections](#connections)"
    }
  ]
}

const proxies = (text: string) =>
  Result.getOrUndefined(ClientAddress.parseProxies(text.split(",").map((one) => one.trim())))

/** Where and how it listens. */
export const read = (reader: VariableReader, options: { readonly isEmbedded: boolean }) => {
  const host = reader.text("HOST") ?? (options.isEmbedded ? "127.0.0.1" : "0.0.0.0")
  const port = reader.read("PORT", wholeNumber(0, 65_535), "must be a whole number from 0 to 65535") ?? 8080
  const publicUrl = reader.read("PUBLIC_URL", urlOf("http:", "https:"), "must be an http or https URL")
  return {
    host,
    port,
    publicUrl: (publicUrl ?? `http://localhost:${port}`).replace(/\/+$/, ""),
    trustedProxies:
      reader.read("TRUSTED_PROXIES", proxies, `must be a list with commas between, of ${ClientAddress.proxyForms}`) ??
      [],
    maxConnections: reader.read(
      "COUNTERSIGN_MAX_CONNECTIONS",
      wholeNumber(1, 9_999_999),
      "must be a whole number from 1 to 9999999"
    )
  }
}
