/** The SMS channel of Countersign through Vonage. */
export * as Vonage from "./Vonage.ts"
