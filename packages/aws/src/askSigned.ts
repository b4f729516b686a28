import { ask, type Reply } from "@countersign/provider-http"
import { AwsV4Signer } from "aws4fetch"
import { Clock, Effect, Redacted } from "effect"
import type { Credentials } from "./Options.ts"

/** A request to an AWS service. */
export interface Asked {
  readonly service: "sns" | "ses"
  readonly url: string
  readonly contentType: string
  readonly body: string
}

/** `20261123T004500Z`, the format of signatures. */
const datetimeOf = (millis: number) => new Date(millis).toISOString().replace(/[:-]|\.\d{3}/g, "")

/** Signs a request with SigV4 and sends it. The signature is valid for five minutes and only for this request. */
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
