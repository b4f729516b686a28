import type { UnknownMessage, UnknownSavedReply } from "@countersign/core"
import type { ChannelError } from "@countersign/core/channel"
import { defineErrors } from "../ErrorTable.ts"

const soon = 5

/** The provider's own wish, or soon. */
const secondsTo = (reason: Exclude<ChannelError["reason"], { readonly _tag: "Refused" }>): string =>
  String(Math.max(1, Math.ceil((reason._tag === "Unavailable" ? reason.retryAfterSeconds : undefined) ?? soon)))

/** How the inbox of `/v1/dashboard` fails, on the wire, beside `/v1/whatsapp/leads`. */
export const errors = defineErrors({
  UnknownMessage: (_: UnknownMessage) => ({
    errorCode: "MESSAGE_NOT_FOUND",
    message: "No message with this id in this conversation, or it has no file, or WhatsApp has the file no more"
  }),
  UnknownSavedReply: (_: UnknownSavedReply) => ({
    errorCode: "SAVED_REPLY_NOT_FOUND",
    message: "No saved reply with this id in this environment"
  }),
  ChannelError: ({ reason }: ChannelError) => ({
    errorCode: "PROVIDER_ERROR",
    message: `The provider did not give us the file: ${reason.providerCode}`,
    ...(reason._tag === "Refused" ? {} : { headers: { "retry-after": secondsTo(reason) } })
  })
})
