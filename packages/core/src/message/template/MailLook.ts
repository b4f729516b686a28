import { lookOf } from "../../account/merchant/brandLook.ts"
import type { BrandLook } from "../../account/merchant/brandLook.ts"
import type { MailLogo } from "../../account/merchant/logoAddress.ts"

/** How the built-in e-mails look. */
export interface MailLook {
  readonly colours: BrandLook
  readonly logo: MailLogo | null
}

/** The look without a brand colour and logo. */
export const plainLook: MailLook = { colours: lookOf(null), logo: null }
