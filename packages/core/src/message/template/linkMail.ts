import { footnote, mailFrame, paragraph } from "./mailFrame.ts"

/**
 * The cell has the colour and the anchor has the padding. So the whole button is clickable, even in clients that
 * support only one of them.
 */
const button = (label: string) =>
  `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px;"><tr>
<td class="button" align="center" bgcolor="#0f766e" style="border-radius:8px;background:#0f766e;mso-padding-alt:14px 24px;">
<a class="label" href="{{link}}" style="display:inline-block;padding:14px 24px;border-radius:8px;color:#ffffff;font-size:16px;line-height:24px;font-weight:600;text-decoration:none;">${label}</a>
</td></tr></table>`

const address = `<p style="margin:0 0 16px;font-size:13px;line-height:20px;"><a class="address" href="{{link}}" style="color:#0f766e;word-break:break-all;">{{link}}</a></p>`

/** Returns the HTML of the e-mail with a link: a button, and the plain URL for clients that show no buttons. */
export const linkMail = (words: {
  readonly language: string
  readonly lead: string
  readonly valid: string
  readonly button: string
  readonly instead: string
  readonly warning: string
}): string =>
  mailFrame(
    { language: words.language, title: words.lead },
    {
      html: [
        paragraph(words.valid),
        button(words.button),
        footnote(words.instead),
        address,
        footnote(words.warning)
      ].join("\n"),
      dark: `.button { background: #2dd4bf !important; }
  .label { color: #06231f !important; }
  .address { color: #5eead4 !important; }`
    }
  )
