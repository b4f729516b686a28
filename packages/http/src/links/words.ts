/** The languages of link pages. */
export type Language = "en" | "hi"

/** The texts of the pages. `brand` is passed as escaped markup. */
export interface Words {
  /** Plain text for the title and for link previews in messengers. */
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
  /** What to do if the user did not request the sign-in. */
  readonly leave: string
  /** The same for pages that ask for a number. */
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
    caution: "Someone is waiting to sign in. Continue only if it is you.",
    account: "Account",
    device: "Device",
    place: "Location",
    asked: "Requested",
    now: "just now",
    approve: "Yes, sign me in",
    whichNumber: "Tap the number shown on your other screen",
    notMine: "Not you?",
    leave: "Close this page. The sign-in is not approved unless you press the button.",
    noNumber:
      "Close this page, also if no number is shown there. The sign-in is not approved unless you tap the right number.",
    approved: {
      title: "Sign-in approved",
      text: "Close this page and return to where you are signing in."
    },
    mistaken: {
      title: "Wrong number",
      text: "This sign-in was stopped and not approved.",
      more: "If you were signing in, start again there. If not, you do not need to do anything."
    },
    unusable: {
      title: "This link is not valid",
      text: "A link works once, for a few minutes. This link was already used, has expired, or is incomplete.",
      more: "If you are still signing in, open the link in your latest message, or request a new one there."
    },
    unavailable: {
      title: "Something went wrong",
      text: "The problem is on our side. Wait a moment, then open the link in your message again."
    }
  },
  hi: {
    title: (brand) => `${brand} में साइन इन`,
    question: (brand) => `${brand} में साइन इन करें?`,
    caution: "कोई साइन इन होने का इंतज़ार कर रहा है। अगर वह आप हैं, तभी आगे बढ़ें।",
    account: "खाता",
    device: "डिवाइस",
    place: "स्थान",
    asked: "अनुरोध",
    now: "अभी-अभी",
    approve: "हाँ, साइन इन करें",
    whichNumber: "अपनी दूसरी स्क्रीन पर दिख रहा नंबर दबाएँ",
    notMine: "यह आप नहीं थे?",
    leave: "यह पेज बंद कर दें। जब तक आप बटन नहीं दबाते, साइन इन मंज़ूर नहीं होगा।",
    noNumber: "यह पेज बंद कर दें, तब भी जब वहाँ कोई नंबर न दिखे। जब तक आप सही नंबर नहीं दबाते, साइन इन मंज़ूर नहीं होगा।",
    approved: {
      title: "साइन इन मंज़ूर हुआ",
      text: "अब यह पेज बंद करके वहाँ लौट जाएँ जहाँ आप साइन इन कर रहे हैं।"
    },
    mistaken: {
      title: "ग़लत नंबर",
      text: "यह साइन इन रोक दिया गया और मंज़ूर नहीं हुआ।",
      more: "अगर आप साइन इन कर रहे थे, तो वहाँ फिर से शुरू करें। अगर नहीं, तो आपको कुछ नहीं करना है।"
    },
    unusable: {
      title: "यह लिंक मान्य नहीं है",
      text: "हर लिंक एक बार और कुछ मिनट काम करता है। यह लिंक इस्तेमाल हो चुका है, इसकी समय-सीमा समाप्त हो गई है, या यह अधूरा है।",
      more: "अगर आप अब भी साइन इन कर रहे हैं, तो सबसे नए संदेश का लिंक खोलें, या वहाँ नया लिंक माँगें।"
    },
    unavailable: {
      title: "कुछ गड़बड़ हो गई",
      text: "समस्या हमारी ओर है। थोड़ा रुककर अपने संदेश का लिंक फिर से खोलें।"
    }
  }
}
