import type { MessageKind } from "../../foundation/delivery/Message.ts"
import type { Mode } from "./Verification.ts"

/** What each mode sends. */
export const kindOf: { readonly [M in Mode]: MessageKind } = { OTP: "Code", OAUTH: "Link", MAGIC_LINK: "Link" }
