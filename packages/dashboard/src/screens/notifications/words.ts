import { choose } from "../../words/language.ts"

const en = {
  title: "Profile and notifications",
  name: "Your name",
  nameHint: "Your team sees it beside your replies and notes. Customers do not.",
  save: "Save name",
  saved: "Name saved",
  unchanged: "Change your name first.",
  mails: "Mail me when customers wait",
  mailsHint: "Live only: unassigned leads and your own. At most one mail an hour, with numbers and no names.",
  off: "Never",
  after: { 15: "Longer than 15 minutes", 60: "Longer than an hour" },
  saveMails: "Save",
  mailsSaved: "Mails saved",
  mailsUnchanged: "Choose another time first.",
  noMails: {
    NOT_OFFERED: "This service does not offer mails about waiting customers.",
    ROLE: "Only agents, admins and owners get these mails.",
    UNPROVEN: "Sign in once with a code sent by e-mail to get these mails."
  },
  device: "In this browser",
  deviceHint: "While no tab of the dashboard is visible. Only for unassigned leads and your own.",
  notify: "Notify me when a customer writes",
  sound: "Play a sound when a customer writes",
  hear: "Play it now",
  refused: "This browser blocks notifications of this page. Allow them in the settings of the page.",
  unable: "This browser offers notifications only over https.",
  push: "While the dashboard is closed",
  pushThis: "Notify this device",
  pushHint:
    "Live only: unassigned leads and your own. At most one notification a minute for each conversation, with a number and no name. It ends when you sign out here.",
  cannotPush: "This browser offers no such notifications. On an iPhone, add this page to the home screen first.",
  notSubscribed: "This browser could not turn on notifications. Check its connection and its settings, and try again.",
  noPush: {
    NOT_OFFERED: "This service sends no notifications to closed browsers.",
    ROLE: "Only agents, admins and owners get these notifications."
  },
  otherDevices: "Other devices",
  lastOpened: "last opened",
  removeDevice: "Remove",
  wrote: (name: string) => `${name} wrote`,
  someoneWrote: "A customer wrote",
  several: (count: string) => `${count} customers wrote`
}

const hi: typeof en = {
  title: "प्रोफ़ाइल और सूचनाएँ",
  name: "आपका नाम",
  nameHint: "टीम को यह आपके जवाबों और नोट के साथ दिखता है। ग्राहकों को नहीं।",
  save: "नाम सहेजें",
  saved: "नाम सहेजा गया",
  unchanged: "पहले अपना नाम बदलें।",
  mails: "ग्राहक जवाब का इंतज़ार कर रहे हों तो मुझे ईमेल भेजें",
  mailsHint: "केवल लाइव: बिना असाइन की और आपकी अपनी लीड। एक घंटे में अधिकतम एक मेल, केवल संख्या, बिना नाम।",
  off: "कभी नहीं",
  after: { 15: "15 मिनट से अधिक", 60: "एक घंटे से अधिक" },
  saveMails: "सहेजें",
  mailsSaved: "मेल की सेटिंग सहेजी गई",
  mailsUnchanged: "पहले दूसरा समय चुनें।",
  noMails: {
    NOT_OFFERED: "यह सेवा प्रतीक्षा कर रहे ग्राहकों के बारे में मेल नहीं भेजती।",
    ROLE: "ये मेल केवल एजेंट, एडमिन और ओनर को मिलते हैं।",
    UNPROVEN: "ये मेल पाने के लिए एक बार ईमेल पर भेजे गए कोड से साइन इन करें।"
  },
  device: "इस ब्राउज़र में",
  deviceHint: "जब डैशबोर्ड का कोई टैब दिखाई न दे। केवल बिना असाइन की और आपकी अपनी लीड के लिए।",
  notify: "ग्राहक के लिखने पर सूचना दें",
  sound: "ग्राहक के लिखने पर ध्वनि बजाएँ",
  hear: "अभी सुनें",
  refused: "यह ब्राउज़र इस पेज की सूचनाएँ रोकता है। पेज की सेटिंग में अनुमति दें।",
  unable: "यह ब्राउज़र सूचनाएँ केवल https पर देता है।",
  push: "डैशबोर्ड बंद होने पर",
  pushThis: "इस डिवाइस पर सूचना दें",
  pushHint:
    "केवल लाइव: बिना असाइन की और आपकी अपनी लीड। हर बातचीत के लिए एक मिनट में अधिकतम एक सूचना, केवल संख्या, बिना नाम। यहाँ साइन आउट करने पर बंद हो जाती है।",
  cannotPush: "यह ब्राउज़र ऐसी सूचनाएँ नहीं देता। iPhone पर पहले इस पेज को होम स्क्रीन पर जोड़ें।",
  notSubscribed: "यह ब्राउज़र सूचनाएँ चालू नहीं कर सका। इसका कनेक्शन और इसकी सेटिंग जाँचें, फिर कोशिश करें।",
  noPush: {
    NOT_OFFERED: "यह सेवा बंद ब्राउज़र को सूचनाएँ नहीं भेजती।",
    ROLE: "ये सूचनाएँ केवल एजेंट, एडमिन और ओनर को मिलती हैं।"
  },
  otherDevices: "दूसरे डिवाइस",
  lastOpened: "पिछली बार खुला",
  removeDevice: "हटाएँ",
  wrote: (name) => `${name} ने लिखा`,
  someoneWrote: "एक ग्राहक ने लिखा",
  several: (count) => `${count} ग्राहकों ने लिखा`
}

export const say = choose({ en, hi })
