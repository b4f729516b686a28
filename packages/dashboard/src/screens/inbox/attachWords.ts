import { choose } from "../../words/language.ts"

const en = {
  attach: "Attach a file",
  attached: "Attached file",
  added: (name: string, size: string) => `${name}, ${size}, is attached`,
  remove: (name: string) => `Remove ${name}`,
  removed: "File removed",
  caption: "Add a caption…",
  drop: "Drop the file to attach it",
  uploading: (name: string) => `Uploading ${name}`,
  cancel: "Cancel upload",
  cancelled: "Upload cancelled. The file is still attached.",
  captionTooLong: (over: string) => `A caption is shorter than a message: ${over} characters too many`,
  noCaption: "A recording has no caption. Remove the text, or send it as a message first.",
  one: "Attach one file at a time.",
  empty: "This file is empty. Attach another one.",
  type: "WhatsApp cannot send this type of file. Attach a JPEG or PNG picture, an MP4 video, a recording, a PDF, a Word, Excel or PowerPoint document without macros, or plain text.",
  large: {
    image: (max: string) => `A picture can have at most ${max}. Attach a smaller one.`,
    audio: (max: string) => `A recording can have at most ${max}. Attach a shorter one.`,
    video: (max: string) => `A video can have at most ${max}. Attach a shorter one.`,
    document: (max: string) => `A document can have at most ${max}. Attach a smaller one.`
  },
  larger: (max: string) => `A file can have at most ${max}. Attach a smaller one.`,
  unreadable: "This file cannot be read. Attach it again.",
  noConnection:
    "The connection broke during the upload. The file is still attached: send it again, or attach a smaller one on a slow line.",
  uploadRuns: "Another file is being uploaded. Wait until it is sent, or cancel its upload.",
  refused: (problem: string) => `The file ${problem}.`,
  inNote: "A private note cannot carry a file. Choose Reply to send the file to the customer.",
  windowOver: "Files can be sent only within 24 hours of the customer’s last message.",
  again: "Attach the file again to resend it.",
  notSent: (reason: string) => `The file was not sent. ${reason}`,
  inTest: "In test, nothing is sent, so the file was not kept."
}

const hi: typeof en = {
  attach: "फ़ाइल जोड़ें",
  attached: "जोड़ी गई फ़ाइल",
  added: (name, size) => `${name}, ${size}, जोड़ी गई`,
  remove: (name) => `${name} हटाएँ`,
  removed: "फ़ाइल हटाई गई",
  caption: "कैप्शन लिखें…",
  drop: "जोड़ने के लिए फ़ाइल यहाँ छोड़ें",
  uploading: (name) => `${name} अपलोड हो रही है`,
  cancel: "अपलोड रद्द करें",
  cancelled: "अपलोड रद्द किया गया। फ़ाइल अब भी जुड़ी है।",
  captionTooLong: (over) => `कैप्शन संदेश से छोटा होता है: ${over} अक्षर ज़्यादा हैं`,
  noCaption: "रिकॉर्डिंग के साथ कैप्शन नहीं जाता। टेक्स्ट हटाएँ, या पहले उसे संदेश के रूप में भेजें।",
  one: "एक बार में एक ही फ़ाइल जोड़ें।",
  empty: "यह फ़ाइल ख़ाली है। दूसरी फ़ाइल जोड़ें।",
  type: "WhatsApp इस प्रकार की फ़ाइल नहीं भेज सकता। JPEG या PNG तस्वीर, MP4 वीडियो, रिकॉर्डिंग, PDF, बिना मैक्रो की Word, Excel या PowerPoint फ़ाइल, या सादा टेक्स्ट जोड़ें।",
  large: {
    image: (max) => `तस्वीर अधिक से अधिक ${max} की हो सकती है। छोटी तस्वीर जोड़ें।`,
    audio: (max) => `रिकॉर्डिंग अधिक से अधिक ${max} की हो सकती है। छोटी रिकॉर्डिंग जोड़ें।`,
    video: (max) => `वीडियो अधिक से अधिक ${max} का हो सकता है। छोटा वीडियो जोड़ें।`,
    document: (max) => `दस्तावेज़ अधिक से अधिक ${max} का हो सकता है। छोटा दस्तावेज़ जोड़ें।`
  },
  larger: (max) => `फ़ाइल अधिक से अधिक ${max} की हो सकती है। छोटी फ़ाइल जोड़ें।`,
  unreadable: "यह फ़ाइल पढ़ी नहीं जा सकती। उसे फिर से जोड़ें।",
  noConnection: "अपलोड के दौरान कनेक्शन टूट गया। फ़ाइल अब भी जुड़ी है: फिर से भेजें, या धीमे कनेक्शन पर छोटी फ़ाइल जोड़ें।",
  uploadRuns: "दूसरी फ़ाइल अपलोड हो रही है। उसके जाने तक रुकें, या उसका अपलोड रद्द करें।",
  refused: (problem) => problem,
  inNote: "निजी नोट में फ़ाइल नहीं जाती। ग्राहक को फ़ाइल भेजने के लिए जवाब चुनें।",
  windowOver: "फ़ाइलें ग्राहक के आख़िरी संदेश के 24 घंटे के भीतर ही भेजी जा सकती हैं।",
  again: "दोबारा भेजने के लिए फ़ाइल फिर से जोड़ें।",
  notSent: (reason) => `फ़ाइल नहीं भेजी गई। ${reason}`,
  inTest: "टेस्ट में कुछ भेजा नहीं जाता, इसलिए फ़ाइल रखी नहीं गई।"
}

export const say = choose({ en, hi })
