/**
 * Countersign inside your own application: send a code, check it, mount the interface.
 *
 * @example
 * ```ts
 * import { Countersign } from "countersign"
 * import { MemoryStorage } from "countersign/memory"
 *
 * const countersign = await Countersign.make({
 *   storage: MemoryStorage.layer,
 *   channels: [{ name: "SMS", send: async ({ text, to }) => console.log(to, text) }],
 *   secret: "00".repeat(32)
 * })
 * const { requestId } = await countersign.initiate({ identity: "+919876543210", identityType: "MOBILE" })
 * ```
 */
export { Countersign, CountersignError, type CountersignOptions, type PromiseChannel } from "@countersign/http"
