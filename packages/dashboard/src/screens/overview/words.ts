import { choose } from "../../words/language.ts"

export const say = choose({
  en: {
    range: "Range",
    ranges: { today: "Today", "24h": "24 hours", "7d": "7 days", "30d": "30 days" },
    needs: (count: number) => (count === 1 ? "1 issue needs attention" : `${count} issues need attention`),
    fine: "Nothing needs your attention.",
    looking: "Checking for issues…",
    unknown: "The service could not be checked for issues. Try again in a moment.",
    look: "View",
    stop: ".",
    waiting: (customers: string, count: number) =>
      `${customers} ${count === 1 ? "customer is" : "customers are"} waiting for a reply; the first message arrived`,
    noChannel:
      "No channel has a provider, so no code can be sent. The operator has to configure one: the Channels page lists the variables.",
    channelOff: {
      PRIMARY: (channel: string) =>
        `${channel} is the first channel but has no provider here: requests that name no channel are refused.`,
      FALLBACK: (channel: string) => `${channel} is the fallback channel but has no provider here: no fallback is sent.`
    },
    breaker: (channel: string) =>
      `${channel} keeps failing, so sending over it is paused. Messages use the fallback channel if there is one.`,
    breakerUntil: "Next try:",
    late: (count: string, channel: string) => `${count} messages over ${channel} are overdue; the oldest was due`,
    noMoney: (balance: string) => `The balance is ${balance}, so nothing is sent. Top up, or raise the credit limit.`,
    capReached: (channel: string, cap: string) =>
      `${channel} has reached its daily cap of ${cap}. Sending resumes tomorrow, or when you raise the cap.`,
    balanceLow: (balance: string) => `The balance is low: ${balance}.`,
    endpointFailing: "is failing. First failure:",
    endpointWaits: "Its events are kept and retried.",
    endpointGone: "returned 410 Gone and was disabled. You can replay its events of the last 30 days.",
    endpointOff: "was disabled after failing for five days. You can replay its events of the last 30 days.",
    webhook: "Webhook",
    carrier: (carrier: string, channel: string) =>
      `${carrier} keeps failing, so ${channel} messages go over another carrier.`,
    keyRetiring: (key: string) => `A replaced secret of the key ${key} stops working`,
    inCountry: (channel: string, country: string) => `${channel} in ${country}`,
    conversionLow: (group: string, share: string, usual: string, count: string) =>
      `${group}: ${share} of ${count} requests were verified. At this time of the week, it is usually ${usual}.`,
    deliveryLow: (group: string, share: string, usual: string, count: string) =>
      `${group}: ${share} of ${count} messages were delivered. At this time of the week, it is usually ${usual}.`,
    manyStarts: (country: string, count: string, share: string, usual: string) =>
      `${country}: ${count} requests, and only ${share} were verified. At this time of the week, there are at most ${usual}. Someone may be requesting codes without entering them.`,
    mostStartWith: "Most numbers start with",
    verified: "Verified",
    conversion: "Conversion rate",
    timeToVerify: "Time to verify",
    costOfOne: "Cost per verification",
    beside: {
      today: (weekday: string) => `vs last ${weekday}, same time`,
      "24h": () => "vs the same hours last week",
      "7d": () => "vs the previous 7 days",
      "30d": () => "vs the previous 30 days"
    },
    nothingBeside: {
      today: (weekday: string) => `none by this time last ${weekday}`,
      "24h": () => "none in the same hours last week",
      "7d": () => "none in the previous 7 days",
      "30d": () => "none in the previous 30 days"
    },
    points: (points: string) => `${points} points`,
    ofAsked: (verified: string, asked: string) => `${verified} of ${asked}`,
    half: (slow: string) => `median; 95% within ${slow}`,
    was: (before: string) => `previously ${before}`,
    fromVerified: (least: number) => `shown from ${least} verifications`,
    verdicts: { higher: "Higher:", lower: "Lower:", same: "As usual:", few: "Too few to compare" },
    losses: {
      notSent: "not sent",
      notDelivered: "not delivered",
      unused: "never entered",
      noAttempts: "no attempts left",
      wrongNumber: "wrong number",
      notConfirmed: "not confirmed"
    },
    open: "still open",
    setPrices: "Set prices",
    nothingPriced: "No message had a price",
    funnel: "From request to verified",
    steps: { asked: "Requested", verified: "Verified" },
    notes: {
      resent: (count: string) => `${count} resent`,
      fallbacks: (count: string) => `${count} sent over the fallback channel`,
      oneTap: (count: string) => `${count} verified by OneTap without a message (not included)`
    },
    refused: (count: string) => `${count} requests refused`,
    over: {
      "15m": "Verified per 15 minutes",
      "1h": "Verified per hour",
      "1d": "Verified per day"
    },
    now: { today: "today", "24h": "24 hours", "7d": "7 days", "30d": "30 days" },
    before: { today: "last week", "24h": "last week", "7d": "previous 7 days", "30d": "previous 30 days" },
    compare: "Performance",
    by: "Compare by",
    bys: { channel: "By channel", country: "By country", path: "By source", carrier: "By carrier" },
    headings: { channel: "Channel", country: "Country", path: "Requested by", carrier: "Carrier" },
    paths: { SERVER: "Your backend", SDK: "Your app" } as Record<string, string>,
    noGroup: { channel: "None", country: "Unknown", path: "Unknown", carrier: "None" },
    asked: "Requested",
    sent: "Sent",
    delivered: "Delivered",
    toDeliver: "Delivery time p50 / p95",
    successCosts: "Cost per verification",
    noReceipts: "No delivery receipts",
    examplePlays: "Generating an example day. The figures fill in as it runs.",
    first: {
      title: "Get started",
      progress: (done: number, all: number) => `${done} of ${all} done`,
      done: "Done:",
      dismiss: "Dismiss",
      nothing: "No verifications yet",
      steps: {
        tryIt: "Send yourself a code",
        call: "Request a code from your backend",
        webhook: "Add a webhook",
        invite: "Invite team members"
      },
      tryItHint: "A real message, as your customers receive it. Follow its delivery live.",
      tryItTest: "In test nothing leaves this server, and every code is 123456.",
      callHint: "Replace the dots with a server key and its secret. ",
      toKeys: "View API keys",
      webhookHint: "Webhooks notify your servers of every verification.",
      toWebhooks: "View webhooks",
      inviteHint: "Team members share this dashboard.",
      toTeam: "View the team",
      exampleHint: "An example day shows the dashboard with invented customers. Available in test only.",
      exampleDo: "Generate an example day",
      exampleLiveHint: "In test, an example day shows the dashboard with invented customers. Nothing is sent.",
      exampleLiveDo: "Go to test",
      exampleBegun: "Generating the example day. This takes a few seconds."
    }
  },
  hi: {
    range: "अवधि",
    ranges: { today: "आज", "24h": "24 घंटे", "7d": "7 दिन", "30d": "30 दिन" },
    needs: (count) => `${count} ${count === 1 ? "समस्या" : "समस्याओं"} पर ध्यान दें`,
    fine: "फ़िलहाल कोई समस्या नहीं।",
    looking: "समस्याएँ जाँची जा रही हैं…",
    unknown: "समस्याओं की जाँच नहीं हो सकी। थोड़ी देर बाद फिर से प्रयास करें।",
    look: "देखें",
    stop: "।",
    waiting: (customers, count) => `${customers} ${count === 1 ? "ग्राहक" : "ग्राहकों"} को जवाब का इंतज़ार है; पहला संदेश आया:`,
    noChannel:
      "किसी चैनल का प्रदाता नहीं है, इसलिए कोई कोड नहीं भेजा जा सकता। ऑपरेटर को एक कॉन्फ़िगर करना होगा: चैनल पेज पर वेरिएबल दिए हैं।",
    channelOff: {
      PRIMARY: (channel) =>
        `${channel} पहला चैनल है, पर यहाँ उसका प्रदाता नहीं है: जिन अनुरोधों में चैनल नहीं होता वे अस्वीकार होते हैं।`,
      FALLBACK: (channel) => `${channel} फ़ॉलबैक चैनल है, पर यहाँ उसका प्रदाता नहीं है: कोई फ़ॉलबैक नहीं भेजा जाता।`
    },
    breaker: (channel) =>
      `${channel} बार-बार विफल हो रहा है, इसलिए उस पर भेजना रोका गया है। फ़ॉलबैक चैनल हो तो संदेश उससे जाते हैं।`,
    breakerUntil: "अगला प्रयास:",
    late: (count, channel) => `${channel} के ${count} संदेश विलंबित हैं; सबसे पुराना इस समय जाना था:`,
    noMoney: (balance) => `बैलेंस ${balance} है, इसलिए कुछ नहीं भेजा जा रहा। टॉप-अप करें, या क्रेडिट सीमा बढ़ाएँ।`,
    capReached: (channel, cap) => `${channel} की दैनिक सीमा ${cap} पूरी हो गई। भेजना कल से, या सीमा बढ़ाने पर शुरू होगा।`,
    balanceLow: (balance) => `बैलेंस कम है: ${balance}।`,
    endpointFailing: "विफल हो रहा है; पहली विफलता:",
    endpointWaits: "इसके इवेंट रखे जाते हैं और दोबारा भेजे जाते हैं।",
    endpointGone: "ने 410 Gone लौटाया और बंद कर दिया गया। इसके पिछले 30 दिन के इवेंट दोबारा भेजे जा सकते हैं।",
    endpointOff: "पाँच दिन विफल रहने पर बंद कर दिया गया। इसके पिछले 30 दिन के इवेंट दोबारा भेजे जा सकते हैं।",
    webhook: "वेबहुक",
    carrier: (carrier, channel) => `${carrier} बार-बार विफल हो रहा है, इसलिए ${channel} संदेश दूसरे कैरियर से जाते हैं।`,
    keyRetiring: (key) => `कुंजी ${key} का पुराना सीक्रेट इस समय काम करना बंद कर देगा:`,
    inCountry: (channel, country) => `${country} में ${channel}`,
    conversionLow: (group, share, usual, count) =>
      `${group}: ${count} अनुरोधों में से ${share} सत्यापित हुए। सप्ताह के इस समय आम तौर पर ${usual} होते हैं।`,
    deliveryLow: (group, share, usual, count) =>
      `${group}: ${count} संदेशों में से ${share} डिलीवर हुए। सप्ताह के इस समय आम तौर पर ${usual} होते हैं।`,
    manyStarts: (country, count, share, usual) =>
      `${country}: ${count} अनुरोध, और केवल ${share} सत्यापित हुए। सप्ताह के इस समय अधिकतम ${usual} होते हैं। हो सकता है कोई कोड मँगवा रहा हो और उन्हें डाल नहीं रहा हो।`,
    mostStartWith: "अधिकतर नंबर इससे शुरू होते हैं:",
    verified: "सत्यापित",
    conversion: "सफलता दर",
    timeToVerify: "सत्यापन का समय",
    costOfOne: "प्रति सत्यापन लागत",
    beside: {
      today: (weekday) => `पिछले ${weekday}, इसी समय की तुलना में`,
      "24h": () => "पिछले सप्ताह के इन्हीं घंटों की तुलना में",
      "7d": () => "पिछले 7 दिनों की तुलना में",
      "30d": () => "पिछले 30 दिनों की तुलना में"
    },
    nothingBeside: {
      today: (weekday) => `पिछले ${weekday} इस समय तक कोई नहीं`,
      "24h": () => "पिछले सप्ताह इन घंटों में कोई नहीं",
      "7d": () => "पिछले 7 दिनों में कोई नहीं",
      "30d": () => "पिछले 30 दिनों में कोई नहीं"
    },
    points: (points) => `${points} प्रतिशत अंक`,
    ofAsked: (verified, asked) => `${asked} में से ${verified}`,
    half: (slow) => `आधे इतने समय में; 95% ${slow} के भीतर`,
    was: (before) => `पहले ${before}`,
    fromVerified: (least) => `${least} सत्यापन होने पर दिखेगा`,
    verdicts: { higher: "बेहतर:", lower: "कम:", same: "सामान्य:", few: "तुलना के लिए बहुत कम" },
    losses: {
      notSent: "नहीं भेजे गए",
      notDelivered: "डिलीवर नहीं हुए",
      unused: "कोड कभी नहीं डाला गया",
      noAttempts: "कोई प्रयास शेष नहीं",
      wrongNumber: "ग़लत नंबर",
      notConfirmed: "पुष्टि नहीं हुई"
    },
    open: "अभी जारी",
    setPrices: "कीमतें तय करें",
    nothingPriced: "किसी संदेश की कीमत तय नहीं थी",
    funnel: "अनुरोध से सत्यापन तक",
    steps: { asked: "अनुरोधित", verified: "सत्यापित" },
    notes: {
      resent: (count) => `${count} दोबारा भेजे गए`,
      fallbacks: (count) => `${count} फ़ॉलबैक चैनल से भेजे गए`,
      oneTap: (count) => `${count} बिना संदेश OneTap से सत्यापित (शामिल नहीं)`
    },
    refused: (count) => `${count} अनुरोध अस्वीकृत`,
    over: { "15m": "प्रति 15 मिनट सत्यापित", "1h": "प्रति घंटा सत्यापित", "1d": "प्रति दिन सत्यापित" },
    now: { today: "आज", "24h": "24 घंटे", "7d": "7 दिन", "30d": "30 दिन" },
    before: { today: "पिछला सप्ताह", "24h": "पिछला सप्ताह", "7d": "पिछले 7 दिन", "30d": "पिछले 30 दिन" },
    compare: "प्रदर्शन",
    by: "तुलना का आधार",
    bys: { channel: "चैनल", country: "देश", path: "स्रोत", carrier: "कैरियर" },
    headings: { channel: "चैनल", country: "देश", path: "अनुरोधकर्ता", carrier: "कैरियर" },
    paths: { SERVER: "आपका बैकएंड", SDK: "आपका ऐप" },
    noGroup: { channel: "कोई नहीं", country: "अज्ञात", path: "अज्ञात", carrier: "कोई नहीं" },
    asked: "अनुरोधित",
    sent: "प्रेषित",
    delivered: "डिलीवर हुए",
    toDeliver: "डिलीवरी समय p50 / p95",
    successCosts: "प्रति सत्यापन लागत",
    noReceipts: "डिलीवरी रिपोर्ट नहीं मिलती",
    examplePlays: "नमूना दिन बनाया जा रहा है। आँकड़े साथ-साथ भरते जाएँगे।",
    first: {
      title: "शुरू करें",
      progress: (done, all) => `${all} में से ${done} पूरे`,
      done: "पूरा:",
      dismiss: "छिपाएँ",
      nothing: "अभी कोई सत्यापन नहीं",
      steps: {
        tryIt: "ख़ुद को एक कोड भेजें",
        call: "अपने बैकएंड से कोड का अनुरोध करें",
        webhook: "वेबहुक जोड़ें",
        invite: "टीम सदस्यों को आमंत्रित करें"
      },
      tryItHint: "असली संदेश, जैसा आपके ग्राहकों को मिलता है। उसकी डिलीवरी लाइव देखें।",
      tryItTest: "टेस्ट में कुछ भी इस सर्वर से बाहर नहीं जाता, और हर कोड 123456 है।",
      callHint: "बिंदुओं की जगह सर्वर कुंजी और उसका सीक्रेट लिखें। ",
      toKeys: "API कुंजियाँ देखें",
      webhookHint: "वेबहुक आपके सर्वर को हर सत्यापन की सूचना देते हैं।",
      toWebhooks: "वेबहुक देखें",
      inviteHint: "टीम सदस्य यही डैशबोर्ड देखते हैं।",
      toTeam: "टीम देखें",
      exampleHint: "नमूना दिन काल्पनिक ग्राहकों के साथ डैशबोर्ड दिखाता है। केवल टेस्ट में उपलब्ध।",
      exampleDo: "नमूना दिन बनाएँ",
      exampleLiveHint: "टेस्ट में नमूना दिन काल्पनिक ग्राहकों के साथ डैशबोर्ड दिखाता है। कुछ भेजा नहीं जाता।",
      exampleLiveDo: "टेस्ट पर जाएँ",
      exampleBegun: "नमूना दिन बनाया जा रहा है। कुछ सेकंड लगेंगे।"
    }
  }
})
