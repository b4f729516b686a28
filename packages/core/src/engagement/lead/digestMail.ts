import type { Instant } from "../../foundation/time/Instant.ts"

/** What a digest says: no identity, no name of a customer, and no message text. */
export interface DigestMail {
  readonly count: number
  /** Whether more customers wait than were counted. */
  readonly more: boolean
  readonly since: Instant
  readonly minutes: number
  readonly merchant: string
  readonly inbox: string
  readonly timeZone: string
  readonly locale: string
}

/** `14:05 on 7 January 2030`, in the merchant's time zone. */
const parts = (instant: Instant, timeZone: string, language: string) => {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { timeZone, ...options }).format(instant)
  return {
    time: format({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
    date: format({ day: "numeric", month: "long", year: "numeric" })
  }
}

const english = ({ count, inbox, merchant, minutes, more, since, timeZone }: DigestMail) => {
  const { date, time } = parts(since, timeZone, "en-GB")
  const customers = more ? `More than ${count} customers` : count === 1 ? "1 customer" : `${count} customers`
  const wait = minutes === 60 ? "an hour" : `${minutes} minutes`
  const [are, have] = count === 1 && !more ? ["is", "has"] : ["are", "have"]
  return {
    subject: `${customers} ${are} waiting for an answer – ${merchant}`,
    text: [
      `${customers} of ${merchant} ${have} waited longer than ${wait}. The longest wait began at ${time} on ${date} (${timeZone}).`,
      `Open the inbox:\n${inbox}`,
      "This counts unassigned leads and your own. You get at most one such mail an hour. Turn it off in the dashboard, under Profile and notifications."
    ].join("\n\n")
  }
}

const hindi = ({ count, inbox, merchant, minutes, more, since, timeZone }: DigestMail) => {
  const { date, time } = parts(since, timeZone, "hi-IN-u-nu-latn")
  const customers = more ? `${count} से अधिक ग्राहक` : `${count} ग्राहक`
  const wait = minutes === 60 ? "एक घंटे" : `${minutes} मिनट`
  const isOne = count === 1 && !more
  return {
    subject: `${customers} जवाब की प्रतीक्षा में ${isOne ? "है" : "हैं"} – ${merchant}`,
    text: [
      `${merchant} के ${customers} ${wait} से अधिक समय से प्रतीक्षा कर ${isOne ? "रहा है" : "रहे हैं"}। सबसे लंबी प्रतीक्षा ${date} को ${time} बजे (${timeZone}) शुरू हुई।`,
      `इनबॉक्स खोलें:\n${inbox}`,
      "इसमें बिना असाइन की और आपकी अपनी लीड गिनी जाती हैं। ऐसा मेल एक घंटे में अधिकतम एक बार आता है। इसे डैशबोर्ड में प्रोफ़ाइल और सूचनाएँ के तहत बंद करें।"
    ].join("\n\n")
  }
}

/** The subject and text of a digest, in Hindi or else in English. */
export const digestMail = (mail: DigestMail): { readonly subject: string; readonly text: string } =>
  /^hi([-_]|$)/.test(mail.locale) ? hindi(mail) : english(mail)
