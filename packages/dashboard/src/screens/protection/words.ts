import { guardReasonHints } from "../../words/guardReasonHints.ts"
import { guardReasonWords } from "../../words/guardReasons.ts"
import { choose } from "../../words/language.ts"

const codes = (count: string) => `${count} ${count === "1" ? "code" : "codes"}`
const people = (count: string) => `${count} ${count === "1" ? "person" : "people"}`
const peopleHi = (count: string) => (count === "1" ? "1 व्यक्ति" : `${count} लोग`)
const requests = (count: string) => `${count} ${count === "1" ? "request" : "requests"}`

const en = {
  range: "Range",
  ranges: { "7d": "7 days", "30d": "30 days", "90d": "90 days" },
  names: guardReasonWords.en,
  hints: guardReasonHints.en,
  mode: {
    records: (_count: string) => "The guard only records.",
    some: (count: string) => `The guard refuses codes for ${count === "1" ? "1 reason" : `${count} reasons`}.`,
    all: (_count: string) => "The guard refuses codes for all reasons."
  },
  /** What enforcing all reasons would have done. `days` is null when said before, and `typed` when no code was entered. */
  wouldSave: (saved: string, days: string | null, typed: string | null) =>
    `Enforcing all reasons would have saved ${days === null ? `${saved} more` : `${saved} in ${days}`}${typed === null ? ". None of these codes was entered." : ` and refused ${people(typed)} who entered their code.`}`,
  wouldRefuse: (count: string, days: string | null, typed: string | null) =>
    `Enforcing all reasons would have refused ${days === null ? `${codes(count)} more` : `${codes(count)} in ${days}`}. ${typed === null ? "None of them was entered." : `People entered ${typed} of them.`}`,
  didRefuse: (count: string, days: string) => `It refused ${requests(count)} in ${days}.`,
  quiet: (days: string) => `Nothing suspicious in ${days}.`,
  about:
    "The guard looks for codes that will not be entered (SMS pumping, toll fraud). It judges each code and link to a phone number before it is sent.",
  stoppedNow: "Stopped now",
  noneStopped: "No block of numbers and no country is stopped.",
  place: "Numbers",
  since: "Since",
  until: "Until",
  notEntered: "Codes not entered",
  cost: "Their cost",
  met: "Requests since then",
  onlyRecorded: "Recorded only",
  letThrough: "Let through…",
  askLetThrough: (place: string) => `Let ${place} through?`,
  forgets: (missed: string, typed: string) =>
    `${codes(missed)} had not been entered, and ${typed} had. The guard forgets this and sends codes there again. It stops the place again if codes are not entered.`,
  alsoSafe: "Always trust these numbers",
  doLetThrough: "Let through",
  isLetThrough: (place: string) => `${place} gets codes again.`,
  reasons: "Reasons",
  reason: "Reason",
  would: "Would have refused",
  typed: "Of those entered",
  saved: "Would have saved",
  refused: "Refused",
  change: "Action",
  enforced: "Enforced",
  enforce: "Enforce…",
  stop: "Stop enforcing…",
  codesOf: (count: string, reason: string) => `${codes(count)}, ${reason}`,
  refusedOf: (count: string, reason: string) => `${requests(count)} refused, ${reason}`,
  ask: {
    enforce: (reason: string) => `Enforce “${reason}”?`,
    stop: (reason: string) => `Stop enforcing “${reason}”?`
  },
  wouldHave: (days: string, count: string, saved: string | null) =>
    `In ${days} it would have refused ${codes(count)}${saved === null ? "" : ` and saved ${saved}`}.`,
  wouldNothing: (days: string) => `In ${days} it would have refused nothing.`,
  peopleEntered: (count: string) => `People entered ${count} of them. These people would have had no code.`,
  noneEntered: "None of them was entered.",
  hitsPeople: "That is many. Look at the list before you enforce it.",
  mostlyIn: (share: string, country: string) =>
    `${share} of the codes that people entered went to ${country}. If attackers request codes to random numbers there, people who are new to you will have to wait. People who signed in before will not.`,
  fromNow: "From now on, such requests are refused before they are sent. You can undo this at any time.",
  hasRefused: (days: string, count: string) => `In ${days} it refused ${requests(count)}.`,
  onlyRecords: "From now on, the guard sends these codes and only records them.",
  doEnforce: "Enforce",
  doStop: "Stop enforcing",
  isEnforced: (reason: string) => `“${reason}” is enforced.`,
  isStopped: (reason: string) => `“${reason}” is no longer enforced.`,
  onlyLive: "The guard judges live requests only",
  onlyLiveHint: "Requests in test cost nothing and reach no real people, so it neither records nor refuses them.",
  toLive: "Open it in live"
}

