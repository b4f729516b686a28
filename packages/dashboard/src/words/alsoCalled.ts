import type { say } from "./say.ts"

/**
 * Usual names for the screens, in every language, separated by commas. The palette finds a screen by them and never
 * shows them. A name of an action belongs to `deedAlsoCalled`.
 */
export const screenAlsoCalled: { readonly [route in keyof typeof say.menu]?: string } = {
  overview: "overview, analytics, home, dashboard, डैशबोर्ड",
  verifications: "verifications, requests, logs, otp, failed, gdpr, erase, ओटीपी, लॉग",
  channels: "channels, providers, carriers, sms, whatsapp, प्रदाता",
  webhooks: "webhooks, webhook secret, signing secret, events, वेबहुक सीक्रेट, इवेंट",
  hooks: "hooks, auth hook, send sms hook, sign-in system, supabase, auth0, zitadel, kratos, साइन-इन सिस्टम",
  inbox: "inbox, chat, leads, conversations, labels, saved replies, snooze, बातचीत, चैट",
  campaigns: "campaigns, bulk, broadcast, कैंपेन",
  attribution: "attribution, utm, sources",
  templates: "templates, texts, dlt, टेक्स्ट",
  protection:
    "protection, guard, fraud, fraud guard, sms pumping, toll fraud, artificially inflated traffic, ait, गार्ड, धोखाधड़ी",
  settings: "settings, configuration, preferences",
  keys: "keys, api key, secret, token, API कुंजी, एपीआई की, सीक्रेट",
  team: "team, staff, roles, users, teammates",
  money:
    "money, billing, refund, ledger, invoice, monthly statement, balance, spend, export, एक्सपोर्ट, रिफ़ंड, धनवापसी, बैलेंस, ख़र्च",
  audit: "audit, history, log, activity, इतिहास"
}

/** The same for the palette's actions. */
export const deedAlsoCalled = {
  optOuts: "opt-out, optout, unsubscribe, stop, do not disturb, dnd, सदस्यता समाप्त",
  unlock: "unlock, locked, lockout, locked out, unblock, अनलॉक, लॉक, ताला",
  invite: "invite, add team member, add user, new user, आमंत्रण, आमंत्रित, न्योता",
  topUp: "top up, add money, recharge, deposit, टॉप अप, रिचार्ज, पैसे जोड़ें",
  newKey: "new secret, new api key, new key, generate key, नई कुंजी, नया सीक्रेट",
  newCampaign: "create campaign, send campaign, अभियान बनाएँ",
  addEndpoint: "add webhook, new webhook, create webhook, नया वेबहुक",
  tryIt: "try it, test code, send a code, demo, आज़माएँ",
  language: "language, भाषा, hindi, हिन्दी, हिंदी, english, अंग्रेज़ी",
  environment: "live, test, sandbox, production, environment, परिवेश",
  themes: {
    system: "theme system, auto",
    light: "light, light mode, day mode, लाइट, उजला",
    dark: "dark, dark mode, night mode, डार्क, डार्क मोड"
  },
  export: "export, export csv, download csv, excel, spreadsheet, एक्सपोर्ट, निर्यात, डाउनलोड",
  notifications: "notify, alerts, sound, push, सूचना, ध्वनि",
  keyboard: "keyboard shortcuts, hotkeys, keys, शॉर्टकट",
  signOut: "log out, logout, log off, sign out, exit, लॉग आउट, लॉगआउट, साइन आउट"
} as const
