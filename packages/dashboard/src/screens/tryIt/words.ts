import { choose } from "../../words/language.ts"

const en = {
  title: "Try it",
  intro:
    "Send a code to yourself and watch it move. Limits, prices, templates and the fallback are those of your people.",
  inTest: "This is test: nothing is sent, and every code is 123456.",
  live: "This is live: the message is sent, and paid for.",
  identity: "Phone number or e-mail",
  identityHint: "With the country, such as +91 98765 43210.",
  identityMissing: "Say where it should go.",
  channel: "Channel",
  usual: "As usual: the first channel, with its fallback",
  send: "Send the code",
  code: "Code",
  codeHintTest: "Every code is 123456 here. Try a wrong one as well.",
  outbox: "Read it in the outbox",
  codeMissing: "Type the code from the message.",
  check: "Check the code",
  wrong: (left: number) => (left === 0 ? "Wrong, and none left." : `Wrong, ${left} left.`),
  verified: (took: string) => `Verified, after ${took}.`,
  over: "It is over. Send another one.",
  another: "Send another",
  whole: "Its own page",
  phone: "As it would look"
}

export const say = choose({
  en,
  hi: {
    title: "आज़माएँ",
    intro: "ख़ुद को कोड भेजें और उसे चलते देखें। सीमाएँ, दाम, टेम्पलेट और विकल्प वही हैं जो आपके लोगों के लिए हैं।",
    inTest: "यह टेस्ट है: कुछ भेजा नहीं जाता, और हर कोड 123456 है।",
    live: "यह लाइव है: संदेश सचमुच भेजा जाता है और उसका पैसा लगता है।",
    identity: "फ़ोन नंबर या ई-मेल",
    identityHint: "देश के साथ, जैसे +91 98765 43210।",
    identityMissing: "बताएँ कि कहाँ भेजना है।",
    channel: "चैनल",
    usual: "हमेशा की तरह: पहला चैनल, उसके विकल्प के साथ",
    send: "कोड भेजें",
    code: "कोड",
    codeHintTest: "यहाँ हर कोड 123456 है। एक ग़लत भी आज़माएँ।",
    outbox: "आउटबॉक्स में पढ़ें",
    codeMissing: "संदेश में आया कोड लिखें।",
    check: "कोड जाँचें",
    wrong: (left) => (left === 0 ? "ग़लत, और कोई मौका नहीं बचा।" : `ग़लत, ${left} बाकी।`),
    verified: (took) => `${took} में सत्यापित।`,
    over: "यह समाप्त हुआ। दूसरा भेजें।",
    another: "दूसरा भेजें",
    whole: "उसका अपना पृष्ठ",
    phone: "ऐसा दिखेगा"
  }
})
