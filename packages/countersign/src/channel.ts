/** Types for writing your own channel with Effect. With promises, `PromiseChannel` is enough. */
export * from "@countersign/core/channel"
