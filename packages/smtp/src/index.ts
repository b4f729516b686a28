/** The e-mail channel of Countersign, for any SMTP server. */
export * as Smtp from "./Smtp.ts"
