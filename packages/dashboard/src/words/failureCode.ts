import { choose } from "./language.ts"

/** A code of a provider or of the service, as a sentence. Channels, conversations and campaigns read this one table. */
const en = {
  "100": "A phone number id that is none, or that the token may not use.",
  "190": "The token is wrong, or no longer good.",
  "20003": "Twilio does not know the credentials.",
  "21211": "The number cannot be written to.",
  "21212": "The sender is not the account's.",
  "21408": "The provider's account may not send to this country.",
  "21606": "The sender is not the account's.",
  "21608": "A trial account reaches verified numbers only.",
  "21610": "They told the provider to stop.",
  "21659": "The sender is not the account's.",
  "21703": "The Messaging Service has no sender.",
  "30003": "The phone is off or out of reach.",
  "30004": "The number is blocked.",
  "30005": "The number does not exist.",
  "30006": "A landline, or a network that takes no messages.",
  "30007": "The network took it for spam.",
  "30008": "The network did not say why.",
  "30034": "The sender is not registered for the United States.",
  "63036": "The phone cannot receive RCS.",
  "131026": "They cannot receive it: no WhatsApp, an old app, or its terms are not accepted.",
  "131030": "A test number sends only to people on its list.",
  "131042": "No way to pay is set up at Meta.",
  "131047": "The 24 hours were over. Send a template.",
  "131048": "WhatsApp holds back this number because people reported it.",
  "131049": "WhatsApp held it back, so that people are not written to too often.",
  "131050": "They want no marketing messages from you.",
  "131056": "Too many messages to this number in a short time.",
  "132000": "The template has another number of places.",
  "132001": "WhatsApp has no such template in this language.",
  "132015": "WhatsApp has paused this template.",
  "132016": "Meta disabled the template.",
  "132018": "A value has line breaks or too many spaces for WhatsApp.",
  "133010": "The number is not registered with the Cloud API.",
  cancelled: "The campaign was cancelled before.",
  certificate: "The server's certificate is not valid for its name.",
  empty_text: "It was empty.",
  erased: "They were erased.",
  invalid_address: "That is no address that can be written to.",
  invalid_recipient: "The number cannot be reached.",
  key_retired: "Its secret is no longer known here.",
  merchant_suspended: "This merchant is suspended.",
  no_answer: "No answer: it may be on its way.",
  no_provider: "No provider is set up for this on the service.",
  no_public_url: "The service has no public address for links.",
  not_configured: "The provider is not set up.",
  not_reached: "No connection was made.",
  not_sent_in_time: "It could not be sent before it was too late.",
  number_disconnected: "The number that they wrote to is not connected any more.",
  opted_out: "They want no campaigns.",
  outcome_unknown: "The provider said neither yes nor no. It was not paid.",
  provider_resting: "The provider kept failing, so it was left alone for a while.",
  template_not_yours: "The template belongs to the server's own WhatsApp account. Connect a number of your own.",
  text_too_long: "It is too long.",
  timeout: "No answer within ten seconds: it may be on its way.",
  unanswered: "The provider said neither yes nor no.",
  unknown_sender: "No sender of that name.",
  unreachable: "The provider could not be reached.",
  unreadable: "The provider’s answer could not be read.",
  unspecified: "No reason was given.",
  unsupported_message: "The channel carries no such message."
}

