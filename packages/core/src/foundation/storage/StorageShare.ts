import { Context } from "effect"

/**
 * Which share of the storage connections an effect uses. `lists` is for views: lists, searches, statistics, files.
 * Storage limits `lists` to a part of its connections, so that a merchant's lists never hold the connections that
 * logins need.
 *
 * @example
 * ```ts
 * import { StorageShare } from "@countersign/core/storage"
 * import { Effect } from "effect"
 *
 * const asList = Effect.provideService(StorageShare, "lists")
 * ```
 */
export const StorageShare = Context.Reference<"requests" | "lists">("@countersign/core/storage/StorageShare", {
  defaultValue: () => "requests"
})
