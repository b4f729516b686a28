import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import { languageOf } from "./languageOf.ts"
import { type MailLook, plainLook } from "./MailLook.ts"
import { linkMail } from "./linkMail.ts"
import type { Template } from "./Template.ts"

interface Words {
  /** The SMS, above its link. */
  readonly sms: string
  /**
   * The text of other channels: the heading, the effect and time limit of the link, and advice for recipients who did
   * not request it.
   */
  readonly lead: string
  readonly valid: string
  readonly warning: string
  /** The e-mail's button, and the line above the plain URL. */
  readonly button: string
  readonly instead: string
}

/** By language. The English SMS fits one segment with a brand of 12 letters and a URL of 100 characters. */
const words: { readonly [language: string]: Words } = {
  en: {
    sms: "Sign in to {{brand}} within {{minutes}} min. Not you? Ignore it.",
    lead: "Sign in to {{brand}}",
    valid: "Open this link to approve your sign-in to {{brand}}. It works once, within {{minutes}} min.",
    warning:
      "If you did not request this link, ignore this message. {{brand}} will never ask you to open or forward it.",
    button: "Continue to sign in",
    instead: "Or copy this address into your browser:"
  },
  hi: {
    sms: "{{brand}} में साइन इन करें, {{minutes}} मिनट तक मान्य। आपने नहीं मांगा? अनदेखा करें।",
    lead: "{{brand}} में साइन इन करें",
    valid: "{{brand}} में अपने साइन इन को मंज़ूरी देने के लिए यह लिंक खोलें। यह एक बार, {{minutes}} मिनट के भीतर काम करता है।",
    warning: "अगर आपने यह लिंक नहीं मांगा, तो इस संदेश को अनदेखा करें। {{brand}} आपसे इसे खोलने या आगे भेजने के लिए कभी नहीं कहेगा।",
    button: "साइन इन जारी रखें",
    instead: "या यह पता अपने ब्राउज़र में कॉपी करें:"
  }
}

/**
 * Returns the built-in template for links. The link stands alone on a line, so that link detection takes all of it and
 * nothing else. The text never contains the number of number matching, because the very users it protects would copy
 * it.
 */
export const builtInLink = (channel: ChannelName, locale: string, look: MailLook = plainLook): Template => {
  const language = languageOf(words, locale)
  const { button, instead, lead, sms, valid, warning } = words[language]!
  const named = { name: "link", purpose: "LINK", channel, locale: language, version: 1 } as const
  if (channel === "SMS") return { ...named, subject: null, body: `${sms}\n{{link}}`, html: null }
  const body = `${valid}\n\n{{link}}\n\n${warning}`
  return channel === "EMAIL"
    ? { ...named, subject: lead, body, html: linkMail({ language, lead, valid, button, instead, warning }, look) }
    : { ...named, subject: null, body: `${valid}\n\n${warning}\n\n{{link}}`, html: null }
}
