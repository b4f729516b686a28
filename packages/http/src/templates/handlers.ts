import { Instant, type SenderId, SenderIds, Templates } from "@countersign/core"
import { Effect } from "effect"
import type { Handlers } from "../Handlers.ts"
import { page } from "../page.ts"
import type { TemplateApi, SenderIdApi } from "./contract.ts"
import type { errors } from "./errors.ts"

const pageSize = 50

const shown = ({ content, findings, head }: Templates.View) => ({
  id: head.id,
  version: head.version,
  name: head.name,
  channel: head.channel,
  purpose: head.purpose,
  locale: head.locale,
  status: head.state?.status ?? null,
  dltTemplateId: content.dltTemplateId,
  dltText: content.dltText,
  header: content.header,
  subject: content.subject,
  body: content.body,
  html: content.html,
  whatsappName: content.whatsappName,
  whatsappLanguage: content.whatsappLanguage,
  createdAt: Instant.toIso(head.createdAt),
  updatedAt: Instant.toIso(head.updatedAt),
  findings
})

const shownPreview = ({ length, ...preview }: Templates.PreviewWithFindings) => ({
  to: preview.to,
  text: preview.text,
  subject: preview.subject,
  html: preview.html,
  encoding: length?.encoding ?? null,
  units: length?.units ?? null,
  segments: length?.segments ?? null,
  header: preview.header,
  dltTemplateId: preview.dltTemplateId,
  whatsapp: preview.whatsapp,
  findings: preview.findings
})

const shownSenderId = ({ createdAt, header }: SenderId) => ({ header, createdAt: Instant.toIso(createdAt) })

/** Answers templates and sender ids. */
export const make = Effect.gen(function* () {
  const templates = yield* Templates
  const senderIds = yield* SenderIds
  const handlers: Handlers<typeof TemplateApi, typeof errors> = {
    list: ({ caller, query: { cursor = null, limit = pageSize } }) =>
      Effect.map(templates.list(caller, { after: cursor, limit: limit + 1 }), (found) => page(found, limit, shown)),
    create: ({ caller, payload }) => Effect.map(templates.create(caller, payload), shown),
    preview: ({ caller, payload: { identity, values, ...fields } }) =>
      Effect.map(templates.preview(caller, fields, { identity, values }), shownPreview),
    get: ({ caller, params }) => Effect.map(templates.get(caller, params.id), shown),
    update: ({ caller, params, payload }) => Effect.map(templates.change(caller, params.id, payload), shown),
    delete: ({ caller, params }) => templates.remove(caller, params.id),
    previewOf: ({ caller, params, payload }) =>
      Effect.map(templates.previewOf(caller, params.id, payload), shownPreview),
    submit: ({ caller, params }) => Effect.map(templates.submit(caller, params.id), shown)
  }
  const senderIdHandlers: Handlers<typeof SenderIdApi, typeof errors> = {
    list: ({ caller }) =>
      Effect.map(senderIds.list(caller), (found) => ({ items: found.map(shownSenderId), nextCursor: null })),
    create: ({ caller, payload }) => Effect.map(senderIds.add(caller, payload.header), shownSenderId),
    delete: ({ caller, params }) => senderIds.remove(caller, params.header)
  }
  return { templates: handlers, senderIds: senderIdHandlers }
})
