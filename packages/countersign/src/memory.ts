/** Storage in this process's memory, for tests and experiments. */
export { MemoryStorage } from "@countersign/core/memory"
