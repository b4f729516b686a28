import { Effect, Redacted } from "effect"
import { make } from "./channel.ts"

/** 8. For `countersign serve --channel ./src/serve.ts`: the options, from the environment. */
const { env } = process
const secret = (text: string | undefined) => (text === undefined ? undefined : Redacted.make(text))

export default Effect.runSync(
  make({
    apiKey: Redacted.make(env["{{PREFIX}}_API_KEY"] ?? ""),
    from: env["{{PREFIX}}_FROM"] ?? "",
    webhookSecret: secret(env["{{PREFIX}}_WEBHOOK_SECRET"]),
    publicUrl: env["PUBLIC_URL"],
    apiUrl: env["{{PREFIX}}_API_URL"]
  })
)
