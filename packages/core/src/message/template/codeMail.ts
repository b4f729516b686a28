import type { MailLook } from "./MailLook.ts"
import { footnote, mailFrame, paragraph } from "./mailFrame.ts"

const code = `<p class="code" style="margin:0 0 16px;padding:16px 10px 16px 16px;border-radius:8px;background:#f3f5f4;color:#14201e;font-size:32px;line-height:40px;font-weight:700;letter-spacing:6px;white-space:nowrap;text-align:center;font-family:ui-monospace,Menlo,Consolas,monospace;">{{code}}</p>`

/** Returns the HTML of the e-mail with a code. */
export const codeMail = (
  words: {
    readonly language: string
    readonly lead: string
    readonly valid: string
    readonly warning: string
  },
  look: MailLook
): string =>
  mailFrame(
    { language: words.language, title: words.lead, look },
    {
      html: [code, paragraph(words.valid), footnote(words.warning)].join("\n"),
      dark: ".code { background: #26332f !important; color: #ffffff !important; }",
      phone: ".code { font-size: 28px !important; }",
      smallPhone: ".code { letter-spacing: 3px !important; padding-right: 13px !important; }"
    }
  )
