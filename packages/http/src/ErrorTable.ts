import type { ErrorCode } from "./contract/ErrorEnvelope.ts"

/** What a failure is on the wire. */
export interface Wire {
  readonly errorCode: ErrorCode
  readonly message: string
  readonly requestId?: string | null
  readonly headers?: { readonly [name: string]: string }
  /** Only where it is not the one that goes with the code. */
  readonly status?: number
}

type Row = (failure: never) => Wire

/** The failures that a table has rows for. A row under the tag of another failure counts for none. */
export type FailureOf<Table> = Table extends unknown
  ? {
      readonly [Tag in keyof Table]: Table[Tag] extends (failure: infer Failure extends { readonly _tag: Tag }) => Wire
        ? Failure
        : never
    }[keyof Table]
  : never

/**
 * The failures of one capability and what each is on the wire: every failure is named here and nowhere else. A handler
 * that fails with what no table has does not compile.
 */
export const defineErrors = <const Table extends { readonly [tag: string]: Row }>(table: Table): Table => table

/** Our trouble, and soon over. */
export const tryAgain = (message: string): Wire => ({
  errorCode: "INTERNAL_ERROR",
  message,
  headers: { "retry-after": "1" }
})
