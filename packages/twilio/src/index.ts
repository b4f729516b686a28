/** The SMS and RCS channels of Countersign, through Twilio. */
export * as Twilio from "./Twilio.ts"
