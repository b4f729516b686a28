/** What a worker says to its parent. */
export type FromWorker =
  /** It serves. `lines` are for the operator, who reads those of the first. */
  | { readonly _tag: "Ready"; readonly lines: ReadonlyArray<string> }
  /** It wants the metrics of all. */
  | { readonly _tag: "AskMetrics"; readonly question: number }
  /** It was sent a SIGHUP that is meant for its parent. */
  | { readonly _tag: "Reload" }
  | { readonly _tag: "OwnMetrics"; readonly question: string; readonly text: string }

/** What the parent says to a worker. A worker that is newer than its parent must understand the same. */
export type FromParent =
  | { readonly _tag: "Retire" }
  | { readonly _tag: "TellMetrics"; readonly question: string }
  | {
      readonly _tag: "AllMetrics"
      readonly question: number
      readonly parts: ReadonlyArray<readonly [slot: number, text: string]>
    }
