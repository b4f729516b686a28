export * as ChannelTest from "./channel/ChannelTest.ts"
export * as NumberVerifierTest from "./verifier/NumberVerifierTest.ts"
export * as Race from "./Race.ts"
export * as StorageTest from "./StorageTest.ts"
