import { choose } from "../../words/language.ts"

export const say = choose({
  en: {
    range: "Range",
    ranges: { "7d": "7 days", "30d": "30 days", "90d": "90 days", "365d": "365 days" },
    model: "Attribution model",
    models: { last: "Last touch", first: "First touch" },
    modelHints: {
      last: "A conversion counts for the launch named in its request.",
      first: "A conversion counts for the visitor's first launch."
    },
    launches: "Launches",
    verifications: "Verifications",
    conversions: "Conversions",
    leads: "Leads",
    rate: "Verified",
    worth: "Value",
    funnel: "From launch to conversion",
    funnelHint: "One launch can lead to several conversions, or to none.",
    perDay: "Verifications per day",
    compare: "Sources",
    by: "Group by",
    bys: { campaign: "Campaign", source: "Source", medium: "Medium", day: "Day" },
    headings: { campaign: "Source, medium, campaign", source: "Source", medium: "Medium", day: "Day" },
    notSet: "(not set)",
    all: "Total",
    partly: (rows: string) =>
      `Only the first ${rows} rows of the range are included. Choose a shorter range to include all of them.`,
    reading: (rows: string) => `${rows} rows loaded so far…`,
    more: (rows: string) =>
      `${rows} more rows count toward the total but are not shown. Reverse the sort order to see the other end.`,
    begin: "No launches in this period",
    beginHint:
      "With the visitor’s consent, your page or app reports that it was opened, and later reports conversions. Verifications and WhatsApp leads are added automatically.",
    inPage: "In a page, with the SDK",
    byHand: "Or with your own request",
    keys: "Your public key is on the API keys page"
  },
  hi: {
    range: "अवधि",
    ranges: { "7d": "7 दिन", "30d": "30 दिन", "90d": "90 दिन", "365d": "365 दिन" },
    model: "एट्रिब्यूशन मॉडल",
    models: { last: "अंतिम टच", first: "पहला टच" },
    modelHints: {
      last: "कन्वर्ज़न उस लॉन्च में गिना जाता है जिसका नाम उसके अनुरोध में है।",
      first: "कन्वर्ज़न विज़िटर के पहले लॉन्च में गिना जाता है।"
    },
    launches: "लॉन्च",
    verifications: "सत्यापन",
    conversions: "कन्वर्ज़न",
    leads: "लीड",
    rate: "सत्यापित",
    worth: "मूल्य",
    funnel: "लॉन्च से कन्वर्ज़न तक",
    funnelHint: "एक लॉन्च से कई कन्वर्ज़न हो सकते हैं, या एक भी नहीं।",
    perDay: "प्रति दिन सत्यापन",
    compare: "स्रोत",
    by: "समूह",
    bys: { campaign: "अभियान", source: "स्रोत", medium: "माध्यम", day: "दिन" },
    headings: { campaign: "स्रोत, माध्यम, अभियान", source: "स्रोत", medium: "माध्यम", day: "दिन" },
    notSet: "(तय नहीं)",
    all: "कुल",
    partly: (rows) => `इसमें अवधि की केवल पहली ${rows} पंक्तियाँ शामिल हैं। सभी के लिए छोटी अवधि चुनें।`,
    reading: (rows) => `अब तक ${rows} पंक्तियाँ लोड हुईं…`,
    more: (rows) => `${rows} और पंक्तियाँ कुल में शामिल हैं पर दिखाई नहीं गईं। दूसरा सिरा देखने के लिए क्रम उलटें।`,
    begin: "इस अवधि में कोई लॉन्च नहीं",
    beginHint:
      "विज़िटर की सहमति से आपका पेज या ऐप बताता है कि उसे खोला गया, और बाद में कन्वर्ज़न बताता है। सत्यापन और WhatsApp लीड अपने आप जुड़ते हैं।",
    inPage: "पेज में, SDK के साथ",
    byHand: "या अपने अनुरोध से",
    keys: "आपकी पब्लिक कुंजी API कुंजियाँ पेज पर है"
  }
})
