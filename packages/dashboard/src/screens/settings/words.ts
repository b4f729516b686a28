import { guardReasonWords, type GuardReason } from "../../words/guardReasons.ts"
import { choose } from "../../words/language.ts"
import type { ListOf } from "./spec.ts"
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
  readonly changedElsewhere: (value: string) => string
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
  readonly mainUnit: (currency: string) => string
  readonly durations: { readonly seconds: string; readonly minutes: string; readonly hours: string }
  readonly unitOf: (title: string) => string
  readonly addEntry: { readonly [of in ListOf]: string }
  readonly noEntry: { readonly [of in ListOf]: string }
  readonly removeEntry: (entry: string) => string
  readonly numberTypes: {
    readonly [type in
      | "PREMIUM_RATE"
      | "SHARED_COST"
      | "TOLL_FREE"
      | "VOIP"
      | "PERSONAL_NUMBER"
      | "PAGER"
      | "UAN"
      | "VOICEMAIL"
      | "FIXED_LINE"]: string
  }
  readonly guardReasons: { readonly [reason in GuardReason]: string }
  readonly cap: (channel: string) => string
  readonly none: { readonly [N in SettingName]?: string }
  readonly zero: { readonly [N in SettingName]?: string }
  readonly wrong: {
    readonly number: (from: string, to: string) => string
    readonly duration: (from: string, to: string) => string
    readonly amount: string
    readonly empty: string
    readonly text: string
    readonly most: (count: string) => string
    readonly line: string
    readonly price: string
    readonly prefix: string
    readonly hours: string
    readonly colour: string
  }
  readonly colour: string
  readonly logo: {
    readonly set: string
    readonly choose: string
    readonly remove: string
    readonly alt: string
    readonly notImage: string
    readonly tooLarge: string
  }
  readonly preview: {
    readonly title: string
    readonly page: string
    readonly mail: string
    readonly contrast: (ratio: string) => string
    readonly account: string
    readonly device: string
    readonly place: string
  }
  readonly effects: { readonly [N in SettingName]: string }
}

