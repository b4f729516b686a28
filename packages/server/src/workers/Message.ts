/** Messages from a worker to its parent. */
export type FromWorker =
  /** The worker serves. The parent prints the `lines` of the first worker. */
  | { readonly _tag: "Ready"; readonly lines: ReadonlyArray<string> }
  /** Requests the metrics of all workers. */
  | { readonly _tag: "AskMetrics"; readonly question: number }
  /** The worker received a SIGHUP, which its parent handles. */
  | { readonly _tag: "Reload" }
  | { readonly _tag: "OwnMetrics"; readonly question: string; readonly text: string }

/** Messages from the parent to a worker. Must stay compatible, because a worker can be newer than its parent. */
export type FromParent =
  | { readonly _tag: "Retire" }
  | { readonly _tag: "TellMetrics"; readonly question: string }
  | {
      readonly _tag: "AllMetrics"
      readonly question: number
      readonly parts: ReadonlyArray<readonly [slot: number, text: string]>
    }
