import { choose } from "../../words/language.ts"
import type { SettingName } from "../../words/settingsIndex.ts"

interface Words {
  readonly live: string
  readonly test: string
  readonly readOnly: string
  readonly find: string
  readonly group: string
  readonly nothing: (text: string) => string
  readonly advice: (count: number) => string
  readonly saved: (title: string, value: string) => string
  readonly undone: (title: string, value: string) => string
  readonly initially: (value: string) => string
  readonly range: (from: string, to: string) => string
  readonly changedBy: (who: string, before: string) => string
  readonly by: { readonly OPERATOR: string; readonly SYSTEM: string; readonly KEY: string; readonly AGENT: string }
  readonly allChanges: string
  readonly setting: string
  readonly before: string
  readonly after: string
  readonly who: string
  readonly noChanges: string
  readonly back: (value: string) => string
  readonly meanwhile: (value: string) => string
  readonly units: { readonly [unit: string]: string }
  readonly on: string
  readonly off: string
  readonly noChannel: string
  readonly nothingSet: string
  readonly lines: (count: number) => string
  readonly onePerLine: string
  readonly hours: (from: string, to: string) => string
  readonly from: string
  readonly to: string
  readonly billing: { readonly OFF: string; readonly PREPAID: string }
  readonly price: (channel: string) => string
  readonly prefixes: (channel: string) => string
  readonly prefixesHint: string
  readonly smallest: (currency: string) => string
  readonly cap: (channel: string) => string
  readonly is: (value: string) => string
  readonly none: { readonly [N in SettingName]?: string }
  readonly zero: { readonly [N in SettingName]?: string }
  readonly wrong: {
    readonly number: (from: string, to: string) => string
    readonly empty: string
    readonly text: string
    readonly most: (count: string) => string
    readonly line: string
    readonly price: string
    readonly prefix: string
    readonly hours: string
  }
  readonly effects: { readonly [N in SettingName]: string }
}

