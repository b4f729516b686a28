import type { guardReasonWords } from "./guardReasons.ts"

/** What the guard saw, in one sentence. */
export const guardReasonHints: typeof guardReasonWords = {
  en: {
    PREFIX_UNVERIFIED: "Codes to numbers that share all but their last four digits are not entered.",
    RANGE_UNVERIFIED: "Codes to numbers that share all but their last six digits are not entered.",
    COUNTRY_UNVERIFIED: "Codes to a country are not entered.",
    ADDRESS_UNVERIFIED: "Codes that an IP address requested are not entered.",
    DEVICE_UNVERIFIED: "Codes that a device requested are not entered.",
    COUNTRY_TOO_FAST: "More than 200 codes in a minute go to a country where few are entered.",
    ADJACENT_NUMBERS: "Neighbouring numbers request codes one after the other.",
    LINE_TYPE: "The number is of a line type in your settings, such as VoIP.",
    SIM_SWAPPED: "The number moved to another SIM within the hours in your settings.",
    NUMBER_RECYCLED: "The number got another owner within the days in your settings."
  },
  hi: {
    PREFIX_UNVERIFIED: "जिन नंबरों में केवल अंतिम चार अंक अलग हैं, उन पर भेजे गए कोड डाले नहीं जाते।",
    RANGE_UNVERIFIED: "जिन नंबरों में केवल अंतिम छह अंक अलग हैं, उन पर भेजे गए कोड डाले नहीं जाते।",
    COUNTRY_UNVERIFIED: "किसी देश में भेजे गए कोड डाले नहीं जाते।",
    ADDRESS_UNVERIFIED: "किसी IP पते से माँगे गए कोड डाले नहीं जाते।",
    DEVICE_UNVERIFIED: "किसी डिवाइस से माँगे गए कोड डाले नहीं जाते।",
    COUNTRY_TOO_FAST: "एक मिनट में 200 से ज़्यादा कोड ऐसे देश में जाते हैं जहाँ कम कोड डाले जाते हैं।",
    ADJACENT_NUMBERS: "आस-पास के नंबर एक के बाद एक कोड माँगते हैं।",
    LINE_TYPE: "नंबर की लाइन का प्रकार आपकी सेटिंग्स में है, जैसे VoIP।",
    SIM_SWAPPED: "नंबर आपकी सेटिंग्स के घंटों में किसी दूसरे सिम पर गया है।",
    NUMBER_RECYCLED: "नंबर आपकी सेटिंग्स के दिनों में किसी नए मालिक को मिला है।"
  }
}
