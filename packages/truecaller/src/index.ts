/** Numbers proved by Truecaller, without a message. */
export * as Truecaller from "./Truecaller.ts"
