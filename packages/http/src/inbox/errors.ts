import type { UnknownLabel, UnknownMessage, UnknownSavedReply } from "@countersign/core"
import type { ChannelError } from "@countersign/core/channel"
import { defineErrors } from "../ErrorTable.ts"

const soon = 5

/** The provider's own delay, or the default. */
const secondsTo = (reason: Exclude<ChannelError["reason"], { readonly _tag: "Refused" }>): string =>
  String(Math.max(1, Math.ceil((reason._tag === "Unavailable" ? reason.retryAfterSeconds : undefined) ?? soon)))

/** The failures of the inbox, in addition to those of leads. */
export const errors = defineErrors({
  UnknownMessage: (_: UnknownMessage) => ({
    errorCode: "MESSAGE_NOT_FOUND",
    message: "No message has this id in this conversation, it has no file, or WhatsApp no longer has the file"
  }),
  UnknownSavedReply: (_: UnknownSavedReply) => ({
    errorCode: "SAVED_REPLY_NOT_FOUND",
    message: "No saved reply has this id in this environment"
  }),
  UnknownLabel: (_: UnknownLabel) => ({
    errorCode: "LABEL_NOT_FOUND",
    message: "No label has this id or name; list the labels"
  }),
  ChannelError: ({ reason }: ChannelError) => ({
    errorCode: "PROVIDER_ERROR",
    message: `The provider did not return or accept the file: ${reason.providerCode}`,
    ...(reason._tag === "Refused" ? {} : { headers: { "retry-after": secondsTo(reason) } })
  })
})
