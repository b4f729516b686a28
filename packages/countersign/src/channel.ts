/** What a channel of your own is written with, as an Effect. With promises, `PromiseChannel` is all you need. */
export * from "@countersign/core/channel"
