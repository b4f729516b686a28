/** {{channel}} for Countersign through {{provider}}. */
export { make, type Options } from "./channel.ts"
