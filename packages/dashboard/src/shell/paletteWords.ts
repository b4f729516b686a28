import { choose } from "../words/language.ts"
import type { Theme } from "./keptTheme.ts"

const en = {
  screen: "page",
  deed: "action",
  setting: "setting",
  kinds: { verification: "verification", person: "user", lead: "lead", campaign: "campaign", webhook: "webhook" },
  optOuts: "Opt-outs",
  toTest: "Switch to test",
  toLive: "Switch to live",
  toLanguage: { en: "Switch to English", hi: "Switch to Hindi (हिन्दी)" },
  theme: { system: "Theme: system", light: "Theme: light", dark: "Theme: dark" } as { readonly [T in Theme]: string },
  tryIt: "Try it…",
  invite: "Invite team member…",
  unlock: "Unlock a user…",
  topUp: "Top up…",
  newKey: "Create API key…",
  newCampaign: "New campaign…",
  addEndpoint: "Add webhook endpoint…",
  exportCsv: "Export CSV of this screen",
  notifications: "Notifications…"
}

const hi: typeof en = {
  screen: "पेज",
  deed: "कार्रवाई",
  setting: "सेटिंग",
  kinds: { verification: "सत्यापन", person: "उपयोगकर्ता", lead: "लीड", campaign: "अभियान", webhook: "वेबहुक" },
  optOuts: "ऑप्ट-आउट",
  toTest: "टेस्ट पर स्विच करें",
  toLive: "लाइव पर स्विच करें",
  toLanguage: { en: "अंग्रेज़ी में बदलें (English)", hi: "हिन्दी में बदलें" },
  theme: { system: "थीम: सिस्टम", light: "थीम: लाइट", dark: "थीम: डार्क" },
  tryIt: "आज़माएँ…",
  invite: "टीम सदस्य को आमंत्रित करें…",
  unlock: "उपयोगकर्ता को अनलॉक करें…",
  topUp: "टॉप-अप करें…",
  newKey: "API कुंजी बनाएँ…",
  newCampaign: "नया अभियान…",
  addEndpoint: "वेबहुक एंडपॉइंट जोड़ें…",
  exportCsv: "इस स्क्रीन का CSV डाउनलोड करें",
  notifications: "सूचनाएँ…"
}

/** Words of the palette. They are loaded with it. */
export const say = choose({ en, hi })
