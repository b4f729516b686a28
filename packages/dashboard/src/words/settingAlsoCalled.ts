import type { SettingName } from "./settingsIndex.ts"

const limit = "rate limit, throttle, रेट लिमिट, ओटीपी"

/**
 * Usual names for the settings, in every language, separated by commas. Both the palette and the search of the settings
 * read them. They are apart from the other names, which the screen of the settings does not load.
 */
export const settingAlsoCalled: { readonly [N in SettingName]?: string } = {
  codeLength: "otp length, code digits, ओटीपी, ओटीपी के अंक",
  codeExpirySeconds: "otp expiry, timeout, ओटीपी, एक्सपायर, समय-सीमा",
  maxAttempts: "attempts, प्रयास, ओटीपी",
  brandColor: "theme color accent, थीम",
  brandLogo: "image picture, तस्वीर",
  hourlyLimit: limit,
  canonicalHourlyLimit: limit,
  hourlyLimitPerAddress: limit,
  hourlyLimitPerPrefix: limit,
  hourlyLimitPerCountry: limit,
  hourlyLimitPerMerchant: limit,
  maxConsecutiveFailures: "lockout, brute force, ताला",
  sdkInitiatesPerIpPerHour: limit,
  sdkMessagesPerHour: limit,
  attributionPerHour: limit,
  allowedOrigins: "cors",
  redirectUris: "redirect uri",
  serverAddresses: "ip allowlist, whitelist",
  allowedCountries: "geo permissions, विदेश",
  blockedPrefixes: "blocklist, रोकें",
  blockedNumberTypes: "premium rate, landline, voip, रोकें, लैंडलाइन",
  guardEnforces: "fraud, sms pumping, toll fraud, block, रोकें, फ़्रॉड, धोखाधड़ी",
  safeList: "allowlist, whitelist, safe list, सुरक्षित सूची",
  dailyCap: "spend limit, budget, बजट",
  requirePasskey: "2fa, mfa"
}
