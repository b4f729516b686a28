import { guardReasonHints } from "../../words/guardReasonHints.ts"
import { choose } from "../../words/language.ts"

/** Where the caller cannot answer a challenge, it is a delay. */
const delayed = {
  en: "Suspicious. It was sent, because none of these reasons was enforced. An enforced reason would have delayed it.",
  hi: "संदिग्ध। इसे भेजा गया, क्योंकि इनमें से कोई कारण लागू नहीं था। लागू कारण से इसमें देरी होती।"
}

export const say = choose({
  en: {
    guard: "Guard",
    protection: "Protection",
    hints: guardReasonHints.en,
    verdicts: {
      delay: delayed.en,
      challenge: delayed.en,
      block:
        "Very suspicious. It was sent, because none of these reasons was enforced. An enforced reason would have refused it."
    }
  },
  hi: {
    guard: "गार्ड",
    protection: "सुरक्षा",
    hints: guardReasonHints.hi,
    verdicts: {
      delay: delayed.hi,
      challenge: delayed.hi,
      block: "बहुत संदिग्ध। इसे भेजा गया, क्योंकि इनमें से कोई कारण लागू नहीं था। लागू कारण से यह अस्वीकार होता।"
    }
  }
})
