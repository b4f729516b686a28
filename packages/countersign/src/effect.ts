import type { Services } from "@countersign/core"
import type { Storage } from "@countersign/core/storage"
import { type Dispatcher, serviceLayer } from "@countersign/http"
import { Layer } from "effect"
import { chosen } from "./Countersign.ts"
import type { CountersignOptions } from "./CountersignOptions.ts"

/** The parts for an Effect application: the core as a layer, the HTTP API as routes, and this process's merchant. */
export { Core, Merchants, type Services, Verifications } from "@countersign/core"
export type { Storage } from "@countersign/core/storage"
export { Api, Dispatcher, HttpLayer, inProcess, toChannel } from "@countersign/http"

/**
 * All services, from the options of `Countersign.make`. Pass `settings` to `inProcess` instead, which knows their merchant.
 *
 * @example
 * ```ts
 * import { consoleChannel } from "countersign"
 * import { HttpLayer, layer } from "countersign/effect"
 * import { Layer } from "effect"
 * import { HttpRouter } from "effect/http"
 *
 * const services = layer({ database: "./data", channels: [consoleChannel()] })
 * export const app = HttpRouter.serve(HttpLayer.layerAt("/verify").pipe(Layer.provide(services)))
 * ```
 */
export const layer = (
  options: Omit<CountersignOptions, "environment" | "keys" | "name" | "settings">
): Layer.Layer<Dispatcher | Services | Storage, unknown> => Layer.suspend(() => serviceLayer(...chosen(options)))
