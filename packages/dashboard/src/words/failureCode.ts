import { choose } from "./language.ts"

/** Provider and service codes as sentences. All screens share this table. */
const en = {
  "100": "The phone number ID does not exist, or the token has no access to it.",
  "190": "The access token is invalid or has expired.",
  "20003": "Twilio rejected the credentials.",
  "21211": "The number is invalid.",
  "21212": "The sender does not belong to this account.",
  "21408": "The provider account is not allowed to send to this country.",
  "21608": "A trial account can send only to verified numbers.",
  "21610": "The recipient opted out at the provider.",
  "21703": "The Messaging Service has no sender.",
  "30003": "The phone is off or out of reach.",
  "30004": "The number is blocked.",
  "30005": "The number does not exist.",
  "30006": "The number is a landline, or its network does not accept messages.",
  "30007": "The network filtered the message as spam.",
  "30008": "The network gave no reason.",
  "30034": "The sender is not registered for the United States.",
  "63036": "The phone cannot receive RCS.",
  "131026": "The recipient cannot receive it: no WhatsApp, an old app version, or WhatsApp terms not accepted.",
  "131030": "A test number can send only to numbers on its list.",
  "131042": "No payment method is set up at Meta.",
  "131047": "The 24-hour reply window has closed. Send a template.",
  "131048": "WhatsApp restricted this number because of spam reports.",
  "131049": "WhatsApp did not deliver it, to limit messages to this recipient.",
  "131050": "The recipient opted out of your marketing messages.",
  "131056": "Too many messages to this number in a short time. Wait, then try again.",
  "132000": "The number of variables does not match the template.",
  "132001": "The template does not exist at WhatsApp in this language.",
  "132015": "WhatsApp paused this template.",
  "132016": "Meta disabled this template.",
  "132018": "A variable contains line breaks or too many spaces.",
  "133010": "The number is not registered with the Cloud API.",
  broken: "The channel reported an error.",
  cancelled: "The campaign was cancelled before this message was sent.",
  certificate: "The server's TLS certificate is not valid for its host name.",
  destination_forbidden: "Your settings forbid messages to this number.",
  empty_brand: "The brand name is empty.",
  empty_text: "The message text was empty.",
  erased: "The recipient’s data was erased.",
  invalid_address: "The e-mail address is invalid.",
  invalid_recipient: "The number is invalid or cannot be reached.",
  key_retired: "This instance no longer has the secret that encrypted the message.",
  merchant_suspended: "This merchant is suspended.",
  no_answer: "The provider did not respond. The message may be on its way.",
  no_provider: "No provider is configured for this channel.",
  no_public_url: "Links need a public URL. The operator has to set PUBLIC_URL.",
  not_configured: "The provider is not configured.",
  not_reached: "No connection could be made.",
  not_sent_in_time: "The message could not be sent before it expired.",
  number_disconnected: "The number that the customer wrote to is no longer connected.",
  opted_out: "The recipient opted out of campaigns.",
  outcome_unknown: "The provider confirmed neither success nor failure. The message was not charged.",
  provider_resting: "Sending was paused because the provider kept failing.",
  template_gone: "The template no longer exists.",
  template_not_yours: "The template belongs to the server's own WhatsApp account. Connect your own number.",
  text_too_long: "The message is too long.",
  timeout: "No response within ten seconds. The message may be on its way.",
  unanswered: "The provider confirmed neither success nor failure.",
  unknown_sender: "The sender does not exist at the provider.",
  unreachable: "The provider could not be reached.",
  unreadable: "The provider’s response could not be read.",
  unspecified: "No reason given.",
  unsupported_message: "The channel does not support this type of message."
}