export const say = choose({
  en,
  hi: {
    range: "अवधि",
    ranges: { "7d": "7 दिन", "30d": "30 दिन", "90d": "90 दिन" },
    names: guardReasonWords.hi,
    hints: guardReasonHints.hi,
    mode: {
      records: () => "गार्ड केवल दर्ज करता है।",
      some: (count) => `गार्ड ${count === "1" ? "1 कारण" : `${count} कारणों`} पर कोड अस्वीकार करता है।`,
      all: () => "गार्ड सभी कारणों पर कोड अस्वीकार करता है।"
    },
    wouldSave: (saved, days, typed) =>
      `सभी कारण लागू होते तो ${days === null ? `${saved} और` : `${days} में ${saved}`} बचते${typed === null ? "। ये कोड किसी ने नहीं डाले।" : `, पर कोड डालने वाले ${peopleHi(typed)} अस्वीकार होते।`}`,
    wouldRefuse: (count, days, typed) =>
      `सभी कारण लागू होते तो ${days === null ? `${count} और` : `${days} में ${count}`} कोड अस्वीकार होते। ${typed === null ? "इन्हें किसी ने नहीं डाला।" : `इनमें से ${typed} डाले गए।`}`,
    didRefuse: (count, days) => `${days} में ${count} अनुरोध अस्वीकार हुए।`,
    quiet: (days) => `${days} में कुछ भी संदिग्ध नहीं।`,
    about:
      "गार्ड ऐसे कोड ढूँढता है जिन्हें कोई नहीं डालेगा (SMS पंपिंग, टोल धोखाधड़ी)। वह फ़ोन नंबर पर हर कोड और लिंक को भेजने से पहले जाँचता है।",
    stoppedNow: "अभी रोके गए",
    noneStopped: "नंबरों का कोई ब्लॉक या देश रोका नहीं गया है।",
    place: "नंबर",
    since: "कब से",
    until: "कब तक",
    notEntered: "न डाले गए कोड",
    cost: "उनकी लागत",
    met: "तब से अनुरोध",
    onlyRecorded: "केवल दर्ज",
    letThrough: "जाने दें…",
    askLetThrough: (place) => `${place} को जाने दें?`,
    forgets: (missed, typed) =>
      `${missed} कोड नहीं डाले गए थे, और ${typed} डाले गए थे। गार्ड इसे भूलकर वहाँ फिर कोड भेजेगा। कोड न डाले गए तो वह उसे फिर रोकेगा।`,
    alsoSafe: "इन नंबरों पर हमेशा भरोसा करें",
    doLetThrough: "जाने दें",
    isLetThrough: (place) => `${place} को फिर कोड मिलेंगे।`,
    reasons: "कारण",
    reason: "कारण",
    would: "अस्वीकार होते",
    typed: "इनमें से डाले गए",
    saved: "बचत होती",
    refused: "अस्वीकृत",
    change: "कार्रवाई",
    enforced: "लागू",
    enforce: "लागू करें…",
    stop: "लागू करना बंद करें…",
    codesOf: (count, reason) => `${count} कोड, ${reason}`,
    refusedOf: (count, reason) => `${count} अनुरोध अस्वीकृत, ${reason}`,
    ask: {
      enforce: (reason) => `“${reason}” लागू करें?`,
      stop: (reason) => `“${reason}” लागू करना बंद करें?`
    },
    wouldHave: (days, count, saved) =>
      `${days} में इससे ${count} कोड अस्वीकार होते${saved === null ? "" : ` और ${saved} बचते`}।`,
    wouldNothing: (days) => `${days} में इससे कुछ भी अस्वीकार न होता।`,
    peopleEntered: (count) => `इनमें से ${count} डाले गए। इन लोगों को कोड न मिलता।`,
    noneEntered: "इन्हें किसी ने नहीं डाला।",
    hitsPeople: "यह बहुत है। लागू करने से पहले सूची देखें।",
    mostlyIn: (share, country) =>
      `लोगों के डाले कोड में से ${share} ${country} के नंबरों पर गए। अगर हमलावर वहाँ के बेतरतीब नंबरों पर कोड माँगें, तो नए लोगों को रुकना पड़ेगा। जो पहले साइन इन कर चुके हैं, उन्हें नहीं।`,
    fromNow: "अब से ऐसे अनुरोध भेजने से पहले अस्वीकार होंगे। इसे कभी भी वापस ले सकते हैं।",
    hasRefused: (days, count) => `${days} में इससे ${count} अनुरोध अस्वीकार हुए।`,
    onlyRecords: "अब से गार्ड ये कोड भेजेगा और केवल दर्ज करेगा।",
    doEnforce: "लागू करें",
    doStop: "लागू करना बंद करें",
    isEnforced: (reason) => `“${reason}” लागू है।`,
    isStopped: (reason) => `“${reason}” अब लागू नहीं है।`,
    onlyLive: "गार्ड केवल लाइव अनुरोध जाँचता है",
    onlyLiveHint: "टेस्ट के अनुरोध मुफ़्त हैं और किसी तक नहीं पहुँचते, इसलिए वह उन्हें न दर्ज करता है न अस्वीकार।",
    toLive: "लाइव में खोलें"
  }
})
