/** The SMS and RCS channels of Countersign, through Twilio. */
export * as Twilio from "./Twilio.ts"
/** Number verification over mobile data, through Twilio. */
export * as SilentNetworkAuth from "./SilentNetworkAuth.ts"
