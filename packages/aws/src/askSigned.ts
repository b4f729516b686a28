import { ask, type Reply } from "@countersign/provider-http"
import { AwsV4Signer } from "aws4fetch"
import { Clock, Effect, Redacted } from "effect"
import type { Credentials } from "./Options.ts"

/** What is asked of one of AWS's services. */
export interface Asked {
  readonly service: "sns" | "ses"
  readonly url: string
  readonly contentType: string
  readonly body: string
}

/** `20261123T004500Z`, as signatures have it. */
const datetimeOf = (millis: number) => new Date(millis).toISOString().replace(/[:-]|\.\d{3}/g, "")

/** Signs one request with SigV4 and asks. Its signature is good for five minutes and for this request alone. */
export const askSigned = (credentials: Credentials, asked: Asked): Effect.Effect<Reply> =>
  Effect.gen(function* () {
    const { accessKeyId, region, secretAccessKey, sessionToken } = credentials
    const datetime = datetimeOf(yield* Clock.currentTimeMillis)
    const signer = new AwsV4Signer({
      method: "POST",
      url: asked.url,
      headers: { "content-type": asked.contentType },
      body: asked.body,
      accessKeyId,
      secretAccessKey: Redacted.value(secretAccessKey),
      ...(sessionToken === null ? {} : { sessionToken: Redacted.value(sessionToken) }),
      service: asked.service,
      region,
      datetime
    })
    const { headers } = yield* Effect.promise(() => signer.sign())
    return yield* ask({ url: asked.url, headers: Object.fromEntries(headers), body: asked.body })
  })
