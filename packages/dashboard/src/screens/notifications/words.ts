import { choose } from "../../words/language.ts"

const en = {
  title: "Profile and notifications",
  name: "Your name",
  nameHint: "Your team sees it beside your replies and notes. Customers do not.",
  save: "Save name",
  saved: "Name saved",
  unchanged: "Change your name first.",
  device: "In this browser",
  deviceHint: "While no tab of the dashboard is visible. Only for unassigned leads and your own.",
  notify: "Notify me when a customer writes",
  sound: "Play a sound when a customer writes",
  hear: "Play it now",
  refused: "This browser blocks notifications of this page. Allow them in the settings of the page.",
  unable: "This browser offers notifications only over https.",
  wrote: (name: string) => `${name} wrote`,
  someoneWrote: "A customer wrote",
  several: (count: string) => `${count} customers wrote`
}

const hi: typeof en = {
  title: "प्रोफ़ाइल और सूचनाएँ",
  name: "आपका नाम",
  nameHint: "टीम इसे आपके जवाबों और नोट के पास देखती है। ग्राहक नहीं देखते।",
  save: "नाम सहेजें",
  saved: "नाम सहेजा गया",
  unchanged: "पहले अपना नाम बदलें।",
  device: "इस ब्राउज़र में",
  deviceHint: "जब डैशबोर्ड का कोई टैब दिखाई न दे। केवल बिना असाइन की और आपकी अपनी लीड के लिए।",
  notify: "ग्राहक के लिखने पर सूचना दें",
  sound: "ग्राहक के लिखने पर ध्वनि बजाएँ",
  hear: "अभी सुनें",
  refused: "यह ब्राउज़र इस पेज की सूचनाएँ रोकता है। पेज की सेटिंग में अनुमति दें।",
  unable: "यह ब्राउज़र सूचनाएँ केवल https पर देता है।",
  wrote: (name) => `${name} ने लिखा`,
  someoneWrote: "एक ग्राहक ने लिखा",
  several: (count) => `${count} ग्राहकों ने लिखा`
}

export const say = choose({ en, hi })
