/** Every store in this process's memory: for tests, and to try things out. */
export * as MemoryStorage from "./memory/MemoryStorage.ts"
