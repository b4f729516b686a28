import type {
  IncompleteTemplate,
  InvalidTemplate,
  SenderIdTaken,
  SubmissionRefused,
  TemplateTaken,
  UnknownSenderId,
  UnknownTemplate
} from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** The failures of templates and sender ids. */
export const errors = defineErrors({
  UnknownTemplate: (_: UnknownTemplate) => ({
    errorCode: "TEMPLATE_NOT_FOUND",
    message: "No template has this id in this environment"
  }),
  TemplateTaken: (_: TemplateTaken) => ({
    errorCode: "DUPLICATE_TEMPLATE",
    message: "Another template has this name for this channel, purpose and locale; change that one, or use another name"
  }),
  InvalidTemplate: ({ rules }: InvalidTemplate) => ({
    errorCode: "INVALID_TEMPLATE_CONFIG",
    message: rules.map(({ field, problem }) => `${field}: ${problem}`).join("; ")
  }),
  IncompleteTemplate: ({ field, problem }: IncompleteTemplate) => ({
    errorCode: "INCOMPLETE_TEMPLATE_CONFIG",
    message: `${field}: ${problem}`
  }),
  SubmissionRefused: ({ problem }: SubmissionRefused) => ({
    errorCode: "PROVIDER_ERROR",
    message: `The template was not submitted to WhatsApp: ${problem}`
  }),
  SenderIdTaken: (_: SenderIdTaken) => ({
    errorCode: "DUPLICATE_SENDER_ID",
    message: "This sender id is already registered"
  }),
  UnknownSenderId: (_: UnknownSenderId) => ({
    errorCode: "SENDER_ID_NOT_FOUND",
    message: "This sender id is not registered in this environment; sender ids are case-sensitive"
  })
})
