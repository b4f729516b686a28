import {
  type By,
  Core,
  DeploymentDiffers,
  type Hooks,
  type Invitations,
  type Keys,
  type MerchantBilling,
  type Merchants,
  type MerchantUsage,
  operator
} from "@countersign/core"
import type { Storage } from "@countersign/core/storage"
import { Effect, Layer } from "effect"
import { storage } from "./App.ts"
import * as Configuration from "./Configuration.ts"
import { deploymentDiffers } from "./deploymentDiffers.ts"
import { Environment } from "./Environment.ts"
import { InvalidConfiguration } from "./InvalidConfiguration.ts"
import * as MasterSecret from "./MasterSecret.ts"

/** The actor that the audit log records for a command. */
export const byCommand: By = { actor: { ...operator, label: "command" }, address: null }

/** Runs an operator's command that manages hooks. Their secrets are sealed, so it needs the master secret. */
export const withHooks = <A, E>(effect: Effect.Effect<A, E, Hooks | Merchants>) =>
  Effect.gen(function* () {
    const configuration = yield* Configuration.read(yield* Environment, "command")
    const secret = yield* MasterSecret.resolve(configuration)
    const { previousSecrets, publicUrl } = configuration
    return yield* withMerchants(
      Effect.provide(effect, Core.hooks({ secret, previousSecrets, publicUrl })).pipe(
        Effect.catchTag("UnknownSecret", () =>
          Effect.fail(new InvalidConfiguration({ problems: [MasterSecret.unknown(configuration)] }))
        )
      )
    )
  })

/** Runs an operator's command on the configured storage. */
export const withMerchants = <A, E>(
  effect: Effect.Effect<A, E, Invitations | Keys | MerchantBilling | Merchants | MerchantUsage | Storage>
) =>
  Effect.gen(function* () {
    const configuration = yield* Configuration.read(yield* Environment, "command")
    yield* MasterSecret.beforeData(configuration)
    const services = Layer.mergeAll(
      Core.merchants,
      Core.usage,
      Core.billing(configuration.currency),
      Core.invitations(configuration.publicUrl)
    )
    return yield* Effect.provide(effect, services.pipe(Layer.provideMerge(storage(configuration)))).pipe(
      Effect.mapError((error) =>
        error instanceof DeploymentDiffers ? new InvalidConfiguration({ problems: [deploymentDiffers(error)] }) : error
      )
    )
  })
