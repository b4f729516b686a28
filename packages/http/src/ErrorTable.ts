import type { ErrorCode, FieldProblem, ShownChallenge } from "./contract/ErrorEnvelope.ts"

/** The HTTP answer of a failure. */
export interface Wire {
  readonly errorCode: ErrorCode
  readonly message: string
  readonly requestId?: string | null
  readonly problem?: FieldProblem
  readonly challenge?: ShownChallenge
  readonly headers?: { readonly [name: string]: string }
  /** Only if it differs from the status of the code. */
  readonly status?: number
}

type Row = (failure: never) => Wire

/** The failures that a table covers. A row under the tag of another failure covers none. */
export type FailureOf<Table> = Table extends unknown
  ? {
      readonly [Tag in keyof Table]: Table[Tag] extends (failure: infer Failure extends { readonly _tag: Tag }) => Wire
        ? Failure
        : never
    }[keyof Table]
  : never

/**
 * Defines the failures of one capability and their HTTP answers. A handler that fails with a failure in no table does not
 * compile.
 */
export const defineErrors = <const Table extends { readonly [tag: string]: Row }>(table: Table): Table => table

/** A temporary failure of the service. Clients should retry after a second. */
export const tryAgain = (message: string): Wire => ({
  errorCode: "INTERNAL_ERROR",
  message,
  headers: { "retry-after": "1" }
})