const hi: { readonly [code in keyof typeof en]: string } = {
  "100": "फ़ोन नंबर ID मौजूद नहीं, या टोकन को उसका एक्सेस नहीं है।",
  "190": "एक्सेस टोकन अमान्य है या उसकी समय-सीमा समाप्त हो गई।",
  "20003": "Twilio ने क्रेडेंशियल अस्वीकार किए।",
  "21211": "नंबर अमान्य है।",
  "21212": "प्रेषक इस खाते का नहीं है।",
  "21408": "प्रदाता के खाते को इस देश में भेजने की अनुमति नहीं है।",
  "21608": "ट्रायल खाता केवल सत्यापित नंबरों पर भेज सकता है।",
  "21610": "प्राप्तकर्ता ने प्रदाता पर ऑप्ट-आउट किया है।",
  "21703": "Messaging Service में कोई प्रेषक नहीं है।",
  "30003": "फ़ोन बंद है या पहुँच से बाहर।",
  "30004": "नंबर ब्लॉक है।",
  "30005": "नंबर मौजूद नहीं है।",
  "30006": "नंबर लैंडलाइन है, या उसका नेटवर्क संदेश स्वीकार नहीं करता।",
  "30007": "नेटवर्क ने संदेश को स्पैम मानकर रोका।",
  "30008": "नेटवर्क ने कारण नहीं बताया।",
  "30034": "प्रेषक अमेरिका के लिए पंजीकृत नहीं है।",
  "63036": "यह फ़ोन RCS प्राप्त नहीं कर सकता।",
  "131026": "प्राप्तकर्ता को नहीं मिल सकता: WhatsApp नहीं, ऐप पुराना, या WhatsApp की शर्तें स्वीकार नहीं।",
  "131030": "टेस्ट नंबर केवल अपनी सूची के नंबरों पर भेज सकता है।",
  "131042": "Meta पर भुगतान का तरीका सेट नहीं है।",
  "131047": "24 घंटे की जवाब विंडो बंद हो गई। टेम्पलेट भेजें।",
  "131048": "स्पैम रिपोर्ट के कारण WhatsApp ने इस नंबर को सीमित किया।",
  "131049": "इस प्राप्तकर्ता के संदेश सीमित रखने के लिए WhatsApp ने इसे डिलीवर नहीं किया।",
  "131050": "प्राप्तकर्ता ने आपके मार्केटिंग संदेशों से ऑप्ट-आउट किया है।",
  "131056": "इस नंबर पर कम समय में बहुत अधिक संदेश। थोड़ी देर बाद फिर से प्रयास करें।",
  "132000": "वेरिएबल की संख्या टेम्पलेट से मेल नहीं खाती।",
  "132001": "WhatsApp पर इस भाषा में यह टेम्पलेट मौजूद नहीं है।",
  "132015": "WhatsApp ने यह टेम्पलेट रोक दिया है।",
  "132016": "Meta ने टेम्पलेट बंद कर दिया।",
  "132018": "किसी वेरिएबल में लाइन-ब्रेक या बहुत अधिक स्पेस हैं।",
  "133010": "नंबर Cloud API में पंजीकृत नहीं है।",
  broken: "चैनल ने त्रुटि बताई।",
  cancelled: "यह संदेश भेजे जाने से पहले अभियान रद्द हुआ।",
  certificate: "सर्वर का TLS प्रमाणपत्र उसके होस्ट नाम के लिए मान्य नहीं है।",
  destination_forbidden: "आपकी सेटिंग इस नंबर पर संदेश रोकती हैं।",
  empty_brand: "ब्रांड का नाम ख़ाली है।",
  empty_text: "संदेश का टेक्स्ट ख़ाली था।",
  erased: "प्राप्तकर्ता का डेटा मिटा दिया गया।",
  invalid_address: "ईमेल पता अमान्य है।",
  invalid_recipient: "नंबर अमान्य है या उस तक नहीं पहुँचा जा सकता।",
  key_retired: "संदेश को एन्क्रिप्ट करने वाला सीक्रेट अब इस इंस्टेंस में नहीं है।",
  merchant_suspended: "यह मर्चेंट निलंबित है।",
  no_answer: "प्रदाता ने जवाब नहीं दिया। संदेश शायद जा चुका है।",
  no_provider: "इस चैनल का प्रदाता कॉन्फ़िगर नहीं है।",
  no_public_url: "लिंक के लिए सार्वजनिक URL चाहिए। ऑपरेटर को PUBLIC_URL सेट करना होगा।",
  not_configured: "प्रदाता कॉन्फ़िगर नहीं है।",
  not_reached: "कनेक्शन नहीं बन सका।",
  not_sent_in_time: "समय-सीमा से पहले संदेश भेजा नहीं जा सका।",
  number_disconnected: "जिस नंबर पर ग्राहक ने लिखा था वह अब जुड़ा नहीं है।",
  opted_out: "प्राप्तकर्ता ने अभियानों से ऑप्ट-आउट किया है।",
  outcome_unknown: "प्रदाता ने न सफलता बताई, न विफलता। संदेश का शुल्क नहीं लगा।",
  provider_resting: "प्रदाता के बार-बार विफल होने से भेजना रोका गया था।",
  template_gone: "टेम्पलेट अब मौजूद नहीं है।",
  template_not_yours: "टेम्पलेट सर्वर के अपने WhatsApp खाते का है। अपना नंबर जोड़ें।",
  text_too_long: "संदेश बहुत लंबा है।",
  timeout: "दस सेकंड में जवाब नहीं मिला। संदेश शायद जा चुका है।",
  unanswered: "प्रदाता ने न सफलता बताई, न विफलता।",
  unknown_sender: "यह प्रेषक प्रदाता पर मौजूद नहीं है।",
  unreachable: "प्रदाता तक नहीं पहुँचा जा सका।",
  unreadable: "प्रदाता का जवाब पढ़ा नहीं जा सका।",
  unspecified: "कोई कारण नहीं बताया गया।",
  unsupported_message: "चैनल इस प्रकार के संदेश का समर्थन नहीं करता।"
}

const known: Readonly<Record<string, string>> = choose({ en, hi })

/** Codes that mean the same as another one. */
const sameAs: Readonly<Record<string, keyof typeof en>> = {
  "21606": "21212",
  "21659": "21212",
  bad_address: "invalid_address",
  no_turn: "not_sent_in_time",
  rejected: "broken",
  unreadable_answer: "unreadable",
  unsupported: "unsupported_message",
  unusable_token: "190"
}

const answered = choose({
  en: {
    smtp: (code: string) => `The mail server rejected the message with ${code}.`,
    http: (code: string) => `The provider responded with HTTP ${code}.`,
    other: (code: string) => `The provider rejected the message: ${code}.`
  },
  hi: {
    smtp: (code) => `मेल सर्वर ने ${code} के साथ संदेश अस्वीकार किया।`,
    http: (code) => `प्रदाता ने HTTP ${code} जवाब दिया।`,
    other: (code) => `प्रदाता ने संदेश अस्वीकार किया: ${code}।`
  }
})

/** The sentence of a code, or null when it is unknown. */
export const failureInWords = (code: string): string | null => {
  const [, kind, number = ""] = /^(smtp|http)_(\d+)$/.exec(code) ?? []
  if (kind === "smtp" || kind === "http") return answered[kind](number)
  const name = Object.hasOwn(sameAs, code) ? sameAs[code]! : code
  return Object.hasOwn(known, name) ? known[name]! : null
}

/** The reason of a failure as part of a sentence: without its full stop, or the code itself when it is unknown. */
export const reasonInWords = (code: string): string => failureInWords(code)?.replace(/[.।]$/, "") ?? code

/** Why a message was not delivered. The sentence names an unknown code. */
export const whyNotDelivered = (code: string): string => failureInWords(code) ?? answered.other(code)
