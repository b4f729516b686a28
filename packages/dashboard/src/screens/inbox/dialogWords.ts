import { choose } from "../../words/language.ts"

/** Texts of the parts that load when they are opened. */
const en = {
  openLeads: (count: string) => `${count} open`,
  bulk: {
    title: "Selected leads",
    selected: (count: string) => `${count} selected`,
    all: "Select all shown",
    clear: "Clear",
    assignTitle: (count: string) => `Assign ${count} ${count === "1" ? "lead" : "leads"}`,
    assigned: (count: string, who: string) => `${count} assigned to ${who}`,
    unassigned: (count: string) => `${count} unassigned`,
    closed: (count: string) => `${count} closed`,
    snoozed: (count: string, when: string) => `${count} snoozed until ${when}`,
    missed: {
      CLOSED: (count: string) => `${count} not changed: closed`,
      FULL: (count: string) => `${count} not changed: 10 labels already`,
      NOT_FOUND: (count: string) => `${count} not changed: deleted`,
      BUSY: (count: string) => `${count} not changed: others changed them just now, so try again`
    }
  },
  labels: {
    title: "Labels",
    titleOf: (count: string) => `Labels of ${count} leads`,
    none: "No labels yet. Create the first one, such as VIP or Refund.",
    create: "New label",
    add: "Create label",
    name: "Name",
    colour: "Colour",
    colours: {
      GREY: "Grey",
      RED: "Red",
      ORANGE: "Orange",
      YELLOW: "Yellow",
      GREEN: "Green",
      TEAL: "Teal",
      BLUE: "Blue",
      PURPLE: "Purple"
    },
    unnamed: "Enter a name first.",
    remove: "Remove label",
    removing: "goes from every lead. This cannot be undone.",
    removed: (name: string) => `Label ${name} removed`
  },
  snooze: {
    title: "Snooze",
    intro: "The lead waits again at that time, or as soon as the customer writes.",
    mornings: (zone: string) => `Mornings start at 9:00 in the time zone ${zone}.`,
    times: "Usual times",
    hour: "In 1 hour",
    tomorrow: "Tomorrow morning",
    monday: "Next Monday",
    at: "Date and time",
    zone: (zone: string) => `In your time zone, ${zone}`,
    missing: "Enter a date and time first.",
    submit: "Snooze"
  },
  connect: {
    title: "WhatsApp numbers",
    intro:
      "Your number must be on the WhatsApp Business Platform. Find both IDs in Meta’s app dashboard, and use the token of a system user.",
    phoneNumberId: "Phone number ID",
    wabaId: "WhatsApp Business Account ID",
    accessToken: "Access token",
    tokenHint: "Stored encrypted and never shown again.",
    submit: "Connect",
    done: (number: string) => `${number} is connected`,
    since: "Connected since",
    disconnect: "Disconnect",
    sure: (number: string) =>
      `New messages to ${number} will not reach the inbox, and replies to its leads will fail until you connect it again.`,
    gone: "Number disconnected",
    number: "Number",
    name: "Name",
    none: "No numbers connected yet."
  },
  enter: {
    title: "New lead",
    intro: "For a customer who has not written yet. Until they write, you can send only templates.",
    phone: "Number",
    name: "Name",
    nameHint: "Optional",
    submit: "Create lead",
    done: "Lead created"
  },
  play: {
    title: "Simulate a customer",
    intro: "Providers are simulated here, so real customers cannot write to you. Send a message as a customer.",
    from: "Customer’s number",
    name: "Customer’s name",
    text: "Message",
    submit: "Send as customer",
    first: "Hi! Is this still available?",
    done: "Message sent. It arrives in a moment."
  },
  savedName: "Name",
  savedMissing: "Enter a name and a text first.",
  savedText: "Text",
  savedHint: "{{name}} becomes the customer’s name.",
  savedWithout: "Without a name",
  savedNew: "New saved reply",
  savedAdd: "Save",
  savedDone: "Saved reply added",
  savedRemoved: "Saved reply removed",
  emojiSearch: "Search emoji",
  emojiNone: "No matching emoji.",
  picture: "Picture from the customer",
  sticker: "Sticker from the customer",
  playFile: (kind: string) => `Play: ${kind}`,
  openFile: "Open in a new tab",
  fileGone: "WhatsApp no longer has this file."
}

