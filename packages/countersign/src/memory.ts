/** Storage in this process's memory: for tests, and to try things out. */
export { MemoryStorage } from "@countersign/core/memory"
