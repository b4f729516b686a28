import type { BrandTones } from "../../account/merchant/brandLook.ts"
import type { MailLook } from "./MailLook.ts"
import { footnote, mailFrame, paragraph } from "./mailFrame.ts"

/**
 * The cell has the colour and the anchor has the padding. So the whole button is clickable, even in clients that
 * support only one of them.
 */
const button = (label: string, { fill, on, text }: BrandTones) =>
  `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px;"><tr>
<td class="button" align="center" bgcolor="${fill}" style="border:1px solid ${text};border-radius:8px;background:${fill};mso-padding-alt:14px 24px;">
<a class="label" href="{{link}}" style="display:inline-block;padding:14px 24px;border-radius:8px;color:${on};font-size:16px;line-height:24px;font-weight:600;text-decoration:none;">${label}</a>
</td></tr></table>`

const address = ({ text }: BrandTones) =>
  `<p style="margin:0 0 16px;font-size:13px;line-height:20px;"><a class="address" href="{{link}}" style="color:${text};word-break:break-all;">{{link}}</a></p>`

/** Returns the HTML of the e-mail with a link: a button, and the plain URL for clients that show no buttons. */
export const linkMail = (
  words: {
    readonly language: string
    readonly lead: string
    readonly valid: string
    readonly button: string
    readonly instead: string
    readonly warning: string
  },
  look: MailLook
): string => {
  const { dark, light } = look.colours
  return mailFrame(
    { language: words.language, title: words.lead, look },
    {
      html: [
        paragraph(words.valid),
        button(words.button, light),
        footnote(words.instead),
        address(light),
        footnote(words.warning)
      ].join("\n"),
      dark: `.button { background: ${dark.fill} !important; border-color: ${dark.text} !important; }
  .label { color: ${dark.on} !important; }
  .address { color: ${dark.text} !important; }`
    }
  )
}
