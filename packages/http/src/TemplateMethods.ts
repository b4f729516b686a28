import { type Effect, Schema } from "effect"
import type { CallHandler } from "./InboxMethods.ts"
import {
  ChangeTemplatePayload,
  NewSenderIdPayload,
  NewTemplatePayload,
  type PreviewAnswer,
  PreviewOfPayload,
  PreviewPayload,
  type SenderIdAnswer,
  type TemplateAnswer
} from "./templates/contract.ts"
import * as templateHandlers from "./templates/handlers.ts"

interface Items<Answer> {
  readonly items: ReadonlyArray<Answer>
  readonly nextCursor: string | null
}

const page = Schema.Struct({ cursor: Schema.optionalKey(Schema.String), limit: Schema.optionalKey(Schema.Int) })
const named = Schema.Struct({ id: Schema.String })
const changeOf = Schema.Struct({ ...named.fields, ...ChangeTemplatePayload.fields })
const previewOf = Schema.Struct({ ...named.fields, ...PreviewOfPayload.fields })

/** The merchant's own texts: `/v1/dashboard/templates`. */
export interface TemplateMethods {
  /** The oldest first, a page at a time. */
  readonly list: (query?: typeof page.Type) => Promise<Items<typeof TemplateAnswer.Type>>
  readonly create: (request: typeof NewTemplatePayload.Type) => Promise<typeof TemplateAnswer.Type>
  readonly get: (id: string) => Promise<typeof TemplateAnswer.Type>
  /** Changes what is given; null takes something away. */
  readonly change: (id: string, request: typeof ChangeTemplatePayload.Type) => Promise<typeof TemplateAnswer.Type>
  readonly remove: (id: string) => Promise<void>
  /** What a text that is not saved would send. */
  readonly preview: (request: typeof PreviewPayload.Type) => Promise<typeof PreviewAnswer.Type>
  /** What a saved one sends. */
  readonly previewOf: (id: string, request?: typeof PreviewOfPayload.Type) => Promise<typeof PreviewAnswer.Type>
  /** Asks WhatsApp to approve one that it does not have. */
  readonly submit: (id: string) => Promise<typeof TemplateAnswer.Type>
}

/** DLT headers: `/v1/dashboard/sender-ids`. */
export interface SenderIdMethods {
  readonly list: () => Promise<Items<typeof SenderIdAnswer.Type>>
  readonly add: (header: string) => Promise<typeof SenderIdAnswer.Type>
  readonly remove: (header: string) => Promise<void>
}

const rest = { payload: undefined, query: undefined, params: undefined, idempotencyKey: null, clientAddress: null }
const nothing = Schema.Struct({})

/** What each method runs. */
export const handlers = templateHandlers.make

/** Templates and sender ids as methods that answer promises. */
export const makeTemplateMethods = (
  handlers: Effect.Success<typeof templateHandlers.make>,
  call: CallHandler
): { readonly templates: TemplateMethods; readonly senderIds: SenderIdMethods } => ({
  templates: {
    list: (query = {}) => call(page, query, (query, caller) => handlers.list({ ...rest, caller, query })),
    create: (request) =>
      call(NewTemplatePayload, request, (payload, caller) => handlers.create({ ...rest, caller, payload })),
    get: (id) => call(named, { id }, (params, caller) => handlers.get({ ...rest, caller, params })),
    change: (id, request) =>
      call(changeOf, { ...request, id }, ({ id, ...payload }, caller) =>
        handlers.change({ ...rest, caller, params: { id }, payload })
      ),
    remove: (id) => call(named, { id }, (params, caller) => handlers.remove({ ...rest, caller, params })),
    preview: (request) =>
      call(PreviewPayload, request, (payload, caller) => handlers.preview({ ...rest, caller, payload })),
    previewOf: (id, request = {}) =>
      call(previewOf, { ...request, id }, ({ id, ...payload }, caller) =>
        handlers.previewOf({ ...rest, caller, params: { id }, payload })
      ),
    submit: (id) => call(named, { id }, (params, caller) => handlers.submit({ ...rest, caller, params }))
  },
  senderIds: {
    list: () => call(nothing, {}, (_, caller) => handlers.senderIds({ ...rest, caller })),
    add: (header) =>
      call(NewSenderIdPayload, { header }, (payload, caller) => handlers.addSenderId({ ...rest, caller, payload })),
    remove: (header) =>
      call(NewSenderIdPayload, { header }, (params, caller) => handlers.removeSenderId({ ...rest, caller, params }))
  }
})
