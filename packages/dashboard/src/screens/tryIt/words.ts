import { choose } from "../../words/language.ts"

const en = {
  title: "Try it",
  intro: "Send a code to yourself and follow its delivery. Your limits, prices, templates and fallback apply.",
  inTest: "Test environment: nothing is sent, and every code is 123456.",
  live: "Live environment: the message is sent and charged.",
  identity: "Phone number or e-mail",
  identityHint: "Include the country code, for example +91 98765 43210.",
  identityMissing: "Enter a phone number or an e-mail address.",
  channel: "Channel",
  usual: "Default: the first channel, with its fallback",
  send: "Send code",
  code: "Code",
  codeHintTest: "Every code is 123456 here. Try a wrong one as well.",
  outbox: "Open the outbox",
  codeMissing: "Enter the code from the message.",
  check: "Verify code",
  wrong: (left: number) =>
    left === 0 ? "Wrong code. No attempts left." : `Wrong code. ${left} ${left === 1 ? "attempt" : "attempts"} left.`,
  verified: (took: string) => `Verified in ${took}.`,
  over: "This verification has ended. Send another code.",
  another: "Send another code",
  whole: "View verification",
  phone: "Message preview"
}

export const say = choose({
  en,
  hi: {
    title: "आज़माएँ",
    intro: "ख़ुद को कोड भेजें और उसकी डिलीवरी देखें। आपकी सीमाएँ, कीमतें, टेम्पलेट और फ़ॉलबैक लागू होते हैं।",
    inTest: "टेस्ट परिवेश: कुछ भेजा नहीं जाता, और हर कोड 123456 है।",
    live: "लाइव परिवेश: संदेश भेजा जाता है और शुल्क लगता है।",
    identity: "फ़ोन नंबर या ईमेल",
    identityHint: "देश कोड के साथ लिखें, जैसे +91 98765 43210।",
    identityMissing: "फ़ोन नंबर या ईमेल पता डालें।",
    channel: "चैनल",
    usual: "डिफ़ॉल्ट: पहला चैनल, उसके फ़ॉलबैक के साथ",
    send: "कोड भेजें",
    code: "कोड",
    codeHintTest: "यहाँ हर कोड 123456 है। एक ग़लत कोड भी आज़माएँ।",
    outbox: "आउटबॉक्स खोलें",
    codeMissing: "संदेश में मिला कोड डालें।",
    check: "कोड सत्यापित करें",
    wrong: (left) => (left === 0 ? "ग़लत कोड। कोई प्रयास शेष नहीं।" : `ग़लत कोड। ${left} प्रयास शेष।`),
    verified: (took) => `${took} में सत्यापित।`,
    over: "यह सत्यापन समाप्त हो गया। दूसरा कोड भेजें।",
    another: "दूसरा कोड भेजें",
    whole: "सत्यापन देखें",
    phone: "संदेश का प्रीव्यू"
  }
})
