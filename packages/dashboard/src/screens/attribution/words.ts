import { choose } from "../../words/language.ts"

export const say = choose({
  en: {
    range: "Range",
    ranges: { "7d": "7 days", "30d": "30 days", "90d": "90 days", "365d": "365 days" },
    model: "What counts",
    models: { last: "Last touch", first: "First touch" },
    modelHints: {
      last: "A conversion counts for the launch that it names.",
      first: "A conversion counts for the visitor's first launch."
    },
    launches: "Launches",
    verifications: "Verifications",
    conversions: "Conversions",
    leads: "Leads",
    rate: "Verified",
    worth: "Worth",
    funnel: "From launch to conversion",
    funnelHint: "One launch may lead to several conversions, or to none.",
    perDay: "Verifications per day",
    compare: "Where they came from",
    by: "Add up by",
    bys: { campaign: "Campaign", source: "Source", medium: "Medium", day: "Day" },
    headings: { campaign: "Source, medium, campaign", source: "Source", medium: "Medium", day: "Day" },
    unsaid: "not said",
    all: "All",
    partly: (rows: string) => `These are the first ${rows} rows of the range. Choose a shorter one for all of it.`,
    reading: (rows: string) => `${rows} rows read so far…`,
    more: (rows: string) => `${rows} more are in the sum and not shown. Turn the order round to see its other end.`,
    begin: "Nobody has told of a launch in this time",
    beginHint:
      "Your page or app tells that somebody opened it, if they agreed, and that they did what you hoped for. Verifications and WhatsApp leads are added by themselves.",
    inPage: "In a page, with the SDK",
    byHand: "Or by hand",
    keys: "The public key is among the keys"
  },
  hi: {
    range: "अवधि",
    ranges: { "7d": "7 दिन", "30d": "30 दिन", "90d": "90 दिन", "365d": "365 दिन" },
    model: "किसे गिना जाए",
    models: { last: "आख़िरी संपर्क", first: "पहला संपर्क" },
    modelHints: {
      last: "कन्वर्ज़न उस लॉन्च में गिना जाता है जिसका वह नाम ले।",
      first: "कन्वर्ज़न आगंतुक के पहले लॉन्च में गिना जाता है।"
    },
    launches: "लॉन्च",
    verifications: "सत्यापन",
    conversions: "कन्वर्ज़न",
    leads: "लीड",
    rate: "सत्यापित",
    worth: "मूल्य",
    funnel: "लॉन्च से कन्वर्ज़न तक",
    funnelHint: "एक लॉन्च से कई कन्वर्ज़न हो सकते हैं, या एक भी नहीं।",
    perDay: "हर दिन सत्यापन",
    compare: "लोग कहाँ से आए",
    by: "इससे जोड़ें",
    bys: { campaign: "अभियान", source: "स्रोत", medium: "माध्यम", day: "दिन" },
    headings: { campaign: "स्रोत, माध्यम, अभियान", source: "स्रोत", medium: "माध्यम", day: "दिन" },
    unsaid: "नहीं बताया",
    all: "कुल",
    partly: (rows) => `ये इस अवधि की पहली ${rows} पंक्तियाँ हैं। पूरा देखने के लिए छोटी अवधि चुनें।`,
    reading: (rows) => `अब तक ${rows} पंक्तियाँ पढ़ी गईं…`,
    more: (rows) => `${rows} और कुल में शामिल हैं, पर दिखाए नहीं गए। दूसरा सिरा देखने के लिए क्रम उलटें।`,
    begin: "इस समय में किसी लॉन्च की सूचना नहीं आई",
    beginHint:
      "आपका पेज या ऐप बताता है कि किसी ने सहमति देकर उसे खोला, और वह किया जो आप चाहते थे। सत्यापन और WhatsApp लीड अपने आप जुड़ते हैं।",
    inPage: "पेज में, SDK के साथ",
    byHand: "या हाथ से",
    keys: "पब्लिक कुंजी यहाँ है"
  }
})
