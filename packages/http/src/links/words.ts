/** The languages that a link's page speaks. */
export type Language = "en" | "hi"

/** What the pages say. A `brand` that goes in is markup already. */
export interface Words {
  /** What stands in the title, and in a messenger's preview of the link: as plain text. */
  readonly title: (brand: string) => string
  readonly question: (brand: string) => string
  readonly caution: string
  readonly account: string
  readonly device: string
  readonly place: string
  readonly asked: string
  readonly now: string
  readonly approve: string
  readonly whichNumber: string
  readonly notMine: string
  /** What to do if it was somebody else. */
  readonly leave: string
  /** The same, where a number is asked for. */
  readonly noNumber: string
  readonly approved: { readonly title: string; readonly text: string }
  readonly mistaken: { readonly title: string; readonly text: string; readonly more: string }
  readonly unusable: { readonly title: string; readonly text: string; readonly more: string }
  readonly unavailable: { readonly title: string; readonly text: string }
}

export const words: { readonly [L in Language]: Words } = {
  en: {
    title: (brand) => `Sign in to ${brand}`,
    question: (brand) => `Sign in to ${brand}?`,
    caution: "Somebody is waiting to be signed in. Continue only if it is you.",
    account: "Account",
    device: "Device",
    place: "Place",
    asked: "Asked",
    now: "just now",
    approve: "Yes, sign me in",
    whichNumber: "Which number do you see where you are signing in?",
    notMine: "Not you?",
    leave: "Close this page. Nobody is signed in unless you press the button.",
    noNumber: "Close this page, also if you see no number there. Nobody is signed in unless you choose the right one.",
    approved: {
      title: "Sign-in approved",
      text: "You can close this page and go back to where you are signing in."
    },
    mistaken: {
      title: "That was not the number",
      text: "This sign-in has been stopped, and nobody was let in.",
      more: "If it was yours, start again where you were signing in. If it was somebody else’s, there is nothing more to do."
    },
    unusable: {
      title: "This link cannot be used",
      text: "A link works once, and for a few minutes. This one was used, is too old, or was not opened whole.",
      more: "If you are still signing in, open the link in your newest message, or ask for another where you are signing in."
    },
    unavailable: {
      title: "This did not work",
      text: "It is our fault, and not your link’s. Wait a moment, then open the link in your message again."
    }
  },
  hi: {
    title: (brand) => `${brand} में साइन इन`,
    question: (brand) => `${brand} में साइन इन करें?`,
    caution: "कोई साइन इन होने का इंतज़ार कर रहा है। अगर वह आप हैं, तभी आगे बढ़ें।",
    account: "खाता",
    device: "डिवाइस",
    place: "जगह",
    asked: "अनुरोध",
    now: "अभी-अभी",
    approve: "हाँ, साइन इन करें",
    whichNumber: "जहाँ आप साइन इन कर रहे हैं, वहाँ कौन-सा नंबर दिख रहा है?",
    notMine: "यह आप नहीं थे?",
    leave: "यह पेज बंद कर दें। जब तक आप बटन नहीं दबाते, कोई साइन इन नहीं होगा।",
    noNumber: "यह पेज बंद कर दें, तब भी जब वहाँ कोई नंबर न दिखे। जब तक आप सही नंबर नहीं चुनते, कोई साइन इन नहीं होगा।",
    approved: {
      title: "साइन इन मंज़ूर हुआ",
      text: "अब यह पेज बंद करके वहाँ लौट जाएँ जहाँ आप साइन इन कर रहे हैं।"
    },
    mistaken: {
      title: "यह सही नंबर नहीं था",
      text: "यह साइन इन रोक दिया गया है, और किसी को अंदर नहीं आने दिया गया।",
      more: "अगर यह आपका था, तो जहाँ साइन इन कर रहे थे वहाँ फिर से शुरू करें। अगर किसी और का था, तो आपको और कुछ नहीं करना है।"
    },
    unusable: {
      title: "यह लिंक काम नहीं करेगा",
      text: "हर लिंक एक ही बार और कुछ ही मिनट काम करता है। यह लिंक इस्तेमाल हो चुका है, पुराना हो गया है, या पूरा नहीं खुला।",
      more: "अगर आप अब भी साइन इन कर रहे हैं, तो सबसे नए संदेश का लिंक खोलें, या जहाँ साइन इन कर रहे हैं वहाँ नया लिंक माँगें।"
    },
    unavailable: {
      title: "यह नहीं हो पाया",
      text: "गलती हमारी ओर से है, आपके लिंक की नहीं। थोड़ा रुककर अपने संदेश का लिंक फिर से खोलें।"
    }
  }
}
