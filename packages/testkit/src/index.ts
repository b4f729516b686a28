export * as Race from "./Race.ts"
export * as StorageTest from "./StorageTest.ts"
