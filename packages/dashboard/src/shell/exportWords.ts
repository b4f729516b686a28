import { choose } from "../words/language.ts"

export const say = choose({
  en: {
    csv: "Export CSV",
    title: "Export as CSV",
    hint: "The file has all rows that match the filters of this screen, at most 1,000,000. The audit log records the export.",
    unmask: "Show phone numbers and e-mail addresses in full",
    unmaskHint: "Needs a sign-in within the last ten minutes.",
    do: "Download",
    done: "The file is ready.",
    cut: "The file has 1,000,000 rows, the limit. Narrow the filters to export the rest."
  },
  hi: {
    csv: "CSV निर्यात",
    title: "CSV के रूप में निर्यात",
    hint: "फ़ाइल में इस स्क्रीन के फ़िल्टर से मेल खाती सभी पंक्तियाँ होती हैं, अधिकतम 10,00,000। निर्यात ऑडिट लॉग में दर्ज होता है।",
    unmask: "फ़ोन नंबर और ईमेल पते पूरे दिखाएँ",
    unmaskHint: "पिछले दस मिनट के भीतर साइन-इन ज़रूरी है।",
    do: "डाउनलोड करें",
    done: "फ़ाइल तैयार है।",
    cut: "फ़ाइल में 10,00,000 पंक्तियाँ हैं, जो सीमा है। बाक़ी निर्यात करने के लिए फ़िल्टर सीमित करें।"
  }
})
