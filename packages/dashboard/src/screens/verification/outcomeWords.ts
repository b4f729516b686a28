import type { Verification } from "../../life/result.ts"
import { choose } from "../../words/language.ts"

type Outcome = NonNullable<Verification["outcome"]>
type FallbackState = NonNullable<Outcome["fallback"]>["state"]
/** What the user should have entered, opened or confirmed. */
type Kind = "code" | "link" | "number"
type Who = "admin" | "owner"

/** Advice to the current user, and to one who may not follow it. */
interface Advised {
  readonly do: string
  readonly ask: (who: Who) => string
}

interface Words {
  readonly what: { readonly [C in Outcome["code"]]: (channel: string, kind: Kind) => string }
  readonly reasons: { readonly [R in NonNullable<Outcome["reason"]>]?: (code: string) => string }
  readonly noneSet: string
  readonly none: string
  readonly fallback: { readonly [S in Exclude<FallbackState, "NOT_SET" | "USED">]?: (channel: string) => string }
  readonly fallbackFailed: (channel: string) => string
  readonly fallbackUsed: (channel: string) => string
  readonly wasFallback: (channel: string) => string
  readonly advice: { readonly [A in Outcome["advice"]]: Advised }
  readonly checkAddress: string
}

const step = (imperative: string, rest: string): Advised => ({
  do: imperative,
  ask: (who) => `Ask an ${who === "owner" ? "owner" : "administrator"} to ${rest}.`
})
const self = (sentence: string): Advised => ({ do: sentence, ask: () => sentence })
const unused = (kind: Kind) => (kind === "link" ? "the link was not approved" : "the correct code was not entered")

const stepHi = (imperative: string, rest: string): Advised => ({
  do: imperative,
  ask: (who) => `${who === "owner" ? "ओनर" : "एडमिन"} से ${rest} को कहें।`
})
const unusedHi = (kind: Kind) => (kind === "link" ? "लिंक स्वीकृत नहीं किया गया" : "सही कोड नहीं डाला गया")