export const say = choose<Words>({
  en: {
    live: "These are the live settings. A change holds for real people within 5 seconds.",
    test: "These are the settings of test, where nothing is sent. Live has its own.",
    readOnly: "You may read them. Only admins and owners change settings.",
    find: "Find a setting",
    group: "Groups of settings",
    nothing: (text) => `No setting has “${text}” in its name or its effect.`,
    advice: (count) =>
      count === 1 ? "One setting does not do what it looks like" : `${count} settings do not do what they look like`,
    saved: (title, value) => `${title}: ${value}`,
    undone: (title, value) => `${title} is ${value} again`,
    initially: (value) => `Default: ${value}`,
    range: (from, to) => `${from} to ${to}`,
    changedBy: (who, before) => `${who} changed it; before: ${before}`,
    by: { OPERATOR: "The operator", SYSTEM: "The service", KEY: "A key", AGENT: "Somebody" },
    allChanges: "All changes",
    setting: "Setting",
    before: "Before",
    after: "After",
    who: "Who",
    noChanges: "Nobody has changed a setting here.",
    back: (value) => `Back to ${value}`,
    meanwhile: (value) => `It was changed while you were typing, and is ${value} now. Saving puts yours in its place.`,
    units: { digits: "digits", seconds: "seconds", times: "", days: "days", money: "" },
    on: "On",
    off: "Off",
    noChannel: "none",
    nothingSet: "none",
    lines: (count) => (count === 1 ? "1 entry" : `${count} entries`),
    onePerLine: "One a line.",
    hours: (from, to) => `${from} to ${to}`,
    from: "From",
    to: "To",
    billing: { OFF: "Nothing is taken", PREPAID: "Paid from the balance" },
    price: (channel) => `A message by ${channel}`,
    prefixes: (channel) => `Other prices by ${channel}`,
    prefixesHint: "How the number begins, a space, the price; one a line: 977 90. The longest beginning wins.",
    smallest: (currency) => `In the smallest unit of ${currency}.`,
    cap: (channel) => `A day's messages by ${channel}`,
    is: (value) => `= ${value}`,
    none: {
      canonicalHourlyLimit: "three times the limit above",
      fallbackChannel: "no fallback",
      domain: "no line at the end",
      appHash: "no line at the end",
      defaultCountry: "no country: every number carries its code",
      allowedCountries: "every country",
      balanceLowAt: "never said",
      campaignFloor: "the low balance above",
      quietHours: "at any time",
      redirectUris: "nowhere",
      serverAddresses: "anywhere",
      blockedPrefixes: "none",
      allowedOrigins: "no page at all",
      prices: "none",
      dailyCap: "any amount",
      brand: "your merchant's name"
    },
    zero: {
      canonicalHourlyLimit: "off",
      maxConsecutiveFailures: "off",
      maxResends: "no limit",
      resendCooldownSeconds: "no pause"
    },
    wrong: {
      number: (from, to) => `A whole number from ${from} to ${to}.`,
      empty: "It cannot be empty.",
      text: "That does not have the form it needs.",
      most: (count) => `At most ${count} lines.`,
      line: "A line does not have the form it needs.",
      price: "Prices are whole numbers in the smallest unit, and a channel with other prices needs one for the rest.",
      prefix: "Each line is how a number begins and its price, such as 977 90.",
      hours: "Two times of day, such as 21:00 and 08:00, or neither."
    },
    effects: {
      codeLength: "Digits of a code, unless a request asks for another length.",
      codeExpirySeconds: "Counts anew after each send. NIST allows at most 600 seconds.",
      maxAttempts: "So many wrong codes end a verification. One that has begun keeps the number it began with.",
      maxLifetimeSeconds: "A verification ends then, however often its code is sent again.",
      strictReverify: "A verified verification asks for the right code once more, instead of saying yes.",
      hourlyLimit: "For one spelling of a number or an address, in any hour.",
      canonicalHourlyLimit:
        "Over all spellings of one person's address, in any hour. 0 is off; empty is three times the limit for one spelling.",
      hourlyLimitPerAddress: "Counts the clientIp that your backend sends with initiate. 0 is off.",
      maxConsecutiveFailures:
        "From then on the person gets no new code, until a right one, 24 hours, or an unlock. 0 is off.",
      sdkInitiatesPerIpPerHour: "What apps may start from one network address, with the public key.",
      sdkMessagesPerHour:
        "Messages that apps can send to one person in any hour: first sends, resends and fallbacks. Live only.",
      attributionPerHour: "Launches and conversions that apps can record in any hour, over all addresses.",
      primaryChannel: "Where a code goes when the request names no channel.",
      fallbackChannel: "Where the same code goes when the first channel fails or stays silent.",
      fallbackAfterSeconds:
        "If nothing has arrived by then, the fallback starts. Keep it well below the code's validity.",
      resendCooldownSeconds: "A live code is not sent again sooner.",
      maxResends: "After that a new code is needed. 0 is no limit.",
      oneTap: "Who proved a number on a device is let in there without a code.",
      oneTapDays: "A device's trust ends when it was not used for so long.",
      oneTapMaxDays: "And so long after the code that made it, at the latest.",
      allowedOrigins: "Pages that may use the public key, such as https://shop.example.com; * is every page.",
      redirectUris: "Approved links return to these addresses, to the letter, and to none else.",
      linkNumberMatch: "The page of a link asks for the number that the waiting side shows.",
      domain: "Ends each SMS with @domain #code, so that browsers and iOS fill the code in on this site.",
      serverAddresses:
        "Server keys work from these addresses alone: 203.0.113.7 or 203.0.113.0/24, one a line. No key changes this.",
      appHash: "Ends each SMS, so that Android hands the code to the app with this hash: 11 characters.",
      defaultCountry: "Ten digits without + are a number of this country: two capital letters, such as IN.",
      allowedCountries:
        "Two capital letters each, or +881 for a calling code of no country. Empty is every country. Your backend may send anywhere.",
      blockedPrefixes: "Beginnings of numbers that apps may send nothing to, in digits from the country code on.",
      brand: "Whom messages speak of: at most 60 characters.",
      locale: "Hindi for hi, English for all others; your templates may have more.",
      billing: "Paid from the balance, a message without money or price is not sent.",
      prices: "What one message costs you, by channel, and by how the number begins.",
      dailyCap: "Once a day's messages by a channel cost so much, it sends no more until midnight.",
      balanceLowAt: "Below this the balance is called low, and the event balance.low tells of it. Empty: never.",
      campaignFloor: "Campaigns pause before the balance falls below this. Empty: the low balance above.",
      timeZone: "Whose midnight begins a day: a name of the IANA database, such as Asia/Kolkata.",
      quietHours: "When campaigns do not write, by the recipient's own clock.",
      requirePasskey:
        "Owners and admins who signed in without a passkey read, and do no more. The live setting is the rule for both environments."
    }
  },
  hi: {
    live: "ये लाइव सेटिंग हैं। बदलाव 5 सेकंड में असली लोगों पर लागू होता है।",
    test: "ये टेस्ट की सेटिंग हैं, जहाँ कुछ भेजा नहीं जाता। लाइव की अपनी हैं।",
    readOnly: "आप इन्हें पढ़ सकते हैं। सेटिंग केवल एडमिन और स्वामी बदलते हैं।",
    find: "सेटिंग खोजें",
    group: "सेटिंग के समूह",
    nothing: (text) => `किसी सेटिंग के नाम या असर में “${text}” नहीं है।`,
    advice: (count) => `${count} सेटिंग वह नहीं करती जो दिखती है`,
    saved: (title, value) => `${title}: ${value}`,
    undone: (title, value) => `${title} फिर ${value} है`,
    initially: (value) => `डिफ़ॉल्ट: ${value}`,
    range: (from, to) => `${from} से ${to}`,
    changedBy: (who, before) => `${who} ने बदला; पहले: ${before}`,
    by: { OPERATOR: "संचालक", SYSTEM: "सेवा", KEY: "एक कुंजी", AGENT: "किसी" },
    allChanges: "सभी बदलाव",
    setting: "सेटिंग",
    before: "पहले",
    after: "बाद में",
    who: "किसने",
    noChanges: "यहाँ किसी ने सेटिंग नहीं बदली।",
    back: (value) => `वापस ${value} करें`,
    meanwhile: (value) => `आपके लिखते समय यह बदल गई, अब ${value} है। सहेजने पर आपकी उसकी जगह लेगी।`,
    units: { digits: "अंक", seconds: "सेकंड", times: "", days: "दिन", money: "" },
    on: "चालू",
    off: "बंद",
    noChannel: "कोई नहीं",
    nothingSet: "कोई नहीं",
    lines: (count) => `${count} प्रविष्टियाँ`,
    onePerLine: "हर पंक्ति में एक।",
    hours: (from, to) => `${from} से ${to}`,
    from: "से",
    to: "तक",
    billing: { OFF: "कुछ नहीं लिया जाता", PREPAID: "बैलेंस से भुगतान" },
    price: (channel) => `${channel} से एक संदेश`,
    prefixes: (channel) => `${channel} के दूसरे दाम`,
    prefixesHint: "नंबर की शुरुआत, एक स्पेस, दाम; हर पंक्ति में एक: 977 90। सबसे लंबी शुरुआत चलती है।",
    smallest: (currency) => `${currency} की सबसे छोटी इकाई में।`,
    cap: (channel) => `${channel} से एक दिन के संदेश`,
    is: (value) => `= ${value}`,
    none: {
      canonicalHourlyLimit: "ऊपर की सीमा का तीन गुना",
      fallbackChannel: "कोई फ़ॉलबैक नहीं",
      domain: "अंत में कोई पंक्ति नहीं",
      appHash: "अंत में कोई पंक्ति नहीं",
      defaultCountry: "कोई देश नहीं: हर नंबर में देश कोड हो",
      allowedCountries: "हर देश",
      balanceLowAt: "कभी नहीं बताया जाता",
      campaignFloor: "ऊपर का कम बैलेंस",
      quietHours: "किसी भी समय",
      redirectUris: "कहीं नहीं",
      serverAddresses: "कहीं से भी",
      blockedPrefixes: "कोई नहीं",
      allowedOrigins: "कोई पृष्ठ नहीं",
      prices: "कोई नहीं",
      dailyCap: "कितना भी",
      brand: "आपके व्यापारी का नाम"
    },
    zero: {
      canonicalHourlyLimit: "बंद",
      maxConsecutiveFailures: "बंद",
      maxResends: "कोई सीमा नहीं",
      resendCooldownSeconds: "कोई रुकावट नहीं"
    },
    wrong: {
      number: (from, to) => `${from} से ${to} तक की पूर्ण संख्या।`,
      empty: "यह ख़ाली नहीं हो सकता।",
      text: "इसका रूप सही नहीं है।",
      most: (count) => `अधिकतम ${count} पंक्तियाँ।`,
      line: "किसी पंक्ति का रूप सही नहीं है।",
      price: "दाम सबसे छोटी इकाई में पूर्ण संख्या हैं, और दूसरे दाम वाले चैनल को बाकी के लिए एक दाम चाहिए।",
      prefix: "हर पंक्ति में नंबर की शुरुआत और दाम, जैसे 977 90।",
      hours: "दो समय, जैसे 21:00 और 08:00, या कोई नहीं।"
    },
    effects: {
      codeLength: "कोड के अंक, जब तक अनुरोध दूसरी लंबाई न माँगे।",
      codeExpirySeconds: "हर बार भेजने पर नए सिरे से। NIST अधिकतम 600 सेकंड कहता है।",
      maxAttempts: "इतने ग़लत कोड पर सत्यापन समाप्त। जो शुरू हो चुका है वह अपनी संख्या रखता है।",
      maxLifetimeSeconds: "तब सत्यापन समाप्त होता है, कोड चाहे कितनी बार भेजा जाए।",
      strictReverify: "सत्यापित होने पर भी हाँ कहने के बजाय सही कोड फिर माँगा जाता है।",
      hourlyLimit: "एक नंबर या पते की एक वर्तनी के लिए, किसी भी घंटे में।",
      canonicalHourlyLimit:
        "एक व्यक्ति के पते की सभी वर्तनियों पर, किसी भी घंटे में। 0 बंद है; ख़ाली का अर्थ एक वर्तनी की सीमा का तीन गुना।",
      hourlyLimitPerAddress: "आपका बैकएंड initiate के साथ जो clientIp भेजता है, उसकी गिनती। 0 बंद है।",
      maxConsecutiveFailures: "उसके बाद व्यक्ति को नया कोड नहीं मिलता, जब तक सही कोड, 24 घंटे या अनलॉक न हो। 0 बंद है।",
      sdkInitiatesPerIpPerHour: "पब्लिक कुंजी से ऐप एक नेटवर्क पते से इतना शुरू कर सकते हैं।",
      sdkMessagesPerHour: "ऐप किसी भी घंटे में एक व्यक्ति को इतने संदेश भेज सकते हैं: पहला, दोबारा और फ़ॉलबैक। केवल लाइव में।",
      attributionPerHour: "ऐप किसी भी घंटे में, सभी पतों से, इतने लॉन्च और कन्वर्ज़न दर्ज कर सकते हैं।",
      primaryChannel: "जब अनुरोध में चैनल न हो, कोड यहाँ जाता है।",
      fallbackChannel: "पहला चैनल विफल या चुप रहे तो वही कोड यहाँ जाता है।",
      fallbackAfterSeconds: "तब तक कुछ न पहुँचे तो फ़ॉलबैक शुरू। इसे कोड की मान्यता से काफ़ी कम रखें।",
      resendCooldownSeconds: "चालू कोड इससे पहले दोबारा नहीं भेजा जाता।",
      maxResends: "उसके बाद नया कोड चाहिए। 0 का अर्थ कोई सीमा नहीं।",
      oneTap: "जिसने किसी डिवाइस पर नंबर साबित किया, उसे वहाँ बिना कोड आने दिया जाता है।",
      oneTapDays: "इतने दिन उपयोग न हो तो डिवाइस का भरोसा समाप्त।",
      oneTapMaxDays: "और भरोसा बनाने वाले कोड के इतने दिन बाद, हर हाल में।",
      allowedOrigins: "जो पृष्ठ पब्लिक कुंजी उपयोग कर सकते हैं, जैसे https://shop.example.com; * का अर्थ हर पृष्ठ।",
      redirectUris: "स्वीकृत लिंक ठीक इन्हीं पतों पर लौटते हैं, और कहीं नहीं।",
      linkNumberMatch: "लिंक का पृष्ठ वह संख्या पूछता है जो प्रतीक्षा वाली ओर दिखती है।",
      domain: "हर SMS का अंत @domain #code से, ताकि ब्राउज़र और iOS इस साइट पर कोड भर दें।",
      serverAddresses:
        "सर्वर कुंजियाँ केवल इन पतों से चलती हैं: 203.0.113.7 या 203.0.113.0/24, हर पंक्ति में एक। कोई कुंजी इसे नहीं बदलती।",
      appHash: "हर SMS का अंत, ताकि Android कोड इस हैश वाले ऐप को दे: 11 अक्षर।",
      defaultCountry: "बिना + के दस अंक इस देश के नंबर हैं: दो बड़े अक्षर, जैसे IN।",
      allowedCountries:
        "हर एक दो बड़े अक्षर, या किसी देश के बिना कॉलिंग कोड के लिए +881; ख़ाली का अर्थ हर देश। आपका बैकएंड कहीं भी भेज सकता है।",
      blockedPrefixes: "नंबरों की शुरुआत जहाँ ऐप कुछ नहीं भेज सकते, देश कोड से आगे के अंक।",
      brand: "संदेश किसकी ओर से हैं: अधिकतम 60 अक्षर।",
      locale: "hi पर हिन्दी, बाकी पर अंग्रेज़ी; आपके टेम्पलेट में और हो सकती हैं।",
      billing: "बैलेंस से भुगतान हो तो बिना पैसे या दाम के संदेश नहीं जाता।",
      prices: "एक संदेश का दाम, चैनल और नंबर की शुरुआत के अनुसार।",
      dailyCap: "किसी चैनल के दिन भर के संदेश इतने के हो जाएँ तो आधी रात तक और नहीं जाते।",
      balanceLowAt: "इससे नीचे बैलेंस कम कहलाता है, और balance.low घटना बताती है। ख़ाली: कभी नहीं।",
      campaignFloor: "बैलेंस इससे नीचे जाने से पहले अभियान रुक जाते हैं। ख़ाली: ऊपर का कम बैलेंस।",
      timeZone: "किसकी आधी रात से दिन शुरू होता है: IANA का नाम, जैसे Asia/Kolkata।",
      quietHours: "जब अभियान नहीं लिखते, पाने वाले की अपनी घड़ी से।",
      requirePasskey: "बिना पासकी साइन इन किए स्वामी और एडमिन केवल पढ़ सकते हैं। लाइव की सेटिंग दोनों परिवेशों का नियम है।"
    }
  }
})
