import { channelName } from "../words/channels.ts"
import { duration } from "../words/format.ts"
import { choose } from "../words/language.ts"

/** A whole reason of the service, and its sentence from the parts that vary. */
type Sentence = readonly [reason: RegExp, words: (...parts: ReadonlyArray<string>) => string]

/** English shows the service's own sentences. A reason without a sentence here is shown as it is in every language. */
const sentences = choose<ReadonlyArray<Sentence>>({
  en: [],
  hi: [
    [
      /^no fallbackChannel is set, or it cannot reach this identity$/,
      () => "फ़ॉलबैक चैनल सेट नहीं है, या वह इस उपयोगकर्ता तक नहीं पहुँच सकता"
    ],
    [/^already used$/, () => "पहले ही इस्तेमाल हो चुका है"],
    [/^already used at (\S+)$/, (at) => `पहले ही इस्तेमाल हो चुका है (${at} UTC)`],
    [/^its channel already sent this code$/, () => "उसका चैनल यह कोड पहले ही भेज चुका है"],
    [/^(\S+) already sent this code$/, (channel) => `${channelName(channel!)} यह कोड पहले ही भेज चुका है`],
    [
      /^(\S+) accepted it, and sends no receipts$/,
      (channel) => `${channelName(channel!)} ने संदेश लिया, और डिलीवरी रिपोर्ट नहीं भेजता`
    ],
    [/^a message was already delivered$/, () => "एक संदेश पहले ही डिलीवर हो चुका है"],
    [/^already verified$/, () => "पहले ही सत्यापित"],
    [/^the verification had failed$/, () => "सत्यापन विफल हो चुका था"],
    [/^the verification had expired$/, () => "सत्यापन एक्सपायर हो चुका था"],
    [/^no attempts were left$/, () => "कोई प्रयास शेष नहीं था"],
    [/^its channel has no price$/, () => "उसके चैनल की कीमत तय नहीं है"],
    [/^insufficient balance$/, () => "बैलेंस कम है"],
    [/^its channel reached the daily cap$/, () => "उसके चैनल की दैनिक ख़र्च सीमा पूरी हो गई"],
    [/^the previous message failed$/, () => "पिछला संदेश विफल हुआ"],
    [
      /^no receipt within (\d+(?:\.\d+)?) s$/,
      (seconds) => `${duration(Number(seconds) * 1000)} में डिलीवरी रिपोर्ट नहीं आई`
    ],
    [
      /^the previous carrier could not deliver it, so the next one sends it$/,
      () => "पिछला कैरियर डिलीवर नहीं कर सका, इसलिए अगला भेजता है"
    ],
    [/^no message could be delivered$/, () => "कोई संदेश डिलीवर नहीं हो सका"],
    [/^the code was entered after the verification ended$/, () => "कोड सत्यापन समाप्त होने के बाद डाला गया"],
    [/^a code was entered after the last attempt$/, () => "आख़िरी प्रयास के बाद कोड डाला गया"],
    [
      /^a wrong number was selected, or the proof is for another number$/,
      () => "ग़लत नंबर चुना गया, या पुष्टि किसी दूसरे नंबर की है"
    ],
    [/^unknown reason$/, () => "कारण अज्ञात"],
    [/^the provider reported a failure: no reason given$/, () => "प्रदाता ने कारण नहीं बताया"]
  ]
})

/** The service's reason in the page's language. */
export const serviceReason = (reason: string): string => {
  for (const [pattern, words] of sentences) {
    const found = pattern.exec(reason)
    if (found !== null) return words(...found.slice(1))
  }
  return reason
}
