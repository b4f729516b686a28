import { choose } from "./language.ts"

const en = {
  because: {
    unanswered: "The provider said neither yes nor no.",
    outcome_unknown: "The provider said neither yes nor no. It was not paid.",
    not_sent_in_time: "The provider was away until it was too late.",
    provider_resting: "The provider was away too long.",
    no_provider: "No provider is set up for this on the service.",
    number_disconnected: "The number that they wrote to is not connected any more.",
    template_not_yours: "The template belongs to the server's own WhatsApp account. Connect a number of your own.",
    merchant_suspended: "This merchant is suspended.",
    text_too_long: "It is too long.",
    empty_text: "It was empty.",
    invalid_recipient: "The number cannot be reached.",
    opted_out: "They want no campaigns.",
    cancelled: "The campaign was cancelled before.",
    erased: "They were erased.",
    "131026": "They cannot receive it: no WhatsApp, an old app, or its terms are not accepted.",
    "131047": "The 24 hours were over. Send a template.",
    "131048": "WhatsApp holds back this number because people reported it.",
    "131049": "WhatsApp held it back, so that people are not written to too often.",
    "131050": "They want no marketing messages from you.",
    "131056": "Too many messages to this number in a short time.",
    "132000": "The template has another number of places.",
    "132001": "WhatsApp has no such template in this language.",
    "132015": "WhatsApp has paused this template.",
    "132018": "A value has line breaks or too many spaces for WhatsApp.",
    "21211": "The number does not exist.",
    "21408": "The provider's account may not send to this country.",
    "21610": "They told the provider to stop.",
    "30003": "The phone is off or out of reach.",
    "30004": "The number is blocked.",
    "30005": "The number does not exist.",
    "30006": "A landline, or a network that takes no messages.",
    "30007": "The network took it for spam.",
    "30008": "The network did not say why."
  } as Readonly<Record<string, string>>,
  other: (code: string) => `The provider refused it: ${code}.`
}

const hi: typeof en = {
  because: {
    unanswered: "प्रदाता ने न हाँ कहा, न ना।",
    outcome_unknown: "प्रदाता ने न हाँ कहा, न ना। पैसे नहीं लगे।",
    not_sent_in_time: "देर हो जाने तक प्रदाता उपलब्ध नहीं था।",
    provider_resting: "प्रदाता बहुत देर तक उपलब्ध नहीं था।",
    no_provider: "इसके लिए सेवा पर कोई प्रदाता नहीं है।",
    number_disconnected: "जिस नंबर पर उन्होंने लिखा था वह अब जुड़ा नहीं है।",
    template_not_yours: "टेम्पलेट सर्वर के अपने WhatsApp खाते का है। अपना नंबर जोड़ें।",
    merchant_suspended: "यह व्यापारी निलंबित है।",
    text_too_long: "यह बहुत लंबा है।",
    empty_text: "यह ख़ाली था।",
    invalid_recipient: "इस नंबर तक नहीं पहुँचा जा सकता।",
    opted_out: "वे अभियान नहीं चाहते।",
    cancelled: "अभियान पहले ही रद्द हो गया।",
    erased: "उन्हें मिटा दिया गया।",
    "131026": "उन्हें नहीं मिल सकता: WhatsApp नहीं है, ऐप पुराना है, या शर्तें नहीं मानी गईं।",
    "131047": "24 घंटे पूरे हो चुके थे। टेम्पलेट भेजें।",
    "131048": "शिकायतों के कारण WhatsApp इस नंबर को रोक रहा है।",
    "131049": "WhatsApp ने रोक लिया, ताकि लोगों को बहुत बार न लिखा जाए।",
    "131050": "वे आपसे विज्ञापन संदेश नहीं चाहते।",
    "131056": "इस नंबर पर कम समय में बहुत सारे संदेश।",
    "132000": "टेम्पलेट में जगहों की संख्या अलग है।",
    "132001": "WhatsApp के पास इस भाषा में ऐसा टेम्पलेट नहीं है।",
    "132015": "WhatsApp ने यह टेम्पलेट रोक दिया है।",
    "132018": "किसी मान में WhatsApp के लिए लाइन-ब्रेक या बहुत ज़्यादा ख़ाली जगह है।",
    "21211": "ऐसा कोई नंबर नहीं है।",
    "21408": "प्रदाता का खाता इस देश में नहीं भेज सकता।",
    "21610": "उन्होंने प्रदाता से रुकने को कहा।",
    "30003": "फ़ोन बंद है या पहुँच से बाहर।",
    "30004": "नंबर ब्लॉक है।",
    "30005": "ऐसा कोई नंबर नहीं है।",
    "30006": "लैंडलाइन, या ऐसा नेटवर्क जो संदेश नहीं लेता।",
    "30007": "नेटवर्क ने इसे स्पैम माना।",
    "30008": "नेटवर्क ने कारण नहीं बताया।"
  },
  other: (code) => `प्रदाता ने मना किया: ${code}।`
}

const say = choose({ en, hi })

/** Why something was not delivered, by the service's or the provider's code, in words; an unknown code by itself. */
export const whyNotDelivered = (code: string): string =>
  Object.hasOwn(say.because, code) ? say.because[code]! : say.other(code)
