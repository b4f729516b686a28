import { HttpApi, OpenApi } from "effect/http-api"
import { AdminApi } from "./admin/contract.ts"
import { AuthApi } from "./auth/contract.ts"
import { DashboardApi } from "./dashboard/contract.ts"
import { KeyApi } from "./keys/contract.ts"
import { SdkApi } from "./sdk/contract.ts"
import { clientSecretHeader } from "./contract/Security.ts"
import { SystemApi } from "./system/contract.ts"
import { WebhookApi } from "./webhooks/contract.ts"

type Spec = { [key: string]: unknown }
const isSpec = (value: unknown): value is Spec => typeof value === "object" && value !== null

/** The server key is two headers, both required; `HttpApiSecurity` describes one. */
const addClientSecret = (spec: Spec): Spec => {
  const components = spec["components"] as { securitySchemes: Spec }
  components.securitySchemes["clientSecret"] = { type: "apiKey", name: clientSecretHeader, in: "header" }
  for (const path of Object.values(spec["paths"] as Spec).filter(isSpec)) {
    for (const operation of Object.values(path).filter(isSpec)) {
      for (const requirement of (operation["security"] as ReadonlyArray<Spec> | undefined) ?? []) {
        if ("clientId" in requirement) requirement["clientSecret"] = []
      }
    }
  }
  return spec
}

/**
 * The whole HTTP interface as data: what the server dispatches by, what `/openapi.json` says, and what a typed client
 * is made from. It imports no server code.
 */
export class Api extends HttpApi.make("countersign")
  .add(AuthApi)
  .add(SdkApi)
  .add(DashboardApi)
  .add(KeyApi)
  .add(WebhookApi)
  .add(AdminApi)
  .add(SystemApi)
  .annotateMerge(OpenApi.annotations({ title: "Countersign", version: "1.0.0", transform: addClientSecret })) {}
