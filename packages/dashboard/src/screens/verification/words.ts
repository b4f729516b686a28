import { choose } from "../../words/language.ts"

const en = {
  backToList: "All verifications",
  relayed: "Another sign-in system made this code and checks it.",
  showNumber: "Show number",
  showAddress: "Show address",
  person: "View user",
  hideAgain: "Hide",
  auditNote: "Your access is recorded in the audit log.",
  requestId: "request ID",
  messages: "Delivery",
  channel: "Channel",
  carrier: "Carrier",
  state: "State",
  provider: "Provider ID",
  link: "link",
  noMessage: "No message was sent.",
  noMessageOneTap: "No message was sent: the user signed in on a trusted device.",
  raw: "Raw data",
  showRaw: "Show JSON",
  locked: {
    WRONG_CODES: (until: string, wrongCodes: number) =>
      `Locked out until ${until}, after ${wrongCodes} wrong ${wrongCodes === 1 ? "code" : "codes"} in a row.`,
    WRONG_NUMBERS: (until: string) =>
      `Locked out of links until ${until}, after wrong numbers on link pages. Codes still work.`
  },
  unlock: "Unlock",
  unlocked: "Unlocked. The user can request codes again.",
  notLocked: "The user was not locked out. There were no wrong codes to reset.",
  weSent: "Sent messages",
  context: "Request",
  contextFacts: { clientIp: "IP address", deviceId: "Device", userAgent: "Browser or app" },
  tags: "Tags"
}

export const say = choose({
  en,
  hi: {
    backToList: "सभी सत्यापन",
    relayed: "यह कोड किसी दूसरे साइन-इन सिस्टम ने बनाया है, और वही इसे जाँचता है।",
    showNumber: "नंबर दिखाएँ",
    showAddress: "पता दिखाएँ",
    person: "उपयोगकर्ता देखें",
    hideAgain: "छिपाएँ",
    auditNote: "आपका देखना ऑडिट लॉग में दर्ज है।",
    requestId: "अनुरोध ID",
    messages: "डिलीवरी",
    channel: "चैनल",
    carrier: "कैरियर",
    state: "स्थिति",
    provider: "प्रदाता ID",
    link: "लिंक",
    noMessage: "कोई संदेश नहीं भेजा गया।",
    noMessageOneTap: "कोई संदेश नहीं भेजा गया: उपयोगकर्ता ने विश्वसनीय डिवाइस पर साइन इन किया।",
    raw: "मूल डेटा",
    showRaw: "JSON दिखाएँ",
    locked: {
      WRONG_CODES: (until, wrongCodes) => `लगातार ${wrongCodes} ग़लत कोड के बाद ${until} तक लॉक है।`,
      WRONG_NUMBERS: (until) => `लिंक पेज पर ग़लत नंबर चुनने के बाद ${until} तक लिंक बंद हैं। कोड चलते रहेंगे।`
    },
    unlock: "अनलॉक करें",
    unlocked: "अनलॉक हुआ। उपयोगकर्ता फिर कोड माँग सकते हैं।",
    notLocked: "उपयोगकर्ता लॉक नहीं थे। रीसेट करने के लिए कोई ग़लत कोड नहीं था।",
    weSent: "भेजे गए संदेश",
    context: "अनुरोध",
    contextFacts: { clientIp: "IP पता", deviceId: "डिवाइस", userAgent: "ब्राउज़र या ऐप" },
    tags: "टैग"
  }
})