export const say = choose<Words>({
  en: {
    live: "A change takes effect for real users within 5 seconds.",
    test: "Nothing is sent in test. Live has its own settings.",
    readOnly: "Read-only. Only admins and owners can change settings.",
    find: "Search settings",
    group: "Setting groups",
    nothing: (text) => `No setting matches “${text}”.`,
    advice: (count) =>
      count === 1 ? "1 setting may not work as expected" : `${count} settings may not work as expected`,
    saved: (title, value) => `${title}: ${value}`,
    undone: (title, value) => `${title}: back to ${value}`,
    initially: (value) => `Default: ${value}`,
    range: (from, to) => `${from} to ${to}`,
    changedBy: (who, before) => `Changed by ${who}; previously ${before}`,
    by: { OPERATOR: "the operator", SYSTEM: "the service", KEY: "an API key", AGENT: "a team member" },
    allChanges: "History",
    setting: "Setting",
    before: "Before",
    after: "After",
    who: "Changed by",
    noChanges: "No changes to settings yet.",
    back: (value) => `Restore ${value}`,
    changedElsewhere: (value) => `This setting changed to ${value} while you were editing. Saving replaces it.`,
    units: { digits: "digits", seconds: "seconds", times: "", days: "days", money: "" },
    on: "On",
    off: "Off",
    noChannel: "none",
    nothingSet: "none",
    lines: (count) => (count === 1 ? "1 entry" : `${count} entries`),
    onePerLine: "One per line.",
    hours: (from, to) => `${from} to ${to}`,
    from: "From",
    to: "To",
    billing: { OFF: "Free", PREPAID: "Prepaid from the balance" },
    price: (channel) => `Price of a message over ${channel}`,
    prefixes: (channel) => `Prices by prefix over ${channel}`,
    prefixesHint: "One per line: number prefix, space, price, such as 977 0.90. The longest matching prefix applies.",
    mainUnit: (currency) => `In ${currency}, such as 0.20.`,
    durations: { seconds: "seconds", minutes: "minutes", hours: "hours" },
    unitOf: (title) => `${title}: unit`,
    addEntry: {
      countries: "Type a country, or a calling code without a country, such as +881.",
      guardReasons: "Choose a reason.",
      numberTypes: "Type or choose a type of number.",
      prefixes: "Type a prefix with its country code, then press Enter."
    },
    noEntry: {
      countries: "No country has this name. Choose one from the list.",
      guardReasons: "This is not a reason. Choose one from the list.",
      numberTypes: "This is not a type of number. Choose one from the list.",
      prefixes: "A prefix has digits only, such as 882. Separate several with commas."
    },
    removeEntry: (entry) => `Remove ${entry}`,
    numberTypes: {
      PREMIUM_RATE: "Premium rate",
      SHARED_COST: "Shared cost",
      TOLL_FREE: "Toll-free",
      VOIP: "VoIP",
      PERSONAL_NUMBER: "Personal number",
      PAGER: "Pager",
      UAN: "Company number (UAN)",
      VOICEMAIL: "Voicemail",
      FIXED_LINE: "Landline"
    },
    guardReasons: guardReasonWords.en,
    cap: (channel) => `Daily cap for ${channel}`,
    none: {
      canonicalHourlyLimit: "three times the limit above",
      hourlyLimitPerPrefix: "off",
      hourlyLimitPerCountry: "off",
      hourlyLimitPerMerchant: "off",
      fallbackChannel: "no fallback",
      domain: "no extra line",
      appHash: "no extra line",
      defaultCountry: "none: numbers need a country code",
      allowedCountries: "all countries",
      balanceLowAt: "never",
      campaignFloor: "the low balance above",
      quietHours: "no quiet hours",
      redirectUris: "none allowed",
      serverAddresses: "any address",
      blockedPrefixes: "none",
      blockedNumberTypes: "none",
      guardEnforces: "none: the guard only records",
      safeList: "none",
      guardLineTypes: "none",
      allowedOrigins: "none allowed",
      prices: "none",
      dailyCap: "no cap",
      brand: "the merchant’s name",
      brandColor: "teal",
      brandLogo: "no logo"
    },
    zero: {
      canonicalHourlyLimit: "off",
      maxConsecutiveFailures: "off",
      maxResends: "no limit",
      resendCooldownSeconds: "no wait"
    },
    wrong: {
      number: (from, to) => `Enter a whole number from ${from} to ${to}.`,
      duration: (from, to) => `Enter a duration in whole seconds from ${from} to ${to}.`,
      amount: "Enter an amount such as 500 or 499.50.",
      empty: "This setting cannot be empty.",
      text: "Invalid format. See the description of this setting.",
      most: (count) => `Enter at most ${count} lines.`,
      line: "One line has an invalid format. See the description of this setting.",
      price: "Enter amounts such as 0.20. A channel with prices by prefix also needs its own price.",
      prefix: "Enter a number prefix and a price on each line, such as 977 0.90.",
      hours: "Enter two times, such as 21:00 and 08:00, or leave both empty.",
      colour: "Enter a colour as # and six digits, such as #0f766e."
    },
    colour: "Choose a colour",
    logo: {
      set: "an image",
      choose: "Choose an image",
      remove: "Remove logo",
      alt: "The current logo",
      notImage: "This file is not a PNG, JPEG or WebP image.",
      tooLarge: "This image is too detailed for a logo. Use a simpler one."
    },
    preview: {
      title: "Preview",
      page: "Link page",
      mail: "E-mail",
      contrast: (ratio) => `Contrast of the button text: ${ratio}:1. Link pages and e-mails keep all text readable.`,
      account: "+91******3210",
      device: "Pixel 8, Android 15",
      place: "Pune, India"
    },
    effects: {
      codeLength: "Number of digits in a code. A request can override it.",
      codeExpirySeconds: "Restarts with each send. NIST allows at most 600 seconds.",
      maxAttempts: "A verification fails after this many wrong codes. A started verification keeps its limit.",
      maxLifetimeSeconds: "A verification ends after this time, regardless of resends.",
      strictReverify: "A verified verification asks for the correct code again instead of confirming immediately.",
      hourlyLimit: "Per spelling of a number or an e-mail address, in any hour.",
      canonicalHourlyLimit:
        "Per user over all spellings of the identity, in any hour. 0 is off. Empty means three times the limit per spelling.",
      hourlyLimitPerAddress: "Counts the clientIp that your backend sends with initiate. 0 is off.",
      hourlyLimitPerPrefix: "Codes and links to numbers that share all but their last four digits, in any hour.",
      hourlyLimitPerCountry: "Codes and links to the numbers of a country, in any hour.",
      hourlyLimitPerMerchant: "Codes and links to all phone numbers, in any hour.",
      maxConsecutiveFailures:
        "After this many, the user gets no new code for 24 hours, or until a correct code or an unlock. 0 is off.",
      sdkInitiatesPerIpPerHour: "Logins that apps can start with the public key from one IP address in any hour.",
      sdkMessagesPerHour:
        "Messages that apps can send to one user in any hour: first sends, resends and fallbacks. Live only.",
      attributionPerHour: "Launches and conversions that apps can record in any hour, over all IP addresses.",
      primaryChannel: "Used when a request names no channel.",
      fallbackChannel: "Sends the same code when the first channel fails or sends no receipt.",
      fallbackAfterSeconds:
        "The fallback starts if there is no delivery receipt by then. Keep it well below the code’s validity.",
      resendCooldownSeconds: "A valid code is not resent earlier.",
      maxResends: "After that, a new code is needed. 0 means no limit.",
      oneTap: "A user who verified a number on a device signs in there without a code.",
      oneTapDays: "A device that is not used for this long is no longer trusted.",
      oneTapMaxDays: "A device is trusted for at most this long after its code.",
      allowedOrigins:
        "Web origins that can use the public key, such as https://shop.example.com. * allows every origin.",
      redirectUris: "Approved links can return only to these exact addresses.",
      linkNumberMatch: "The link page asks for the number shown on the device that is signing in.",
      domain: "Ends each SMS with @domain #code, so that browsers and iOS fill in the code on this website.",
      serverAddresses:
        "Server keys work only from these IP addresses: 203.0.113.7 or 203.0.113.0/24, one per line. No key can change this.",
      appHash: "Ends each SMS with this hash of 11 characters, so that Android passes the code to your app.",
      defaultCountry: "Country for 10-digit numbers without +.",
      allowedCountries:
        "Codes and links go only to numbers of these countries. Empty allows all countries. Campaigns follow their list instead.",
      blockedPrefixes: "No messages to numbers that start with these digits, including the country code.",
      blockedNumberTypes: "No messages to numbers of these types. Premium-rate numbers are often used for fraud.",
      guardEnforces: "The guard refuses a code for these reasons. For other reasons it sends the code and records why.",
      safeList: "The guard never judges numbers that start with these digits, including the country code.",
      guardLineTypes:
        "The guard looks up each number, which your provider charges for. Such as nonFixedVoip, landline.",
      guardSimSwapHours: "The guard looks up each number. 0 is off.",
      guardRecycledDays: "The guard looks up each number. 0 is off.",
      brand: "Brand name in messages, at most 60 characters.",
      brandColor: "Colour of link pages and built-in e-mails.",
      brandLogo:
        "Shown on link pages and in built-in e-mails. PNG, JPEG or WebP; it is scaled down and saved without metadata.",
      locale: "Hindi for hi, English for all others. Your templates can add languages.",
      billing: "With prepaid billing, a message without balance or price is not sent.",
      prices: "Price per message, by channel and number prefix.",
      dailyCap: "When the day’s messages of a channel reach this cost, the channel stops sending until midnight.",
      balanceLowAt: "Below this balance, the dashboard warns you and the event balance.low is sent. Empty means never.",
      campaignFloor: "Campaigns pause before the balance falls below this amount. Empty means the low balance above.",
      timeZone: "Days start at midnight in this time zone. Use an IANA name, such as Asia/Kolkata.",
      quietHours: "Campaigns send nothing during these hours, in the recipient’s time zone.",
      answerAssigns: "When an agent answers an unassigned lead, it is assigned to them.",
      requirePasskey:
        "Owners and admins who sign in without a passkey can only read. The live setting applies to both environments."
    }
  },
  hi: {
    live: "बदलाव 5 सेकंड में असली उपयोगकर्ताओं पर लागू होता है।",
    test: "टेस्ट में कुछ भेजा नहीं जाता। लाइव की सेटिंग्स अलग हैं।",
    readOnly: "केवल पढ़ सकते हैं। सेटिंग्स केवल एडमिन और ओनर बदल सकते हैं।",
    find: "सेटिंग्स खोजें",
    group: "सेटिंग समूह",
    nothing: (text) => `“${text}” से कोई सेटिंग मेल नहीं खाती।`,
    advice: (count) => `${count} ${count === 1 ? "सेटिंग शायद" : "सेटिंग्स शायद"} अपेक्षा के अनुसार काम न करें`,
    saved: (title, value) => `${title}: ${value}`,
    undone: (title, value) => `${title}: वापस ${value}`,
    initially: (value) => `डिफ़ॉल्ट: ${value}`,
    range: (from, to) => `${from} से ${to}`,
    changedBy: (who, before) => `${who} ने बदला; पहले ${before}`,
    by: { OPERATOR: "ऑपरेटर", SYSTEM: "सेवा", KEY: "API कुंजी", AGENT: "टीम सदस्य" },
    allChanges: "इतिहास",
    setting: "सेटिंग",
    before: "पहले",
    after: "बाद में",
    who: "किसने बदला",
    noChanges: "सेटिंग्स में अभी कोई बदलाव नहीं।",
    back: (value) => `${value} बहाल करें`,
    changedElsewhere: (value) => `आपके संपादन के दौरान यह सेटिंग बदलकर ${value} हो गई। सहेजने पर आपका मान उसकी जगह लेगा।`,
    units: { digits: "अंक", seconds: "सेकंड", times: "", days: "दिन", money: "" },
    on: "चालू",
    off: "बंद",
    noChannel: "कोई नहीं",
    nothingSet: "कोई नहीं",
    lines: (count) => `${count} ${count === 1 ? "प्रविष्टि" : "प्रविष्टियाँ"}`,
    onePerLine: "प्रति पंक्ति एक।",
    hours: (from, to) => `${from} से ${to}`,
    from: "से",
    to: "तक",
    billing: { OFF: "मुफ़्त", PREPAID: "प्रीपेड, बैलेंस से" },
    price: (channel) => `${channel} पर एक संदेश की कीमत`,
    prefixes: (channel) => `${channel} पर प्रीफ़िक्स के अनुसार कीमतें`,
    prefixesHint: "प्रति पंक्ति एक: नंबर का प्रीफ़िक्स, स्पेस, कीमत, जैसे 977 0.90। सबसे लंबा मेल खाता प्रीफ़िक्स लागू होता है।",
    mainUnit: (currency) => `${currency} में, जैसे 0.20।`,
    durations: { seconds: "सेकंड", minutes: "मिनट", hours: "घंटे" },
    unitOf: (title) => `${title}: इकाई`,
    addEntry: {
      countries: "देश लिखें, या बिना देश वाला कॉलिंग कोड, जैसे +881।",
      guardReasons: "कारण चुनें।",
      numberTypes: "नंबर का प्रकार लिखें या चुनें।",
      prefixes: "देश कोड के साथ प्रीफ़िक्स लिखें, फिर Enter दबाएँ।"
    },
    noEntry: {
      countries: "इस नाम का कोई देश नहीं। सूची से चुनें।",
      guardReasons: "ऐसा कोई कारण नहीं। सूची से चुनें।",
      numberTypes: "नंबर का ऐसा कोई प्रकार नहीं। सूची से चुनें।",
      prefixes: "प्रीफ़िक्स में केवल अंक होते हैं, जैसे 882। कई हों तो अल्पविराम से अलग करें।"
    },
    removeEntry: (entry) => `${entry} हटाएँ`,
    numberTypes: {
      PREMIUM_RATE: "प्रीमियम दर",
      SHARED_COST: "साझा लागत",
      TOLL_FREE: "टोल-फ़्री",
      VOIP: "VoIP",
      PERSONAL_NUMBER: "निजी नंबर",
      PAGER: "पेजर",
      UAN: "कंपनी नंबर (UAN)",
      VOICEMAIL: "वॉइसमेल",
      FIXED_LINE: "लैंडलाइन"
    },
    guardReasons: guardReasonWords.hi,
    cap: (channel) => `${channel} की दैनिक सीमा`,
    none: {
      canonicalHourlyLimit: "ऊपर की सीमा का तीन गुना",
      hourlyLimitPerPrefix: "बंद",
      hourlyLimitPerCountry: "बंद",
      hourlyLimitPerMerchant: "बंद",
      fallbackChannel: "कोई फ़ॉलबैक नहीं",
      domain: "कोई अतिरिक्त पंक्ति नहीं",
      appHash: "कोई अतिरिक्त पंक्ति नहीं",
      defaultCountry: "कोई नहीं: नंबर में देश कोड ज़रूरी",
      allowedCountries: "सभी देश",
      balanceLowAt: "कभी नहीं",
      campaignFloor: "ऊपर का कम बैलेंस",
      quietHours: "कोई शांत समय नहीं",
      redirectUris: "किसी की अनुमति नहीं",
      serverAddresses: "कोई भी पता",
      blockedPrefixes: "कोई नहीं",
      blockedNumberTypes: "कोई नहीं",
      guardEnforces: "कोई नहीं: केवल दर्ज किया जाता है",
      safeList: "कोई नहीं",
      guardLineTypes: "कोई नहीं",
      allowedOrigins: "किसी की अनुमति नहीं",
      prices: "कोई नहीं",
      dailyCap: "कोई सीमा नहीं",
      brand: "मर्चेंट का नाम",
      brandColor: "टील",
      brandLogo: "कोई लोगो नहीं"
    },
    zero: {
      canonicalHourlyLimit: "बंद",
      maxConsecutiveFailures: "बंद",
      maxResends: "कोई सीमा नहीं",
      resendCooldownSeconds: "कोई प्रतीक्षा नहीं"
    },
    wrong: {
      number: (from, to) => `${from} से ${to} तक की पूर्ण संख्या डालें।`,
      duration: (from, to) => `${from} से ${to} तक की अवधि पूरे सेकंड में डालें।`,
      amount: "राशि डालें, जैसे 500 या 499.50।",
      empty: "यह सेटिंग ख़ाली नहीं हो सकती।",
      text: "फ़ॉर्मैट अमान्य है। इस सेटिंग का विवरण देखें।",
      most: (count) => `अधिकतम ${count} पंक्तियाँ डालें।`,
      line: "एक पंक्ति का फ़ॉर्मैट अमान्य है। इस सेटिंग का विवरण देखें।",
      price: "राशि डालें, जैसे 0.20। प्रीफ़िक्स की कीमतों वाले चैनल की अपनी कीमत भी ज़रूरी है।",
      prefix: "हर पंक्ति में नंबर का प्रीफ़िक्स और कीमत डालें, जैसे 977 0.90।",
      hours: "दो समय डालें, जैसे 21:00 और 08:00, या दोनों ख़ाली छोड़ें।",
      colour: "रंग # और छह अंकों में डालें, जैसे #0f766e।"
    },
    colour: "रंग चुनें",
    logo: {
      set: "एक छवि",
      choose: "छवि चुनें",
      remove: "लोगो हटाएँ",
      alt: "मौजूदा लोगो",
      notImage: "यह फ़ाइल PNG, JPEG या WebP छवि नहीं है।",
      tooLarge: "यह छवि लोगो के लिए बहुत जटिल है। सरल छवि चुनें।"
    },
    preview: {
      title: "पूर्वावलोकन",
      page: "लिंक पेज",
      mail: "ईमेल",
      contrast: (ratio) => `बटन के टेक्स्ट का कंट्रास्ट: ${ratio}:1। लिंक पेज और ईमेल का सारा टेक्स्ट पढ़ने योग्य रहता है।`,
      account: "+91******3210",
      device: "Pixel 8, Android 15",
      place: "पुणे, भारत"
    },
    effects: {
      codeLength: "कोड में अंकों की संख्या। अनुरोध इसे बदल सकता है।",
      codeExpirySeconds: "हर बार भेजने पर फिर से शुरू। NIST अधिकतम 600 सेकंड की अनुमति देता है।",
      maxAttempts: "इतने ग़लत कोड के बाद सत्यापन विफल होता है। शुरू हो चुका सत्यापन अपनी सीमा रखता है।",
      maxLifetimeSeconds: "इतने समय बाद सत्यापन समाप्त होता है, चाहे कोड दोबारा भेजा गया हो।",
      strictReverify: "सत्यापित होने पर भी तुरंत पुष्टि के बजाय सही कोड दोबारा माँगा जाता है।",
      hourlyLimit: "एक ही तरह से लिखे नंबर या ईमेल पते के लिए, किसी भी एक घंटे में।",
      canonicalHourlyLimit:
        "एक उपयोगकर्ता की पहचान चाहे जैसे लिखी हो, किसी भी एक घंटे में। 0 का अर्थ बंद। ख़ाली का अर्थ ऊपर की सीमा का तीन गुना।",
      hourlyLimitPerAddress: "आपका बैकएंड initiate के साथ जो clientIp भेजता है, उसे गिनता है। 0 का अर्थ बंद।",
      hourlyLimitPerPrefix: "किसी भी एक घंटे में, आख़िरी चार अंक छोड़कर एक जैसे नंबरों को कोड और लिंक।",
      hourlyLimitPerCountry: "किसी भी एक घंटे में, एक देश के नंबरों को कोड और लिंक।",
      hourlyLimitPerMerchant: "किसी भी एक घंटे में, सभी फ़ोन नंबरों को कोड और लिंक।",
      maxConsecutiveFailures: "इतने के बाद उपयोगकर्ता को 24 घंटे, या सही कोड या अनलॉक तक, नया कोड नहीं मिलता। 0 का अर्थ बंद।",
      sdkInitiatesPerIpPerHour: "किसी भी एक घंटे में एक IP पते से ऐप पब्लिक कुंजी से इतने लॉगिन शुरू कर सकते हैं।",
      sdkMessagesPerHour: "किसी भी एक घंटे में ऐप एक उपयोगकर्ता को इतने संदेश भेज सकते हैं: पहली बार, दोबारा और फ़ॉलबैक। केवल लाइव।",
      attributionPerHour: "किसी भी एक घंटे में ऐप, सभी IP पतों से, इतने लॉन्च और कन्वर्ज़न दर्ज कर सकते हैं।",
      primaryChannel: "जब अनुरोध में चैनल न हो तब इस्तेमाल होता है।",
      fallbackChannel: "पहला चैनल विफल हो या डिलीवरी रिपोर्ट न भेजे तो वही कोड इससे भेजा जाता है।",
      fallbackAfterSeconds: "तब तक डिलीवरी रिपोर्ट न मिले तो फ़ॉलबैक शुरू होता है। इसे कोड की वैधता से काफ़ी कम रखें।",
      resendCooldownSeconds: "वैध कोड इससे पहले दोबारा नहीं भेजा जाता।",
      maxResends: "उसके बाद नया कोड चाहिए। 0 का अर्थ कोई सीमा नहीं।",
      oneTap: "जिस उपयोगकर्ता ने किसी डिवाइस पर नंबर सत्यापित किया, वह वहाँ बिना कोड साइन इन करता है।",
      oneTapDays: "इतने समय इस्तेमाल न होने पर डिवाइस विश्वसनीय नहीं रहता।",
      oneTapMaxDays: "कोड के बाद डिवाइस अधिकतम इतने समय विश्वसनीय रहता है।",
      allowedOrigins: "वेब ओरिजिन जो पब्लिक कुंजी इस्तेमाल कर सकते हैं, जैसे https://shop.example.com। * सभी को अनुमति देता है।",
      redirectUris: "स्वीकृत लिंक केवल ठीक इन्हीं पतों पर लौट सकते हैं।",
      linkNumberMatch: "लिंक का पेज वह संख्या पूछता है जो साइन इन कर रहे डिवाइस पर दिखती है।",
      domain: "हर SMS के अंत में @domain #code, ताकि ब्राउज़र और iOS इस वेबसाइट पर कोड भर दें।",
      serverAddresses:
        "सर्वर कुंजियाँ केवल इन IP पतों से चलती हैं: 203.0.113.7 या 203.0.113.0/24, प्रति पंक्ति एक। कोई कुंजी इसे नहीं बदल सकती।",
      appHash: "हर SMS के अंत में 11 अक्षरों का यह हैश, ताकि Android कोड आपके ऐप को दे।",
      defaultCountry: "बिना + के 10 अंकों वाले नंबरों का देश।",
      allowedCountries: "कोड और लिंक केवल इन देशों के नंबरों पर जाते हैं। ख़ाली का अर्थ सभी देश। अभियान अपनी सूची मानते हैं।",
      blockedPrefixes: "इन अंकों से शुरू होने वाले नंबरों पर कोई संदेश नहीं जाता, देश कोड सहित।",
      blockedNumberTypes: "इन प्रकार के नंबरों पर कोई संदेश नहीं जाता। प्रीमियम दर वाले नंबर अक्सर धोखाधड़ी में इस्तेमाल होते हैं।",
      guardEnforces: "इन कारणों पर कोड नहीं भेजा जाता। बाकी कारणों पर कोड भेजा जाता है और कारण दर्ज होता है।",
      safeList: "इन अंकों से शुरू होने वाले नंबरों की जाँच नहीं होती, देश कोड सहित।",
      guardLineTypes: "हर नंबर का लुकअप होता है, जिसका शुल्क प्रदाता लेता है। जैसे nonFixedVoip, landline.",
      guardSimSwapHours: "हर नंबर का लुकअप होता है। 0 का अर्थ बंद।",
      guardRecycledDays: "हर नंबर का लुकअप होता है। 0 का अर्थ बंद।",
      brand: "संदेशों में ब्रांड का नाम, अधिकतम 60 अक्षर।",
      brandColor: "लिंक पेज और बिल्ट-इन ईमेल का रंग।",
      brandLogo: "लिंक पेज और बिल्ट-इन ईमेल में दिखता है। PNG, JPEG या WebP; छोटा करके, मेटाडेटा के बिना सहेजा जाता है।",
      locale: "hi पर हिन्दी, बाकी सब पर अंग्रेज़ी। आपके टेम्पलेट और भाषाएँ जोड़ सकते हैं।",
      billing: "प्रीपेड बिलिंग में बैलेंस या कीमत के बिना संदेश नहीं भेजा जाता।",
      prices: "प्रति संदेश कीमत, चैनल और नंबर के प्रीफ़िक्स के अनुसार।",
      dailyCap: "किसी चैनल के दिन भर के संदेशों की लागत इतनी होने पर वह आधी रात तक भेजना बंद कर देता है।",
      balanceLowAt: "बैलेंस इससे कम होने पर डैशबोर्ड चेतावनी देता है और इवेंट balance.low भेजा जाता है। ख़ाली का अर्थ कभी नहीं।",
      campaignFloor: "बैलेंस इस राशि से नीचे जाने से पहले अभियान रुक जाते हैं। ख़ाली का अर्थ ऊपर का कम बैलेंस।",
      timeZone: "दिन इस समय क्षेत्र की आधी रात से शुरू होते हैं। IANA नाम लिखें, जैसे Asia/Kolkata।",
      quietHours: "इन घंटों में अभियान कुछ नहीं भेजते, प्राप्तकर्ता के समय क्षेत्र के अनुसार।",
      answerAssigns: "जब कोई एजेंट बिना असाइन की लीड का जवाब देता है, तो वह लीड उसे असाइन हो जाती है।",
      requirePasskey: "बिना पासकी साइन इन करने वाले ओनर और एडमिन केवल पढ़ सकते हैं। लाइव सेटिंग दोनों परिवेशों पर लागू होती है।"
    }
  }
})
