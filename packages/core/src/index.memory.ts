/** Every store in this process's memory: for tests and trials. */
export * as MemoryStorage from "./memory/MemoryStorage.ts"
