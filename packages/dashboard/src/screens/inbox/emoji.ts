/** The emoji that replies use most: the sign, its English words, its Hindi words. */
const list = `
😀|grinning happy smile|ख़ुश मुस्कान
😊|smiling blush happy|मुस्कान ख़ुशी
🙂|slight smile|हल्की मुस्कान
😃|big smile happy|बड़ी मुस्कान
😄|laughing smile eyes|हँसी मुस्कान
😁|beaming grin|खिली मुस्कान
😅|sweat smile relief phew|राहत पसीना
😂|tears of joy laugh lol|हँसी आँसू
🤣|rolling laugh|लोटपोट हँसी
😉|wink|आँख मारना
😍|heart eyes love|प्यार आँखें
🥰|hearts love affection|स्नेह प्यार
😘|kiss|चुंबन
🤗|hug|गले लगना
🤩|star eyes amazed wow|कमाल वाह
🥳|party celebrate birthday|पार्टी जश्न
😎|cool sunglasses|कूल चश्मा
🤔|thinking hmm|सोच
🤨|raised eyebrow doubt|शक
😐|neutral|सामान्य
😌|relieved calm|शांत राहत
😴|sleeping tired night|नींद
😕|confused|उलझन
😟|worried|चिंता
🙁|slight frown sad|उदास
😢|crying sad tear|रोना आँसू
😭|loud crying|ज़ोर से रोना
😔|pensive sad sorry|दुखी
😞|disappointed|निराश
😓|cold sweat|पसीना
😩|weary tired|थका
😤|steam frustrated|नाराज़
😠|angry|ग़ुस्सा
😡|very angry red|बहुत ग़ुस्सा
😱|shock scream|झटका चीख
😳|flushed embarrassed|शर्म
😬|grimace awkward|अटपटा
🙄|eye roll|आँखें घुमाना
😷|mask sick|मास्क बीमार
🤒|fever ill thermometer|बुख़ार
🤦|facepalm|माथा पकड़ना
🤷|shrug do not know|पता नहीं
🙋|raising hand question|हाथ उठाना सवाल
🙌|raised hands hooray|हाथ ऊपर वाह
👍|thumbs up yes ok good|ठीक हाँ अच्छा
👎|thumbs down no bad|नहीं ख़राब
👌|ok hand perfect|बढ़िया ठीक
👏|clap applause|ताली
🙏|thank you please namaste folded hands|नमस्ते धन्यवाद
🤝|handshake deal agreed|हाथ मिलाना समझौता
👋|wave hello bye|हाथ हिलाना नमस्ते
✌️|victory peace|जीत शांति
🤞|crossed fingers luck|शुभकामना
💪|strong muscle|ताक़त
👉|point right|दाईं ओर
👇|point down below|नीचे
☝️|point up one|ऊपर
✋|stop hand|रुकिए
👀|eyes look seen|आँखें देखना
🫶|heart hands love|दिल हाथ
❤️|red heart love|लाल दिल प्यार
🧡|orange heart|नारंगी दिल
💛|yellow heart|पीला दिल
💚|green heart|हरा दिल
💙|blue heart|नीला दिल
💜|purple heart|बैंगनी दिल
💔|broken heart|टूटा दिल
💯|hundred perfect|सौ पूरा
✅|check done yes|हो गया सही
❌|cross no wrong|ग़लत नहीं
⚠️|warning attention|चेतावनी
❗|exclamation important|ज़रूरी
❓|question|सवाल
ℹ️|information|जानकारी
🆗|ok button|ठीक
🆕|new|नया
🔥|fire hot|आग
✨|sparkles new shiny|चमक
⭐|star|तारा
🌟|glowing star|चमकता तारा
🎉|party popper congratulations|बधाई जश्न
🎊|confetti celebrate|जश्न
🎁|gift present|उपहार तोहफ़ा
🎂|birthday cake|जन्मदिन केक
🪔|diya diwali lamp|दीया दीवाली
🎆|fireworks|आतिशबाज़ी
💐|bouquet flowers|गुलदस्ता फूल
🌹|rose flower|गुलाब फूल
🌸|blossom flower|फूल
🌞|sun morning|सूरज सुबह
🌙|moon night|चाँद रात
☔|rain umbrella weather|बारिश छाता
☕|coffee tea hot drink|चाय कॉफ़ी
🍕|pizza food|पिज़्ज़ा खाना
🍽️|plate meal food|खाना
🛒|shopping cart order|ख़रीदारी ऑर्डर
🛍️|shopping bags|ख़रीदारी थैले
📦|package parcel order|पार्सल ऑर्डर
🚚|delivery truck shipping|डिलीवरी ट्रक
🛵|scooter delivery|स्कूटर डिलीवरी
🚗|car|कार
✈️|aeroplane travel flight|हवाई जहाज़ यात्रा
🏠|home house address|घर पता
🏪|shop store|दुकान
🏢|office building|दफ़्तर
🏥|hospital|अस्पताल
📍|pin location place|जगह लोकेशन
🗺️|map|नक़्शा
💰|money bag|पैसा
💵|cash notes|नक़द
💳|card payment|कार्ड भुगतान
🧾|receipt bill invoice|रसीद बिल
🏷️|label price tag offer|क़ीमत ऑफ़र
💸|refund money wings|पैसे वापस
📈|chart up growth|बढ़त
📉|chart down|गिरावट
📅|calendar date|तारीख़ कैलेंडर
⏰|alarm clock time|घड़ी समय
⏳|hourglass wait|इंतज़ार
🕐|clock one time|समय
📞|phone call|फ़ोन कॉल
📱|mobile phone|मोबाइल
💬|chat message|संदेश चैट
📧|e-mail mail|ईमेल
📎|paper clip attachment|अटैचमेंट
📄|page document|दस्तावेज़
📷|camera photo|फ़ोटो कैमरा
🎥|video film|वीडियो
🔗|link|लिंक
🔒|lock secure|ताला सुरक्षित
🔑|key password|चाबी
🔔|bell notification|घंटी सूचना
🔍|search find|खोज
🔧|wrench repair fix|मरम्मत
⚙️|settings gear|सेटिंग
💡|idea bulb|विचार
🎧|headphones support|सहायता हेडफ़ोन
👨‍💻|man computer support|कंप्यूटर सहायता
👩‍💻|woman computer support|कंप्यूटर सहायता
🧑‍🤝‍🧑|people team|टीम लोग
👶|baby|बच्चा
🐶|dog|कुत्ता
🐱|cat|बिल्ली
➡️|right arrow next|आगे
⬇️|down arrow|नीचे
🔁|repeat again return|फिर से
1️⃣|one first|एक पहला
2️⃣|two second|दो दूसरा
3️⃣|three third|तीन तीसरा
`

export interface Emoji {
  readonly sign: string
  readonly en: string
  readonly hi: string
}

export const emoji: ReadonlyArray<Emoji> = list
  .trim()
  .split("\n")
  .map((line) => {
    const [sign = "", en = "", hi = ""] = line.split("|")
    return { sign, en, hi }
  })

/** Emoji with a word that starts with each word of the search, in either language. All for an empty search. */
export const matchingEmoji = (search: string): ReadonlyArray<Emoji> => {
  const starts = search.toLowerCase().split(/\s+/).filter(Boolean)
  return emoji.filter(({ en, hi }) => {
    const words = `${en} ${hi}`.split(" ")
    return starts.every((start) => words.some((word) => word.startsWith(start)))
  })
}
