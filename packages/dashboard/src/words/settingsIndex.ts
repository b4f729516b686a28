import { choose } from "./language.ts"

/** Settings by what people think of, in the order of the screen. The palette reads this as well. */
export const settingGroups = {
  codes: ["codeLength", "codeExpirySeconds", "maxAttempts", "maxLifetimeSeconds", "strictReverify"],
  limits: [
    "hourlyLimit",
    "canonicalHourlyLimit",
    "hourlyLimitPerAddress",
    "maxConsecutiveFailures",
    "sdkInitiatesPerIpPerHour",
    "sdkMessagesPerHour",
    "attributionPerHour"
  ],
  resend: ["primaryChannel", "fallbackChannel", "fallbackAfterSeconds", "resendCooldownSeconds", "maxResends"],
  oneTap: ["oneTap", "oneTapDays", "oneTapMaxDays"],
  apps: ["allowedOrigins", "redirectUris", "serverAddresses", "linkNumberMatch", "domain", "appHash"],
  countries: ["defaultCountry", "allowedCountries", "blockedPrefixes"],
  brand: ["brand", "locale"],
  money: ["billing", "prices", "dailyCap", "balanceLowAt", "campaignFloor", "timeZone"],
  campaigns: ["quietHours"],
  people: ["requirePasskey"]
} as const

export type SettingGroup = keyof typeof settingGroups
export type SettingName = (typeof settingGroups)[SettingGroup][number]

/** What each is called, and each group of them. */
export const settingWords = choose<{
  readonly groups: { readonly [G in SettingGroup]: string }
  readonly names: { readonly [N in SettingName]: string }
}>({
  en: {
    groups: {
      codes: "Codes",
      limits: "Limits",
      resend: "Channels, resend and fallback",
      oneTap: "OneTap",
      apps: "Apps, origins and links",
      countries: "Countries",
      brand: "Brand and language",
      money: "Money",
      campaigns: "Campaigns and quiet hours",
      people: "People"
    },
    names: {
      codeLength: "Length of a code",
      codeExpirySeconds: "How long a code is valid",
      maxAttempts: "Wrong codes allowed",
      maxLifetimeSeconds: "End of a verification",
      strictReverify: "Ask for the code again when verified",
      hourlyLimit: "New codes an hour",
      canonicalHourlyLimit: "New codes an hour for one person",
      hourlyLimitPerAddress: "Sends an hour from one address",
      maxConsecutiveFailures: "Wrong codes in a row",
      sdkInitiatesPerIpPerHour: "Starts an hour from one address",
      sdkMessagesPerHour: "App messages an hour to one person",
      attributionPerHour: "Attribution records an hour",
      primaryChannel: "First channel",
      fallbackChannel: "Fallback channel",
      fallbackAfterSeconds: "How long the first channel has",
      resendCooldownSeconds: "Pause before a resend",
      maxResends: "Resends of one code",
      oneTap: "Trusted devices skip the code",
      oneTapDays: "Trust without use",
      oneTapMaxDays: "Trust at the longest",
      allowedOrigins: "Origins of your pages",
      redirectUris: "Where links may return to",
      linkNumberMatch: "Number on links",
      domain: "Your site, for autofill",
      appHash: "Android app hash",
      serverAddresses: "Addresses of your servers",
      defaultCountry: "Country of short numbers",
      allowedCountries: "Countries that apps may send to",
      blockedPrefixes: "Blocked numbers",
      brand: "Brand",
      locale: "Language of messages",
      billing: "Whether messages are paid",
      prices: "Prices",
      dailyCap: "Most for a day",
      balanceLowAt: "Low balance",
      campaignFloor: "Balance kept for codes",
      timeZone: "Time zone",
      quietHours: "Quiet hours",
      requirePasskey: "Passkey for owners and admins"
    }
  },
  hi: {
    groups: {
      codes: "कोड",
      limits: "सीमाएँ",
      resend: "चैनल, दोबारा भेजना और फ़ॉलबैक",
      oneTap: "OneTap",
      apps: "ऐप, ओरिजिन और लिंक",
      countries: "देश",
      brand: "ब्रांड और भाषा",
      money: "पैसा",
      campaigns: "अभियान और शांत समय",
      people: "लोग"
    },
    names: {
      codeLength: "कोड की लंबाई",
      codeExpirySeconds: "कोड कितनी देर मान्य है",
      maxAttempts: "कितने ग़लत कोड चलेंगे",
      maxLifetimeSeconds: "सत्यापन का अंत",
      strictReverify: "सत्यापित होने पर भी कोड माँगें",
      hourlyLimit: "प्रति घंटा नए कोड",
      canonicalHourlyLimit: "एक व्यक्ति को प्रति घंटा नए कोड",
      hourlyLimitPerAddress: "एक पते से प्रति घंटा भेजे गए कोड",
      maxConsecutiveFailures: "लगातार ग़लत कोड",
      sdkInitiatesPerIpPerHour: "एक पते से प्रति घंटा शुरुआत",
      sdkMessagesPerHour: "एक व्यक्ति को प्रति घंटा ऐप संदेश",
      attributionPerHour: "प्रति घंटा एट्रिब्यूशन रिकॉर्ड",
      primaryChannel: "पहला चैनल",
      fallbackChannel: "फ़ॉलबैक चैनल",
      fallbackAfterSeconds: "पहले चैनल को कितना समय",
      resendCooldownSeconds: "दोबारा भेजने से पहले रुकें",
      maxResends: "एक कोड कितनी बार दोबारा",
      oneTap: "भरोसेमंद डिवाइस से कोड न माँगें",
      oneTapDays: "बिना उपयोग भरोसा",
      oneTapMaxDays: "भरोसा अधिकतम",
      allowedOrigins: "आपके पृष्ठों के ओरिजिन",
      redirectUris: "लिंक कहाँ लौट सकते हैं",
      linkNumberMatch: "लिंक पर संख्या",
      domain: "आपकी साइट, ऑटोफ़िल के लिए",
      appHash: "Android ऐप हैश",
      serverAddresses: "आपके सर्वरों के पते",
      defaultCountry: "छोटे नंबरों का देश",
      allowedCountries: "ऐप किन देशों में भेज सकते हैं",
      blockedPrefixes: "रोके गए नंबर",
      brand: "ब्रांड",
      locale: "संदेशों की भाषा",
      billing: "संदेशों का भुगतान",
      prices: "दाम",
      dailyCap: "एक दिन का अधिकतम",
      balanceLowAt: "कम बैलेंस",
      campaignFloor: "कोड के लिए आरक्षित बैलेंस",
      timeZone: "समय क्षेत्र",
      quietHours: "शांत समय",
      requirePasskey: "स्वामी और एडमिन के लिए पासकी"
    }
  }
})

/** Every setting by its name, its group and its words: for whoever looks for one. */
export const settingsIndex: ReadonlyArray<{
  readonly name: SettingName
  readonly group: SettingGroup
  readonly words: string
}> = (Object.keys(settingGroups) as ReadonlyArray<SettingGroup>).flatMap((group) =>
  settingGroups[group].map((name) => ({ name, group, words: settingWords.names[name] }))
)
