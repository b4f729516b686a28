/** Number verification through Truecaller, without a message. */
export * as Truecaller from "./Truecaller.ts"
