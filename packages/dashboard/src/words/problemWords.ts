import type { FieldProblem } from "@countersign/http"
import { settingWords } from "./settingsIndex.ts"

type Params = FieldProblem["params"]
type Sentences = { readonly [C in FieldProblem["code"]]: (params: Params) => string }

const things: { readonly [name: string]: string } = {
  agents: "सदस्य",
  endpoints: "एंडपॉइंट",
  label: "लेबल",
  labels: "लेबल",
  "saved replies": "सहेजे जवाब",
  "saved reply": "सहेजे जवाब",
  "sender ids": "सेंडर आईडी",
  team: "टीम",
  teams: "टीमें",
  template: "टेम्पलेट",
  templates: "टेम्पलेट"
}
const thing = ({ thing: one, things: many }: Params) => {
  const name = String(one ?? many)
  return things[name] ?? name
}

const nameOf = (setting: unknown): string =>
  (settingWords.names as { readonly [name: string]: string })[String(setting)] ?? String(setting)

const inDevelopment = " डेवलपमेंट में COUNTERSIGN_ALLOW_PRIVATE_WEBHOOKS=true से http और निजी पते भी चलते हैं।"

/** Problems of fields in Hindi. English is the service's own sentence. */
const hindi: Sentences = {
  REQUIRED: () => "यह ज़रूरी है",
  TEXT: () => "टेक्स्ट लिखें",
  NUMBER: () => "संख्या लिखें",
  WHOLE_NUMBER: () => "पूर्ण संख्या लिखें",
  TRUE_OR_FALSE: () => "true या false दें",
  LIST: () => "सूची दें",
  OBJECT: () => "ऑब्जेक्ट दें",
  LENGTH: ({ max, min }) => `${min} से ${max} अक्षर लिखें`,
  LINE: ({ max, min }) => `एक पंक्ति में ${min} से ${max} अक्षर लिखें`,
  TOO_LONG: ({ max }) => `अधिक से अधिक ${max} अक्षर लिखें`,
  LINE_TOO_LONG: ({ max }) => `एक पंक्ति में अधिक से अधिक ${max} अक्षर लिखें`,
  LINE_TOO_LONG_OR_HIDDEN: ({ max }) => `एक पंक्ति में अधिक से अधिक ${max} दिखने वाले अक्षर लिखें`,
  CONTROL_CHARACTERS: () => "नई पंक्ति और टैब के अलावा कोई कंट्रोल कैरेक्टर न रखें",
  BETWEEN: ({ max, min }) => `${min} से ${max} तक की पूर्ण संख्या लिखें`,
  ONE_OF: ({ values }) => `इनमें से एक चुनें: ${values}`,
  EACH_ONE_OF: ({ values }) => `केवल इनमें से चुनें: ${values}`,
  AT_LEAST_ONE_OF: ({ values }) => `इनमें से कम से कम एक चुनें: ${values}`,
  TOO_MANY: ({ max }) => `अधिक से अधिक ${max} प्रविष्टियाँ रखें`,
  FULL: (params) => `पहले से ${params["max"]} ${thing(params)} हैं; पहले एक हटाएँ`,
  TIME: () => "ISO 8601 में समय लिखें, जैसे 2026-01-31T09:30:00.000Z",
  MONTH: () => "महीना लिखें, जैसे 2026-11",
  TIME_ZONE: () => "IANA समय क्षेत्र लिखें, जैसे Asia/Kolkata",
  TAG: () => "टैग का नाम और मान लिखें, जैसे plan:trial",
  LANGUAGE: () => "भाषा लिखें, जैसे en, hi या en-IN",
  NOT_BEFORE: () => "अंत, शुरुआत से पहले का नहीं हो सकता",
  BEFORE: () => "शुरुआत, अंत से पहले की चुनें",
  BUCKET_OLD: () => "इस अंतराल के लिए पिछले 35 दिन ही मिलते हैं; पुराने आँकड़ों के लिए दिन चुनें",
  POINTS: ({ max }) => `इस अवधि में ${max} से ज़्यादा बिंदु हैं; छोटी अवधि या बड़ा अंतराल चुनें`,
  RANGE_LONG: ({ days }) => `अधिक से अधिक ${days} दिनों की अवधि चुनें`,
  CURSOR: () => "सूची का यह हिस्सा अब नहीं मिलता; सूची फिर से खोलें",
  UNCHANGEABLE: (params) => `इसे बदला नहीं जा सकता; दूसरा ${thing(params)} बनाएँ`,
  NAME_TAKEN: (params) => `यह नाम पहले से किसी और ${thing(params)} का है`,

  PERSON: () => "इस परिवेश के किसी सत्यापन, अस्वीकृति या लीड का `person` दें",
  PHONE: () => "देश कोड के साथ एक संभव फ़ोन नंबर लिखें",
  PHONE_CHARACTERS: () => "फ़ोन नंबर लिखें: देश कोड के साथ अंक, शुरू में एक +, स्पेस और डैश",
  PHONE_INDIAN: () => "भारतीय मोबाइल नंबर लिखें: दस अंक, 6 से 9 तक के अंक से शुरू",
  PHONE_COUNTRY_CODE: () => "+ और देश कोड से शुरू करें: दस अंकों के नंबरों के लिए कोई देश तय नहीं है",
  PHONE_LEADING_ZERO: () => "देश कोड से शुरू करें, नंबर के आगे 0 से नहीं",
  EMAIL: () => "एक @ वाला ई-मेल पता बिना स्पेस के लिखें",
  EMAIL_DOMAIN: () => "@ के बाद डोमेन लिखें",

  NO_CODE: () => "यहाँ कोड नहीं चलता: इस सत्यापन में व्यक्ति किसी लिंक या सूचना से मंज़ूरी देता है",

  SETTING_UNKNOWN: () => "ऐसी कोई सेटिंग नहीं है",
  SETTING_MEANT: ({ meant }) => `ऐसी कोई सेटिंग नहीं है; क्या आपका मतलब ${meant} था?`,
  SETTING_LONGER: ({ other, value }) => `“${nameOf(other)}” (${value}) से ज़्यादा न रखें`,
  NAME_UNKNOWN: () => "यह नाम यहाँ नहीं होता; वर्तनी जाँचें",
  PREFIX: () => "यह नंबर का प्रीफ़िक्स नहीं है: देश कोड से शुरू 1 से 15 अंक लिखें, बिना +",
  DIGITS: ({ max, min }) => `${min} से ${max} अंक लिखें`,
  CHANNEL_UNKNOWN: ({ values }) => `यह चैनल नहीं है: ${values} या इस सर्वर का कोई और चैनल बड़े अक्षरों में लिखें`,
  CHANNEL_ABSENT: ({ values }) => `यह इस सर्वर का चैनल नहीं है; यहाँ ये चैनल हैं: ${values}`,
  CHANNEL_NAME: () => "2 से 32 बड़े अक्षर, अंक और _ लिखें, पहला अक्षर हो",
  COUNTRY: () => "फ़ोन नंबरों वाला देश दो बड़े अक्षरों में लिखें, जैसे IN",
  COUNTRIES: () => "ISO 3166 के देश कोड बड़े अक्षरों में लिखें, जैसे IN, या + और बिना देश वाला कॉलिंग कोड, जैसे +881",
  COUNTRY_MEANT: ({ given, meant }) => `${given} की जगह ${meant} लिखें: यही ISO 3166 कोड है`,
  ADDRESS_RANGE: () => "IP पता या श्रेणी लिखें, जैसे 203.0.113.0/24",
  CLOCK_TIME: () => "दिन का समय लिखें, जैसे 21:30",
  APP_HASH: () => "ऐप के हैश के 11 अक्षर लिखें",
  DOMAIN: () => "डोमेन छोटे अक्षरों में लिखें, जैसे shop.example",
  COLOUR: () => "रंग लिखें, जैसे #0f766e",
  LOGO: () => "PNG चुनें",
  LOGO_DAMAGED: () => "यह PNG ख़राब है",
  LOGO_BYTES: ({ max }) => `अधिक से अधिक ${max} बाइट का चित्र चुनें`,
  LOGO_SIDE: ({ max }) => `अधिक से अधिक ${max} पिक्सेल चौड़ा और ऊँचा चित्र चुनें`,
  LOGO_METADATA: () => "PNG को बिना मेटाडेटा के सहेजें",
  PASSKEY_RULE_ELSEWHERE: () => "इसे यहाँ चालू नहीं किया जा सकता; डैशबोर्ड में चालू करें",
  PASSKEY_RULE_ADDRESS: () => "इसके लिए पासकी चाहिए, और पासकी के लिए सार्वजनिक URL: PUBLIC_URL सेट करें",
  PASSKEY_RULE_LOCKOUT: () => "इससे हर OWNER और ADMIN बाहर रह जाएगा: पहले उनमें से कोई एक पासकी जोड़े",

  URL_ABSOLUTE: () => "पूरा URL लिखें, जैसे https://shop.example/login",
  URL_CHARACTERS: () => "स्पेस, कंट्रोल कैरेक्टर और \\ न रखें",
  URL_ENCODED_TOO_LONG: ({ max }) => `अधिक से अधिक ${max} अक्षर लिखें; ASCII से बाहर के अक्षर %XX गिने जाते हैं`,
  URL_FRAGMENT: () => "# और उसके बाद का हिस्सा हटाएँ",
  URL_HOST: () => "होस्ट में केवल अक्षर, अंक, बिंदु और डैश रखें",
  URL_HTTPS: () => "https:// से शुरू करें",
  URL_HTTPS_UNLESS_PRIVATE: () => `https:// से शुरू करें।${inDevelopment}`,
  URL_HTTPS_OR_LOCAL: () => "https लिखें; http केवल localhost के लिए है",
  URL_PARAMETERS: () => "क्वेरी में code, state या requestId न रखें",
  URL_PORT: () => "1 से 65535 तक का पोर्ट लिखें, या पोर्ट हटाएँ",
  URL_PUBLIC: () => "सार्वजनिक इंटरनेट का पता लिखें",
  URL_PUBLIC_UNLESS_PRIVATE: () => `सार्वजनिक इंटरनेट का पता लिखें।${inDevelopment}`,
  URL_SCHEME: ({ scheme }) => `${scheme}: वाला पता नहीं चलता`,
  URL_SLASH: () => "स्कीम के बाद / लिखें",
  URL_SPELLING: ({ url }) => `इसे ऐसे लिखें: ${url}`,
  URL_SUCH_AS: () => "URL लिखें, जैसे https://example.com/webhooks",
  URL_USER: () => "यूज़र नाम और पासवर्ड हटाएँ",
  HOST_NAME: () => "सही होस्ट नाम लिखें",
  HOST_UNKNOWN: () => "यह नहीं चलेगा: इस होस्ट नाम का कोई पता नहीं है",
  HOST_NOT_LOOKED_UP: () => "यह नहीं चलेगा: होस्ट नाम का पता नहीं लगाया जा सका",
  HOST_PRIVATE: () => `यह नहीं चलेगा: होस्ट नाम का पता सार्वजनिक इंटरनेट पर नहीं है।${inDevelopment}`,

  ENDPOINT_DISABLED: () => "एंडपॉइंट बंद है; पहले उसे चालू करें",
  EVENTS_NONE: () => "कम से कम एक इवेंट चुनें",
  SECRETS_FULL: ({ max, until }) => `पहले से ${max} सीक्रेट चल रहे हैं; ${until} के बाद बदलें, या पुराने सभी अभी समाप्त करें`,
  WEBHOOKS_OFF: () => "इस सेवा में वेबहुक चालू नहीं हैं",

  KEYS_FULL: ({ max }) => `इस परिवेश में पहले से ${max} कुंजियाँ हैं; पहले कोई बेकार कुंजी रद्द करें`,
  SCOPES_OF_PUBLIC_KEY: () => "सार्वजनिक कुंजी के लिए इसे ख़ाली रखें",
  SECRET_OF_PUBLIC_KEY: () => "सार्वजनिक कुंजी का सीक्रेट नहीं होता; दूसरी कुंजी बनाएँ और इसे रद्द करें",

  AMOUNT: ({ max, min }) => `${min} से ${max} तक की पूर्ण संख्या दें, मुद्रा की सबसे छोटी इकाई में`,
  AMOUNT_NOT_0: ({ max, min }) => `${min} से ${max} तक की पूर्ण संख्या दें, 0 नहीं`,
  BALANCE_TOO_HIGH: ({ balance, max }) => `इससे शेष राशि ${max} से ऊपर चली जाएगी; अभी ${balance} है`,
  BALANCE_TOO_LOW: ({ balance, creditLimit }) => `शेष राशि ${balance} और उधार सीमा ${creditLimit} के जोड़ से ज़्यादा न रखें`,

  AGENT_TAKEN: () => "यह पता टीम के किसी और सदस्य का है",
  AGENT_UNKNOWN: () => "यह पता किसी सदस्य का नहीं है; पहले आमंत्रित करें",
  AGENT_STATUS: ({ status }) => `यह पता ऐसे सदस्य का है जो पहले से ${status} है`,
  AGENT_SUSPENDED: () => "यह सदस्य निलंबित है और साइन इन नहीं कर सकता; पहले उसे सक्रिय करें",
  INVITED_BEFORE: () => "पहले साइन इन के बाद सदस्य फिर “आमंत्रित” नहीं होता; दूसरा लिंक कोई OWNER बनाए",
  LAST_OWNER: () => "यह आख़िरी OWNER है, इसलिए बदला नहीं जा सकता; पहले किसी और को OWNER बनाएँ",
  MEMBER_UNKNOWN: ({ id }) => `केवल इस खाते के सदस्य चुनें; ${id} उनमें नहीं है`,
  MEMBERS_ONCE: () => "हर सदस्य को एक ही बार चुनें",
  PASSKEYS_FULL: ({ max }) => `आपके पास पहले से ${max} पासकी हैं; पहले एक हटाएँ`,
  PASSKEY_MISMATCH: () => "पासकी का जवाब मेल नहीं खाता; फिर कोशिश करें",

  LABEL_NAME: ({ max }) => `एक पंक्ति में 1 से ${max} दिखने वाले अक्षर लिखें`,
  LABELS_FULL: ({ max }) => `एक लीड पर अधिक से अधिक ${max} लेबल होते हैं; पहले एक हटाएँ`,
  LEAD_IDS: ({ max, min }) => `${min} से ${max} लीड चुनें`,
  ACTION_ONLY: ({ action }) => `यह केवल कार्रवाई ${action} के लिए है`,
  SNOOZE_TIME: () => "एक साल के भीतर का आने वाला समय चुनें",
  DIGEST_NOT_OFFERED: () => "इसके लिए ऐसा ईमेल चैनल और सार्वजनिक पता चाहिए जो इस सर्वर पर सेट नहीं है",
  DIGEST_ROLE: () => "इसके लिए AGENT या उससे ऊपर की भूमिका चाहिए; किसी ADMIN से कहें",
  DIGEST_UNPROVEN: () => "पहले साबित करें कि यह पता आपका है: एक बार ईमेल से मिले कोड से साइन इन करें",
  PUSH_NOT_OFFERED: () => "यह सर्वर पुश सूचनाएँ नहीं भेजता",
  PUSH_ROLE: () => "इसके लिए AGENT या उससे ऊपर की भूमिका वाला सत्र चाहिए; किसी ADMIN से कहें, या अपनी पासकी से साइन इन करें",
  PUSH_KEY: () => "ब्राउज़र की पुश सदस्यता की अपनी कुंजी दें",
  PUSH_SERVER_KEY: () => "इस सूची की मौजूदा कुंजी दें: सूची फिर से खोलें और सूचनाएँ फिर चालू करें",
  LEAD_KNOWN: ({ id }) => `यह नंबर पहले से लीड ${id} है`,
  REPLY_FIRST: () => "ग्राहक के लिखने के बाद ही संदेश भेजा जा सकता है; अभी टेम्पलेट भेजें",
  REPLY_LATE: ({ at }) => `संदेश ग्राहक के आख़िरी संदेश के 24 घंटे के भीतर भेजा जा सकता है, और वे ${at} पर पूरे हुए; टेम्पलेट भेजें`,
  REPLY_OPTED_OUT: () => "ग्राहक ने संदेश बंद किए हैं: उनके अगले संदेश के 24 घंटे के भीतर जवाब दें",
  SEARCH_SHORT: ({ digits, letters }) => `कम से कम ${letters} अक्षर या ${digits} अंक लिखें`,
  SEARCH_DIGITS: ({ digits }) => `नंबर के आख़िरी ${digits} अंक या पूरा नंबर लिखें`,
  SEARCH_MIXED: ({ max }) => `अक्षरों के साथ अधिक से अधिक ${max} अंक लिखें`,
  TEMPLATE_NOT_YOURS: () => "सर्वर का WhatsApp खाता उसके ऑपरेटर का है: अपना नंबर जोड़ें और उसके खाते में टेम्पलेट बनाएँ",
  TEMPLATE_NAME: () => "टेम्पलेट की आईडी या नाम लिखें",
  TEMPLATE_OR_WHATSAPP: () => "अपने टेम्पलेट की आईडी या नाम लिखें, या उसका WhatsApp नाम और भाषा, जैसे welcome/en_US",
  VALUES: ({ count, template }) => `टेम्पलेट ${template} की हर जगह के लिए एक, कुल ${count} मान लिखें`,
  NOT_FOR_CHANNEL: ({ channel }) => `यह चैनल ${channel} के लिए नहीं है`,
  NOT_SUBMITTED: () => "केवल WhatsApp के टेम्पलेट जमा होते हैं",
  SENDER_ID: () => "6 अक्षरों की DLT सेंडर आईडी लिखें",
  WHATSAPP_ID: () => "WhatsApp की आईडी अंकों में लिखें",
  ACCESS_TOKEN: ({ max }) => `अधिक से अधिक ${max} अक्षरों का ऐक्सेस टोकन लिखें`,

  CSV: () => "CSV फ़ाइल का टेक्स्ट दें",
  START_PAST: () => "यह समय बीत चुका है; तुरंत शुरू करने के लिए ख़ाली छोड़ें",
  START_FAR: () => "एक साल के भीतर का समय चुनें",
  CAMPAIGNS_UNFINISHED: ({ max }) => `इस परिवेश में पहले से ${max} अधूरे कैंपेन हैं; एक रद्द करें, या किसी के पूरा होने तक रुकें`,
  RECIPIENTS_WAITING: ({ max, total, waiting }) =>
    `दूसरे कैंपेन के ${waiting} लोग बाक़ी हैं, और ये ${total} मिलाकर ${max} की सीमा पार होगी; कोई कैंपेन रद्द करें, या रुकें`,
  RECIPIENTS_UNWRITTEN: ({ max, total, unwritten }) =>
    `दूसरे, ज़्यादातर रद्द कैंपेन में ${unwritten} लोग बिना संदेश के हैं, और ये ${total} मिलाकर ${max} की सीमा पार होगी; पुराने मिटने तक रुकें`
}

/** The problem in Hindi; null for a code that only a newer service has. */
export const sentenceOf = ({ code, params }: FieldProblem): string | null =>
  Object.hasOwn(hindi, code) ? hindi[code](params) : null
