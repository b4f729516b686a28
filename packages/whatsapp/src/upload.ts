import { ChannelError, type NewMedia, Refused, Unavailable } from "@countersign/core/channel"
import { Effect, Option, Schema } from "effect"
import { isGood } from "./findIn.ts"
import type { Graph } from "./Graph.ts"
import { isMediaId } from "./media.ts"
import { outcomeOf } from "./outcome.ts"

/** The timeout of an upload: enough for 16 MB at 6 Mbit/s. An agent waits for it, and servers close a silent connection. */
const patience = "25 seconds"

const failure = (reason: ChannelError["reason"]) => Effect.fail(new ChannelError({ channel: "WHATSAPP", reason }))

const decodeId = Schema.decodeUnknownOption(Schema.Struct({ id: Schema.String }))

const formOf = ({ bytes, ending, mimeType }: NewMedia): FormData => {
  const form = new FormData()
  form.set("messaging_product", "whatsapp")
  form.set("type", mimeType)
  // The customer's name for the file is sent with the message, not here.
  form.set("file", new Blob([bytes as Uint8Array<ArrayBuffer>], { type: mimeType }), `file.${ending}`)
  return form
}

/** Uploads a file to Meta for messages from one number, and returns Meta's id. Meta deletes the file after 30 days. */
export const upload = (graph: Graph, phoneNumberId: string, file: NewMedia): Effect.Effect<string, ChannelError> =>
  Effect.gen(function* () {
    const reply = yield* graph.postForm(`${phoneNumberId}/media`, formOf(file))
    const found = isGood(reply) ? decodeId(reply.body) : Option.none()
    if (Option.isSome(found) && isMediaId(found.value.id)) return found.value.id
    const { result } = outcomeOf(reply)
    return yield* failure("_tag" in result ? result : new Refused({ providerCode: "unreadable", because: "account" }))
  }).pipe(
    Effect.timeoutOrElse({
      duration: patience,
      // Uploading again is harmless: a file without a message reaches nobody.
      orElse: () => failure(new Unavailable({ providerCode: "timeout" }))
    }),
    Effect.withSpan("WhatsApp.upload")
  )
