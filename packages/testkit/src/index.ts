export * as ChannelTest from "./channel/ChannelTest.ts"
export * as ProverTest from "./prover/ProverTest.ts"
export * as Race from "./Race.ts"
export * as StorageTest from "./StorageTest.ts"