const hi: typeof en = {
  openLeads: (count) => `${count} खुली`,
  bulk: {
    title: "चुनी हुई लीड",
    selected: (count) => `${count} चुनी गईं`,
    all: "दिख रही सभी चुनें",
    clear: "चुनाव हटाएँ",
    assignTitle: (count) => `${count} लीड असाइन करें`,
    assigned: (count, who) => `${count} लीड ${who} को असाइन की गईं`,
    unassigned: (count) => `${count} लीड का असाइनमेंट हटाया गया`,
    closed: (count) => `${count} बंद की गईं`,
    snoozed: (count, when) => `${count} लीड ${when} तक स्नूज़`,
    missed: {
      CLOSED: (count) => `${count} नहीं बदलीं: बंद हैं`,
      FULL: (count) => `${count} नहीं बदलीं: पहले से 10 लेबल हैं`,
      NOT_FOUND: (count) => `${count} नहीं बदलीं: हटाई जा चुकी हैं`,
      BUSY: (count) => `${count} नहीं बदलीं: इन्हें अभी किसी और ने बदला, फिर कोशिश करें`
    }
  },
  labels: {
    title: "लेबल",
    titleOf: (count) => `${count} लीड के लेबल`,
    none: "अभी कोई लेबल नहीं है। पहला बनाएँ, जैसे VIP या रिफ़ंड।",
    create: "नया लेबल",
    add: "लेबल बनाएँ",
    name: "नाम",
    colour: "रंग",
    colours: {
      GREY: "स्लेटी",
      RED: "लाल",
      ORANGE: "नारंगी",
      YELLOW: "पीला",
      GREEN: "हरा",
      TEAL: "फ़िरोज़ी",
      BLUE: "नीला",
      PURPLE: "बैंगनी"
    },
    unnamed: "पहले नाम लिखें।",
    remove: "लेबल हटाएँ",
    removing: "हर लीड से हट जाएगा। इसे वापस नहीं लाया जा सकता।",
    removed: (name) => `लेबल ${name} हटाया गया`
  },
  snooze: {
    title: "स्नूज़ करें",
    intro: "लीड उस समय, या ग्राहक के लिखते ही, फिर लंबित होगी।",
    mornings: (zone) => `सुबह यानी 9:00 बजे, समय क्षेत्र ${zone}।`,
    times: "आम समय",
    hour: "1 घंटे में",
    tomorrow: "कल सुबह",
    monday: "अगले सोमवार",
    at: "तारीख़ और समय",
    zone: (zone) => `आपके समय क्षेत्र में, ${zone}`,
    missing: "पहले तारीख़ और समय लिखें।",
    submit: "स्नूज़ करें"
  },
  connect: {
    title: "WhatsApp नंबर",
    intro:
      "आपका नंबर WhatsApp Business Platform पर होना चाहिए। दोनों ID Meta के ऐप डैशबोर्ड में मिलेंगी; टोकन system user का लें।",
    phoneNumberId: "Phone number ID",
    wabaId: "WhatsApp Business Account ID",
    accessToken: "Access token",
    tokenHint: "एन्क्रिप्ट करके रखा जाता है और फिर नहीं दिखाया जाता।",
    submit: "जोड़ें",
    done: (number) => `${number} जुड़ गया`,
    since: "कब से जुड़ा",
    disconnect: "डिस्कनेक्ट करें",
    sure: (number) => `${number} के नए संदेश इनबॉक्स में नहीं आएँगे, और दोबारा जोड़ने तक उसकी लीड को जवाब विफल होंगे।`,
    gone: "नंबर डिस्कनेक्ट हुआ",
    number: "नंबर",
    name: "नाम",
    none: "अभी कोई नंबर नहीं जुड़ा है।"
  },
  enter: {
    title: "नई लीड",
    intro: "उस ग्राहक के लिए जिसने अभी नहीं लिखा है। उनके लिखने तक आप केवल टेम्पलेट भेज सकते हैं।",
    phone: "नंबर",
    name: "नाम",
    nameHint: "वैकल्पिक",
    submit: "लीड बनाएँ",
    done: "लीड बन गई"
  },
  play: {
    title: "ग्राहक सिम्युलेट करें",
    intro: "यहाँ प्रदाता सिम्युलेटेड हैं, इसलिए असली ग्राहक नहीं लिख सकते। ग्राहक की ओर से संदेश भेजें।",
    from: "ग्राहक का नंबर",
    name: "ग्राहक का नाम",
    text: "संदेश",
    submit: "ग्राहक की ओर से भेजें",
    first: "नमस्ते! क्या यह अभी मिलेगा?",
    done: "संदेश भेजा गया। कुछ पल में पहुँचेगा।"
  },
  savedName: "नाम",
  savedMissing: "पहले नाम और टेक्स्ट दर्ज करें।",
  savedText: "टेक्स्ट",
  savedHint: "{{name}} की जगह ग्राहक का नाम आता है।",
  savedWithout: "नाम न हो तो",
  savedNew: "नया सहेजा जवाब",
  savedAdd: "सहेजें",
  savedDone: "सहेजा जवाब जोड़ा गया",
  savedRemoved: "सहेजा जवाब हटाया गया",
  emojiSearch: "इमोजी खोजें",
  emojiNone: "कोई मेल खाता इमोजी नहीं।",
  picture: "ग्राहक की तस्वीर",
  sticker: "ग्राहक का स्टिकर",
  playFile: (kind: string) => `चलाएँ: ${kind}`,
  openFile: "नए टैब में खोलें",
  fileGone: "यह फ़ाइल अब WhatsApp के पास नहीं है।"
}

export const later = choose({ en, hi })
