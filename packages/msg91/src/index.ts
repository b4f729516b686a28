/** The SMS channel of Countersign through MSG91. */
export * as Msg91 from "./Msg91.ts"