const hi: { readonly [code in keyof typeof en]: string } = {
  "100": "फ़ोन नंबर id ग़लत है, या टोकन उसे नहीं चला सकता।",
  "190": "टोकन ग़लत है या अब मान्य नहीं।",
  "20003": "Twilio इन पहचान-पत्रों को नहीं जानता।",
  "21211": "इस नंबर पर कुछ भेजा नहीं जा सकता।",
  "21212": "भेजने वाला इस खाते का नहीं है।",
  "21408": "प्रदाता का खाता इस देश में नहीं भेज सकता।",
  "21606": "भेजने वाला इस खाते का नहीं है।",
  "21608": "ट्रायल खाता केवल सत्यापित नंबरों तक पहुँचता है।",
  "21610": "उन्होंने प्रदाता से रुकने को कहा।",
  "21659": "भेजने वाला इस खाते का नहीं है।",
  "21703": "Messaging Service में कोई भेजने वाला नहीं है।",
  "30003": "फ़ोन बंद है या पहुँच से बाहर।",
  "30004": "नंबर ब्लॉक है।",
  "30005": "ऐसा कोई नंबर नहीं है।",
  "30006": "लैंडलाइन, या ऐसा नेटवर्क जो संदेश नहीं लेता।",
  "30007": "नेटवर्क ने इसे स्पैम माना।",
  "30008": "नेटवर्क ने कारण नहीं बताया।",
  "30034": "भेजने वाला अमेरिका के लिए पंजीकृत नहीं है।",
  "63036": "यह फ़ोन RCS नहीं ले सकता।",
  "131026": "उन्हें नहीं मिल सकता: WhatsApp नहीं है, ऐप पुराना है, या शर्तें नहीं मानी गईं।",
  "131030": "टेस्ट नंबर केवल सूची के लोगों को भेजता है।",
  "131042": "Meta पर भुगतान का तरीक़ा नहीं लगा है।",
  "131047": "24 घंटे पूरे हो चुके थे। टेम्पलेट भेजें।",
  "131048": "शिकायतों के कारण WhatsApp इस नंबर को रोक रहा है।",
  "131049": "WhatsApp ने रोक लिया, ताकि लोगों को बहुत बार न लिखा जाए।",
  "131050": "वे आपसे विज्ञापन संदेश नहीं चाहते।",
  "131056": "इस नंबर पर कम समय में बहुत सारे संदेश।",
  "132000": "टेम्पलेट में जगहों की संख्या अलग है।",
  "132001": "WhatsApp के पास इस भाषा में ऐसा टेम्पलेट नहीं है।",
  "132015": "WhatsApp ने यह टेम्पलेट रोक दिया है।",
  "132016": "Meta ने टेम्पलेट बंद कर दिया।",
  "132018": "किसी मान में WhatsApp के लिए लाइन-ब्रेक या बहुत ज़्यादा ख़ाली जगह है।",
  "133010": "नंबर Cloud API में पंजीकृत नहीं है।",
  cancelled: "अभियान पहले ही रद्द हो गया।",
  certificate: "सर्वर का प्रमाणपत्र उसके नाम के लिए मान्य नहीं।",
  empty_text: "यह ख़ाली था।",
  erased: "उन्हें मिटा दिया गया।",
  invalid_address: "इस पते पर कुछ भेजा नहीं जा सकता।",
  invalid_recipient: "इस नंबर तक नहीं पहुँचा जा सकता।",
  key_retired: "इसका रहस्य अब यहाँ नहीं है।",
  merchant_suspended: "यह व्यापारी निलंबित है।",
  no_answer: "उत्तर नहीं मिला: शायद रास्ते में है।",
  no_provider: "इसके लिए सेवा पर कोई प्रदाता नहीं है।",
  no_public_url: "लिंक के लिए सेवा का कोई सार्वजनिक पता नहीं है।",
  not_configured: "प्रदाता लगाया नहीं गया।",
  not_reached: "कनेक्शन नहीं बना।",
  not_sent_in_time: "देर हो जाने से पहले इसे भेजा नहीं जा सका।",
  number_disconnected: "जिस नंबर पर उन्होंने लिखा था वह अब जुड़ा नहीं है।",
  opted_out: "वे अभियान नहीं चाहते।",
  outcome_unknown: "प्रदाता ने न हाँ कहा, न ना। पैसे नहीं लगे।",
  provider_resting: "प्रदाता बार-बार विफल हुआ, इसलिए कुछ देर उसे कुछ नहीं भेजा गया।",
  template_not_yours: "टेम्पलेट सर्वर के अपने WhatsApp खाते का है। अपना नंबर जोड़ें।",
  text_too_long: "यह बहुत लंबा है।",
  timeout: "दस सेकंड में उत्तर नहीं: शायद रास्ते में है।",
  unanswered: "प्रदाता ने न हाँ कहा, न ना।",
  unknown_sender: "इस नाम का कोई भेजने वाला नहीं।",
  unreachable: "प्रदाता तक नहीं पहुँचा जा सका।",
  unreadable: "प्रदाता का उत्तर पढ़ा नहीं जा सका।",
  unspecified: "कोई कारण नहीं बताया गया।",
  unsupported_message: "यह चैनल ऐसा संदेश नहीं ले जाता।"
}

const known: Readonly<Record<string, string>> = choose({ en, hi })

const answered = choose({
  en: {
    smtp: (code: string) => `The mail server refused it with ${code}.`,
    http: (code: string) => `The provider answered ${code}.`,
    other: (code: string) => `The provider refused it: ${code}.`
  },
  hi: {
    smtp: (code) => `मेल सर्वर ने ${code} के साथ मना किया।`,
    http: (code) => `प्रदाता ने ${code} उत्तर दिया।`,
    other: (code) => `प्रदाता ने मना किया: ${code}।`
  }
})

/** A code as a sentence; null where the code is not known here. */
export const failureInWords = (code: string): string | null => {
  const [, kind, number = ""] = /^(smtp|http)_(\d+)$/.exec(code) ?? []
  if (kind === "smtp" || kind === "http") return answered[kind](number)
  return Object.hasOwn(known, code) ? known[code]! : null
}

/** Why a message was not delivered. A code that is not known here is named in the sentence. */
export const whyNotDelivered = (code: string): string => failureInWords(code) ?? answered.other(code)
