import type { HookContext } from "./AuthContext.ts"

/** A hook of a better-auth plugin. */
export interface Hook {
  readonly matcher: (ctx: HookContext) => boolean
  readonly handler: ((input: object) => Promise<unknown>) & { readonly options: Record<string, never> }
}

/** What a before-hook changes in the request; nothing if undefined. */
type Change = { readonly body?: object; readonly query?: object } | undefined

/** better-auth reads a hook's result in one of two forms, and says which. */
const answer = (ctx: HookContext, response: unknown): unknown =>
  ctx.returnHeaders === true ? { headers: undefined, response } : response

/** A hook that changes a request before its endpoint checks and handles it. */
export const before = (matcher: Hook["matcher"], change: (ctx: HookContext) => Change | Promise<Change>): Hook => ({
  matcher,
  handler: Object.assign(
    async (input: object) => {
      const ctx = input as HookContext
      const changed = await change(ctx)
      return answer(ctx, changed === undefined ? undefined : { context: changed })
    },
    { options: {} }
  )
})

/** A hook that runs after the endpoint. Throwing replaces the answer. */
export const after = (matcher: Hook["matcher"], run: (ctx: HookContext) => void): Hook => ({
  matcher,
  handler: Object.assign(
    async (input: object) => {
      const ctx = input as HookContext
      run(ctx)
      return answer(ctx, undefined)
    },
    { options: {} }
  )
})

/** The fields of a body or a query. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
