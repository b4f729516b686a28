import { choose } from "./language.ts"

/** What a code of a provider, or a word of ours, means to whoever looks after sending. */
const known = choose<Readonly<Record<string, string>>>({
  en: {
    "20003": "Twilio does not know the credentials",
    "21211": "that is no number that can be written to",
    "21212": "the sender is not the account's",
    "21408": "the recipient's country is switched off at Twilio",
    "21606": "the sender is not the account's",
    "21608": "a trial account reaches verified numbers only",
    "21610": "the recipient answered STOP",
    "21659": "the sender is not the account's",
    "21703": "the Messaging Service has no sender",
    "30003": "the phone cannot be reached: off, or without a network",
    "30005": "the carrier does not know the number",
    "30006": "the number takes no SMS, such as a landline",
    "30007": "the carrier filtered the text",
    "30008": "the carrier does not say why",
    "30034": "the sender is not registered for the United States",
    "63036": "the phone cannot receive RCS",
    "100": "a phone number id that is none, or that the token may not use",
    "190": "the token is wrong, or no longer good",
    "131026": "this person has no WhatsApp, or an old one",
    "131030": "a test number sends only to people on its list",
    "131042": "no way to pay is set up at Meta",
    "131047": "plain words to somebody who has not written for 24 hours",
    "131049": "Meta chose not to deliver, and will not for a day",
    "131050": "this person stopped messages of this kind",
    "132000": "the template is not one for codes",
    "132001": "no template of that name and language is approved",
    "132015": "Meta paused the template",
    "132016": "Meta disabled the template",
    "133010": "the number is not registered with the Cloud API",
    certificate: "the server's certificate is not valid for its name",
    invalid_address: "that is no address that can be written to",
    key_retired: "its secret is no longer known here",
    no_answer: "no answer: it may be on its way",
    no_public_url: "the service has no public address for links",
    not_configured: "the provider is not set up",
    not_reached: "no connection was made",
    not_sent_in_time: "the code expired before it could be sent",
    provider_resting: "the provider is left alone after failures",
    timeout: "no answer within ten seconds: it may be on its way",
    unreachable: "cannot be reached",
    unreadable: "an answer that nobody understands",
    unspecified: "no reason was given",
    unsupported_message: "the channel carries no such message",
    unknown_sender: "no sender of that name"
  },
  hi: {
    "20003": "Twilio इन पहचान-पत्रों को नहीं जानता",
    "21211": "इस नंबर पर कुछ भेजा नहीं जा सकता",
    "21212": "भेजने वाला इस खाते का नहीं है",
    "21408": "पाने वाले का देश Twilio पर बंद है",
    "21606": "भेजने वाला इस खाते का नहीं है",
    "21608": "ट्रायल खाता केवल सत्यापित नंबरों तक पहुँचता है",
    "21610": "पाने वाले ने STOP लिखा है",
    "21659": "भेजने वाला इस खाते का नहीं है",
    "21703": "Messaging Service में कोई भेजने वाला नहीं है",
    "30003": "फ़ोन बंद है या नेटवर्क में नहीं है",
    "30005": "ऑपरेटर इस नंबर को नहीं जानता",
    "30006": "यह नंबर SMS नहीं लेता, जैसे लैंडलाइन",
    "30007": "ऑपरेटर ने संदेश रोक दिया",
    "30008": "ऑपरेटर कारण नहीं बताता",
    "30034": "भेजने वाला अमेरिका के लिए पंजीकृत नहीं है",
    "63036": "यह फ़ोन RCS नहीं ले सकता",
    "100": "फ़ोन नंबर id ग़लत है, या टोकन उसे नहीं चला सकता",
    "190": "टोकन ग़लत है या अब मान्य नहीं",
    "131026": "इस व्यक्ति के पास WhatsApp नहीं है, या पुराना है",
    "131030": "टेस्ट नंबर केवल सूची के लोगों को भेजता है",
    "131042": "Meta पर भुगतान का तरीक़ा नहीं लगा है",
    "131047": "जिसने 24 घंटे से नहीं लिखा, उसे सादे शब्द",
    "131049": "Meta ने न पहुँचाने का फ़ैसला किया, एक दिन तक",
    "131050": "इस व्यक्ति ने ऐसे संदेश बंद कर दिए हैं",
    "132000": "यह टेम्पलेट कोड के लिए नहीं है",
    "132001": "इस नाम और भाषा का कोई स्वीकृत टेम्पलेट नहीं",
    "132015": "Meta ने टेम्पलेट रोक दिया",
    "132016": "Meta ने टेम्पलेट बंद कर दिया",
    "133010": "नंबर Cloud API में पंजीकृत नहीं है",
    certificate: "सर्वर का प्रमाणपत्र उसके नाम के लिए मान्य नहीं",
    invalid_address: "इस पते पर कुछ भेजा नहीं जा सकता",
    key_retired: "इसका रहस्य अब यहाँ नहीं है",
    no_answer: "उत्तर नहीं मिला: शायद रास्ते में है",
    no_public_url: "लिंक के लिए सेवा का कोई सार्वजनिक पता नहीं है",
    not_configured: "प्रदाता लगाया नहीं गया",
    not_reached: "कनेक्शन नहीं बना",
    not_sent_in_time: "भेजे जाने से पहले कोड का समय निकल गया",
    provider_resting: "विफलताओं के बाद प्रदाता को आराम दिया जा रहा है",
    timeout: "दस सेकंड में उत्तर नहीं: शायद रास्ते में है",
    unreachable: "पहुँचा नहीं जा सकता",
    unreadable: "ऐसा उत्तर जो समझ नहीं आया",
    unspecified: "कोई कारण नहीं बताया गया",
    unsupported_message: "यह चैनल ऐसा संदेश नहीं ले जाता",
    unknown_sender: "इस नाम का कोई भेजने वाला नहीं"
  }
})

const answered = choose({
  en: {
    smtp: (code: string) => `the mail server refused it with ${code}`,
    http: (code: string) => `something in between answered ${code}`
  },
  hi: {
    smtp: (code) => `मेल सर्वर ने ${code} के साथ मना किया`,
    http: (code) => `बीच में किसी ने ${code} उत्तर दिया`
  }
})

/** A provider's code in words; null where nobody here knows it, and it stands for itself. */
export const failureInWords = (code: string): string | null => {
  const [, kind, number = ""] = /^(smtp|http)_(\d+)$/.exec(code) ?? []
  if (kind === "smtp" || kind === "http") return answered[kind](number)
  return Object.hasOwn(known, code) ? known[code]! : null
}
