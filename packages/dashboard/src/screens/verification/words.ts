import { choose } from "../../words/language.ts"

const en = {
  backToList: "All verifications",
  showNumber: "Show number",
  showAddress: "Show address",
  hideAgain: "Hide",
  auditNote: "Your access is recorded in the audit log.",
  allOfThem: "All verifications of this user",
  kept: "Stored data about this user",
  showFirst: "Show the number first to see the stored data.",
  messages: "Messages",
  channel: "Channel",
  carrier: "Carrier",
  state: "State",
  provider: "Provider ID",
  link: "link",
  noMessage: "No message was sent.",
  noMessageOneTap: "No message was sent: the user signed in on a trusted device.",
  raw: "Raw data",
  showRaw: "Show JSON",
  devices: "Trusted devices",
  noDevices: "No trusted devices. The next login needs a code.",
  device: "Device",
  unnamedDevice: "unnamed device",
  lastUsed: "Last used",
  until: "Trusted until",
  action: "Action",
  endTrust: "Revoke",
  endTrustOf: (device: string) => `Revoke trust in ${device}`,
  trustEnded: "Trust revoked. The next login on this device needs a code.",
  wrongCodes: "Wrong codes in a row",
  wrongCodesHint:
    "Too many wrong codes lock a user out for 24 hours. Unlocking lets them request codes again; hourly limits still apply.",
  locked: {
    WRONG_CODES: (until: string, wrongCodes: number) =>
      `Locked out until ${until}, after ${wrongCodes} wrong ${wrongCodes === 1 ? "code" : "codes"} in a row.`,
    WRONG_NUMBERS: (until: string) =>
      `Locked out of links until ${until}, after wrong numbers on link pages. Codes still work.`
  },
  unlock: "Unlock",
  unlocked: "Unlocked. The user can request codes again.",
  notLocked: "The user was not locked out. There were no wrong codes to reset.",
  export: "Export data",
  exportHint:
    "One JSON object per line: verifications, devices, leads, messages. The export is recorded in the audit log.",
  exportDo: "Download",
  erase: "Erase this user",
  eraseHint:
    "Deletes verifications, devices, leads and conversations in every spelling of the identity. Masked events remain. You cannot undo this.",
  eraseDo: "Erase permanently",
  typeIt: "Type the identity exactly as shown to confirm.",
  typeLabel: (identity: string) => `Type ${identity} to confirm`,
  erasing: "Erasing…",
  erased: "Erased.",
  removed: (verifications: string, devices: string, leads: string, messages: string) =>
    `Erased so far: verifications ${verifications}, devices ${devices}, leads ${leads}, messages ${messages}.`,
  lookAgain: "Refresh",
  weSent: "Sent messages"
}

export const say = choose({
  en,
  hi: {
    backToList: "सभी सत्यापन",
    showNumber: "नंबर दिखाएँ",
    showAddress: "पता दिखाएँ",
    hideAgain: "छिपाएँ",
    auditNote: "आपका देखना ऑडिट लॉग में दर्ज है।",
    allOfThem: "इस उपयोगकर्ता के सभी सत्यापन",
    kept: "इस उपयोगकर्ता का संग्रहीत डेटा",
    showFirst: "संग्रहीत डेटा देखने के लिए पहले नंबर दिखाएँ।",
    messages: "संदेश",
    channel: "चैनल",
    carrier: "कैरियर",
    state: "स्थिति",
    provider: "प्रदाता ID",
    link: "लिंक",
    noMessage: "कोई संदेश नहीं भेजा गया।",
    noMessageOneTap: "कोई संदेश नहीं भेजा गया: उपयोगकर्ता ने विश्वसनीय डिवाइस पर साइन इन किया।",
    raw: "मूल डेटा",
    showRaw: "JSON दिखाएँ",
    devices: "विश्वसनीय डिवाइस",
    noDevices: "कोई विश्वसनीय डिवाइस नहीं। अगले लॉगिन पर कोड लगेगा।",
    device: "डिवाइस",
    unnamedDevice: "बिना नाम का डिवाइस",
    lastUsed: "पिछला उपयोग",
    until: "विश्वसनीय, इस तारीख़ तक",
    action: "कार्रवाई",
    endTrust: "रद्द करें",
    endTrustOf: (device) => `${device} पर भरोसा रद्द करें`,
    trustEnded: "भरोसा रद्द हुआ। इस डिवाइस पर अगले लॉगिन में कोड लगेगा।",
    wrongCodes: "लगातार ग़लत कोड",
    wrongCodesHint:
      "बहुत अधिक ग़लत कोड उपयोगकर्ता को 24 घंटे के लिए लॉक कर देते हैं। अनलॉक करने पर वे फिर कोड माँग सकते हैं; प्रति घंटा सीमाएँ लागू रहती हैं।",
    locked: {
      WRONG_CODES: (until, wrongCodes) => `लगातार ${wrongCodes} ग़लत कोड के बाद ${until} तक लॉक है।`,
      WRONG_NUMBERS: (until) => `लिंक पेज पर ग़लत नंबर चुनने के बाद ${until} तक लिंक बंद हैं। कोड चलते रहेंगे।`
    },
    unlock: "अनलॉक करें",
    unlocked: "अनलॉक हुआ। उपयोगकर्ता फिर कोड माँग सकते हैं।",
    notLocked: "उपयोगकर्ता लॉक नहीं थे। रीसेट करने के लिए कोई ग़लत कोड नहीं था।",
    export: "डेटा एक्सपोर्ट करें",
    exportHint: "प्रति पंक्ति एक JSON ऑब्जेक्ट: सत्यापन, डिवाइस, लीड, संदेश। एक्सपोर्ट ऑडिट लॉग में दर्ज होता है।",
    exportDo: "डाउनलोड करें",
    erase: "इस उपयोगकर्ता को मिटाएँ",
    eraseHint:
      "पहचान की हर वर्तनी के सत्यापन, डिवाइस, लीड और बातचीत मिटाता है। इवेंट छिपे रूप में रहते हैं। इसे पूर्ववत नहीं किया जा सकता।",
    eraseDo: "स्थायी रूप से मिटाएँ",
    typeIt: "पुष्टि के लिए पहचान ठीक वैसी ही लिखें।",
    typeLabel: (identity) => `पुष्टि के लिए ${identity} लिखें`,
    erasing: "मिटाया जा रहा है…",
    erased: "मिटा दिया गया।",
    removed: (verifications, devices, leads, messages) =>
      `अब तक मिटाए: सत्यापन ${verifications}, डिवाइस ${devices}, लीड ${leads}, संदेश ${messages}।`,
    lookAgain: "रीफ़्रेश करें",
    weSent: "भेजे गए संदेश"
  }
})
