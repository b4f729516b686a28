import { type Effect, Schema } from "effect"
import type { CallHandler } from "./InboxMethods.ts"
import { NewOptOutPayload, type OptOutAnswer } from "./optOuts/contract.ts"
import * as optOutHandlers from "./optOuts/handlers.ts"

const page = Schema.Struct({ cursor: Schema.optionalKey(Schema.String), limit: Schema.optionalKey(Schema.Int) })

/** Who wants no campaigns: `/v1/dashboard/opt-outs`. */
export interface OptOutMethods {
  /** By number, a page at a time. */
  readonly list: (
    query?: typeof page.Type
  ) => Promise<{ readonly items: ReadonlyArray<typeof OptOutAnswer.Type>; readonly nextCursor: string | null }>
  readonly add: (phone: string) => Promise<typeof OptOutAnswer.Type>
  readonly remove: (phone: string) => Promise<void>
}

const rest = { payload: undefined, query: undefined, params: undefined, idempotencyKey: null, clientAddress: null }

/** What each method runs. */
export const handlers = optOutHandlers.make

/** Opt-outs as methods that answer promises. */
export const makeOptOutMethods = (
  handlers: Effect.Success<typeof optOutHandlers.make>,
  call: CallHandler
): OptOutMethods => ({
  list: (query = {}) => call(page, query, (query, caller) => handlers.list({ ...rest, caller, query })),
  add: (phone) => call(NewOptOutPayload, { phone }, (payload, caller) => handlers.add({ ...rest, caller, payload })),
  remove: (phone) => call(NewOptOutPayload, { phone }, (params, caller) => handlers.remove({ ...rest, caller, params }))
})
