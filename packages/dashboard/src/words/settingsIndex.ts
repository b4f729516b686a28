import { choose } from "./language.ts"

/** Settings by group, in the order of the screen. The search uses them as well. */
export const settingGroups = {
  codes: ["codeLength", "codeExpirySeconds", "maxAttempts", "maxLifetimeSeconds", "strictReverify"],
  limits: [
    "hourlyLimit",
    "canonicalHourlyLimit",
    "hourlyLimitPerAddress",
    "hourlyLimitPerPrefix",
    "hourlyLimitPerCountry",
    "hourlyLimitPerMerchant",
    "maxConsecutiveFailures",
    "sdkInitiatesPerIpPerHour",
    "sdkMessagesPerHour",
    "attributionPerHour"
  ],
  resend: ["primaryChannel", "fallbackChannel", "fallbackAfterSeconds", "resendCooldownSeconds", "maxResends"],
  oneTap: ["oneTap", "oneTapDays", "oneTapMaxDays"],
  apps: ["allowedOrigins", "redirectUris", "serverAddresses", "linkNumberMatch", "domain", "appHash"],
  countries: ["defaultCountry", "allowedCountries", "blockedPrefixes", "blockedNumberTypes"],
  protection: ["guardEnforces", "safeList", "guardLineTypes", "guardSimSwapHours", "guardRecycledDays"],
  brand: ["brand", "brandColor", "brandLogo", "locale"],
  money: ["billing", "prices", "dailyCap", "balanceLowAt", "campaignFloor", "timeZone"],
  campaigns: ["quietHours"],
  inbox: ["answerAssigns"],
  team: ["requirePasskey"]
} as const

export type SettingGroup = keyof typeof settingGroups
export type SettingName = (typeof settingGroups)[SettingGroup][number]