export const say: Words = choose<Words>({
  en: {
    what: {
      NOT_SENT: (channel) => `The ${channel} message was not sent.`,
      NOT_DELIVERED: (channel) => `The ${channel} message never arrived.`,
      NO_RECEIPT: (channel) => `The ${channel} provider sent no delivery report.`,
      DELIVERED_UNUSED: (channel, kind) =>
        `The ${channel} message was delivered, but ${unused(kind)} before it expired.`,
      SENT_UNUSED: (channel, kind) => `The ${channel} message was sent, but ${unused(kind)} before it expired.`,
      NOT_CONFIRMED: (channel) => `${channel} did not confirm the number before the login expired.`,
      NO_ATTEMPTS_LEFT: () => "Wrong codes used up all attempts.",
      WRONG_NUMBER: (_channel, kind) =>
        kind === "number"
          ? "The confirmed number was a different one."
          : "A wrong number was selected on the link’s page."
    },
    reasons: {
      RECIPIENT: (code) => `The recipient cannot be reached (${code}).`,
      OPTED_OUT: (code) => `The recipient opted out at the provider (${code}).`,
      CHANNEL: (code) => `This channel cannot reach the recipient (${code}).`,
      CONTENT: (code) => `The provider rejected the text (${code}).`,
      TEMPLATE: (code) => `The provider rejected the template (${code}).`,
      SENDER: (code) => `The provider rejected the sender (${code}).`,
      ACCOUNT: (code) => `The provider account has a problem (${code}).`,
      LIMIT: (code) => `The provider account reached its rate limit (${code}).`,
      PROVIDER: (code) => `The provider did not accept it in time (${code}).`,
      SILENCE: (code) => `The provider did not respond (${code}).`
    },
    noneSet: "No fallback is set.",
    none: "There was no fallback.",
    fallback: {
      SAME_CHANNEL: (channel) => `The fallback is ${channel} too.`,
      TOO_LATE: (channel) => `The code expired before the ${channel} fallback was due.`,
      NO_PRICE: (channel) => `The ${channel} fallback was not sent, because it has no price.`,
      NO_BALANCE: (channel) => `The balance was too low for the ${channel} fallback.`,
      CAP_REACHED: (channel) => `The ${channel} fallback had reached its daily spending cap.`
    },
    fallbackFailed: (channel) => `The ${channel} fallback failed too.`,
    fallbackUsed: (channel) => `The ${channel} fallback did not help.`,
    wasFallback: (channel) => `${channel} was the fallback.`,
    advice: {
      ADD_FALLBACK: step("Add a fallback", "add a fallback"),
      SHORTEN_FALLBACK: step("Shorten the fallback delay", "shorten the fallback delay"),
      SET_PRICE: step("Set a price", "set a price"),
      TOP_UP: step("Top up the balance", "top up the balance"),
      RAISE_CAP: step("Raise the daily spending cap", "raise the daily spending cap"),
      CHECK_IDENTITY: self("Ask the user to check the number and the phone, then request a new code."),
      ASK_OPT_IN: self("Ask the user to allow messages from your sender again."),
      USE_OTHER_CHANNEL: self("Request the code over another channel."),
      FIX_TEMPLATE: step("Check the templates", "check the templates"),
      FIX_PROVIDER: step("Check the channel’s provider", "check the channel’s provider"),
      CHANGE_DESTINATIONS: step("Check the allowed countries and numbers", "check the allowed countries and numbers"),
      ASK_OPERATOR: self("Ask the operator of this server to fix it."),
      REQUEST_AGAIN: self("The user can try again with a new request."),
      UNLOCK: step("Unlock the user so that they can try again.", "unlock the user")
    },
    checkAddress: "Ask the user to check the e-mail address, then request a new code."
  },
  hi: {
    what: {
      NOT_SENT: (channel) => `${channel} संदेश भेजा नहीं गया।`,
      NOT_DELIVERED: (channel) => `${channel} संदेश पहुँचा नहीं।`,
      NO_RECEIPT: (channel) => `${channel} के प्रदाता ने डिलीवरी रिपोर्ट नहीं भेजी।`,
      DELIVERED_UNUSED: (channel, kind) => `${channel} संदेश डिलीवर हुआ, पर समय-सीमा से पहले ${unusedHi(kind)}।`,
      SENT_UNUSED: (channel, kind) => `${channel} संदेश भेजा गया, पर समय-सीमा से पहले ${unusedHi(kind)}।`,
      NOT_CONFIRMED: (channel) => `${channel} ने लॉगिन की समय-सीमा से पहले नंबर की पुष्टि नहीं की।`,
      NO_ATTEMPTS_LEFT: () => "ग़लत कोड से सभी प्रयास समाप्त हो गए।",
      WRONG_NUMBER: (_channel, kind) =>
        kind === "number" ? "जिस नंबर की पुष्टि हुई वह अलग था।" : "लिंक के पेज पर ग़लत नंबर चुना गया।"
    },
    reasons: {
      RECIPIENT: (code) => `प्राप्तकर्ता तक नहीं पहुँचा जा सकता (${code})।`,
      OPTED_OUT: (code) => `प्राप्तकर्ता ने प्रदाता पर ऑप्ट-आउट किया है (${code})।`,
      CHANNEL: (code) => `यह चैनल प्राप्तकर्ता तक नहीं पहुँच सकता (${code})।`,
      CONTENT: (code) => `प्रदाता ने टेक्स्ट अस्वीकार किया (${code})।`,
      TEMPLATE: (code) => `प्रदाता ने टेम्पलेट अस्वीकार किया (${code})।`,
      SENDER: (code) => `प्रदाता ने प्रेषक अस्वीकार किया (${code})।`,
      ACCOUNT: (code) => `प्रदाता के खाते में समस्या है (${code})।`,
      LIMIT: (code) => `प्रदाता के खाते की दर सीमा पूरी हो गई (${code})।`,
      PROVIDER: (code) => `प्रदाता ने इसे समय पर स्वीकार नहीं किया (${code})।`,
      SILENCE: (code) => `प्रदाता ने जवाब नहीं दिया (${code})।`
    },
    noneSet: "कोई फ़ॉलबैक सेट नहीं है।",
    none: "कोई फ़ॉलबैक नहीं था।",
    fallback: {
      SAME_CHANNEL: (channel) => `फ़ॉलबैक भी ${channel} ही है।`,
      TOO_LATE: (channel) => `${channel} फ़ॉलबैक की बारी आने से पहले कोड की समय-सीमा समाप्त हो गई।`,
      NO_PRICE: (channel) => `${channel} फ़ॉलबैक नहीं भेजा गया, क्योंकि उसकी कीमत तय नहीं है।`,
      NO_BALANCE: (channel) => `${channel} फ़ॉलबैक के लिए बैलेंस बहुत कम था।`,
      CAP_REACHED: (channel) => `${channel} फ़ॉलबैक की दैनिक ख़र्च सीमा पूरी हो चुकी थी।`
    },
    fallbackFailed: (channel) => `${channel} फ़ॉलबैक भी विफल रहा।`,
    fallbackUsed: (channel) => `${channel} फ़ॉलबैक से भी बात नहीं बनी।`,
    wasFallback: (channel) => `${channel} फ़ॉलबैक था।`,
    advice: {
      ADD_FALLBACK: stepHi("फ़ॉलबैक जोड़ें", "फ़ॉलबैक जोड़ने"),
      SHORTEN_FALLBACK: stepHi("फ़ॉलबैक से पहले प्रतीक्षा घटाएँ", "फ़ॉलबैक से पहले प्रतीक्षा घटाने"),
      SET_PRICE: stepHi("कीमत तय करें", "कीमत तय करने"),
      TOP_UP: stepHi("बैलेंस टॉप-अप करें", "बैलेंस टॉप-अप करने"),
      RAISE_CAP: stepHi("दैनिक ख़र्च सीमा बढ़ाएँ", "दैनिक ख़र्च सीमा बढ़ाने"),
      CHECK_IDENTITY: self("उपयोगकर्ता से कहें कि नंबर और फ़ोन जाँचें, फिर नया कोड माँगें।"),
      ASK_OPT_IN: self("उपयोगकर्ता से कहें कि आपके प्रेषक के संदेश फिर से चालू करें।"),
      USE_OTHER_CHANNEL: self("किसी दूसरे चैनल पर कोड का अनुरोध करें।"),
      FIX_TEMPLATE: stepHi("टेम्पलेट जाँचें", "टेम्पलेट जाँचने"),
      FIX_PROVIDER: stepHi("चैनल का प्रदाता जाँचें", "चैनल का प्रदाता जाँचने"),
      CHANGE_DESTINATIONS: stepHi("अनुमत देश और नंबर जाँचें", "अनुमत देश और नंबर जाँचने"),
      ASK_OPERATOR: self("इस सर्वर के ऑपरेटर से इसे ठीक करने को कहें।"),
      REQUEST_AGAIN: self("उपयोगकर्ता फिर से अनुरोध कर सकते हैं।"),
      UNLOCK: stepHi("उपयोगकर्ता को अनलॉक करें, ताकि वे फिर से अनुरोध कर सकें।", "उपयोगकर्ता को अनलॉक करने")
    },
    checkAddress: "उपयोगकर्ता से कहें कि ईमेल पता जाँचें, फिर नया कोड माँगें।"
  }
})
