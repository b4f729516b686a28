import type { GuardReason } from "./guardReasonNames.ts"

export type { GuardReason }

/** The guard's reasons in words, as short labels. */
export const guardReasonWords: { readonly [language in "en" | "hi"]: { readonly [reason in GuardReason]: string } } = {
  en: {
    PREFIX_UNVERIFIED: "Block of numbers",
    RANGE_UNVERIFIED: "Number range",
    COUNTRY_UNVERIFIED: "Country",
    ADDRESS_UNVERIFIED: "IP address",
    DEVICE_UNVERIFIED: "Device",
    COUNTRY_TOO_FAST: "Sudden rise in a country",
    ADJACENT_NUMBERS: "Neighbouring numbers",
    LINE_TYPE: "Line type",
    SIM_SWAPPED: "SIM swap",
    NUMBER_RECYCLED: "Recycled number"
  },
  hi: {
    PREFIX_UNVERIFIED: "नंबरों का ब्लॉक",
    RANGE_UNVERIFIED: "नंबर रेंज",
    COUNTRY_UNVERIFIED: "देश",
    ADDRESS_UNVERIFIED: "IP पता",
    DEVICE_UNVERIFIED: "डिवाइस",
    COUNTRY_TOO_FAST: "किसी देश में अचानक बढ़ोतरी",
    ADJACENT_NUMBERS: "आस-पास के नंबर",
    LINE_TYPE: "लाइन का प्रकार",
    SIM_SWAPPED: "सिम स्वैप",
    NUMBER_RECYCLED: "दोबारा जारी नंबर"
  }
}