/** Titles of settings and groups. */
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
      protection: "Protection",
      brand: "Brand and language",
      money: "Billing",
      campaigns: "Campaigns and quiet hours",
      inbox: "Inbox",
      team: "Team security"
    },
    names: {
      codeLength: "Code length",
      codeExpirySeconds: "Code validity",
      maxAttempts: "Wrong codes allowed",
      maxLifetimeSeconds: "Maximum verification time",
      strictReverify: "Require the code again after verification",
      hourlyLimit: "New codes per hour",
      canonicalHourlyLimit: "New codes per hour for one user",
      hourlyLimitPerAddress: "Sends per hour from one IP address",
      hourlyLimitPerPrefix: "Sends per hour to a prefix",
      hourlyLimitPerCountry: "Sends per hour to a country",
      hourlyLimitPerMerchant: "Sends per hour in total",
      maxConsecutiveFailures: "Wrong codes in a row before lockout",
      sdkInitiatesPerIpPerHour: "App logins per hour from one IP address",
      sdkMessagesPerHour: "App messages per hour to one user",
      attributionPerHour: "Attribution records per hour",
      primaryChannel: "First channel",
      fallbackChannel: "Fallback channel",
      fallbackAfterSeconds: "Fallback delay",
      resendCooldownSeconds: "Resend cooldown",
      maxResends: "Maximum resends of a code",
      oneTap: "Trusted devices skip the code",
      oneTapDays: "Trust without use",
      oneTapMaxDays: "Maximum trust",
      allowedOrigins: "Allowed origins",
      redirectUris: "Link redirect URLs",
      linkNumberMatch: "Number matching on links",
      domain: "Website for autofill",
      appHash: "Android app hash",
      serverAddresses: "Allowed server IP addresses",
      defaultCountry: "Default country",
      allowedCountries: "Allowed countries",
      blockedPrefixes: "Blocked number prefixes",
      blockedNumberTypes: "Blocked types of numbers",
      guardEnforces: "Reasons that refuse a code",
      safeList: "Numbers that are always trusted",
      guardLineTypes: "Suspicious types of lines",
      guardSimSwapHours: "SIM swap, hours",
      guardRecycledDays: "New owner, days",
      brand: "Brand name",
      brandColor: "Brand colour",
      brandLogo: "Logo",
      locale: "Message language",
      billing: "Billing mode",
      prices: "Prices",
      dailyCap: "Daily spending cap",
      balanceLowAt: "Low-balance threshold",
      campaignFloor: "Balance reserved for codes",
      timeZone: "Time zone",
      quietHours: "Quiet hours",
      answerAssigns: "Assign a lead to who answers it",
      requirePasskey: "Require a passkey for owners and admins"
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
      protection: "सुरक्षा",
      brand: "ब्रांड और भाषा",
      money: "बिलिंग",
      campaigns: "अभियान और शांत समय",
      inbox: "इनबॉक्स",
      team: "टीम सुरक्षा"
    },
    names: {
      codeLength: "कोड की लंबाई",
      codeExpirySeconds: "कोड की वैधता",
      maxAttempts: "अनुमत ग़लत कोड",
      maxLifetimeSeconds: "सत्यापन का अधिकतम समय",
      strictReverify: "सत्यापन के बाद भी कोड माँगें",
      hourlyLimit: "प्रति घंटा नए कोड",
      canonicalHourlyLimit: "एक उपयोगकर्ता को प्रति घंटा नए कोड",
      hourlyLimitPerAddress: "एक IP पते से प्रति घंटा संदेश",
      hourlyLimitPerPrefix: "प्रीफ़िक्स को प्रति घंटा संदेश",
      hourlyLimitPerCountry: "देश को प्रति घंटा संदेश",
      hourlyLimitPerMerchant: "कुल प्रति घंटा संदेश",
      maxConsecutiveFailures: "लॉक से पहले लगातार ग़लत कोड",
      sdkInitiatesPerIpPerHour: "एक IP पते से प्रति घंटा ऐप लॉगिन",
      sdkMessagesPerHour: "एक उपयोगकर्ता को प्रति घंटा ऐप संदेश",
      attributionPerHour: "प्रति घंटा एट्रिब्यूशन रिकॉर्ड",
      primaryChannel: "पहला चैनल",
      fallbackChannel: "फ़ॉलबैक चैनल",
      fallbackAfterSeconds: "फ़ॉलबैक से पहले प्रतीक्षा",
      resendCooldownSeconds: "दोबारा भेजने से पहले प्रतीक्षा",
      maxResends: "एक कोड अधिकतम कितनी बार दोबारा",
      oneTap: "विश्वसनीय डिवाइस पर कोड न माँगें",
      oneTapDays: "बिना उपयोग भरोसे की अवधि",
      oneTapMaxDays: "भरोसे की अधिकतम अवधि",
      allowedOrigins: "अनुमत ओरिजिन",
      redirectUris: "लिंक रीडायरेक्ट URL",
      linkNumberMatch: "लिंक पर संख्या मिलान",
      domain: "ऑटोफ़िल के लिए वेबसाइट",
      appHash: "Android ऐप हैश",
      serverAddresses: "सर्वर के अनुमत IP पते",
      defaultCountry: "डिफ़ॉल्ट देश",
      allowedCountries: "अनुमत देश",
      blockedPrefixes: "ब्लॉक किए गए नंबर प्रीफ़िक्स",
      blockedNumberTypes: "ब्लॉक किए गए नंबर के प्रकार",
      guardEnforces: "कारण जिन पर कोड नहीं भेजा जाता",
      safeList: "हमेशा भरोसेमंद नंबर",
      guardLineTypes: "संदिग्ध लाइन के प्रकार",
      guardSimSwapHours: "सिम स्वैप, घंटे",
      guardRecycledDays: "नया मालिक, दिन",
      brand: "ब्रांड का नाम",
      brandColor: "ब्रांड का रंग",
      brandLogo: "लोगो",
      locale: "संदेशों की भाषा",
      billing: "बिलिंग मोड",
      prices: "कीमतें",
      dailyCap: "दैनिक ख़र्च सीमा",
      balanceLowAt: "कम बैलेंस की सीमा",
      campaignFloor: "कोड के लिए आरक्षित बैलेंस",
      timeZone: "समय क्षेत्र",
      quietHours: "शांत समय",
      answerAssigns: "जवाब देने वाले को लीड असाइन करें",
      requirePasskey: "ओनर और एडमिन के लिए पासकी अनिवार्य"
    }
  }
})

/** All settings with name, group and title, for searching. */
export const settingsIndex: ReadonlyArray<{
  readonly name: SettingName
  readonly group: SettingGroup
  readonly words: string
}> = (Object.keys(settingGroups) as ReadonlyArray<SettingGroup>).flatMap((group) =>
  settingGroups[group].map((name) => ({ name, group, words: settingWords.names[name] }))
)
