/** Phone number verification through Firebase, without a message. */
export * as Firebase from "./Firebase.ts"
