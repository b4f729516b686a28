// Shows push notifications about customers. It caches nothing and intercepts no request: it has no `fetch` listener.
// A push has a count and the lead's reference, and no word of the customer. The words are here.

const words = {
  en: {
    title: "A customer is waiting",
    messages: (count) => (count === 1 ? "1 message without an answer" : `${count} messages without an answer`)
  },
  hi: {
    title: "एक ग्राहक प्रतीक्षा में है",
    messages: (count) => (count === 1 ? "1 संदेश का जवाब बाकी है" : `${count} संदेशों का जवाब बाकी है`)
  }
}

/** The page registers this worker with the language of its reader. */
const language = new URL(self.location.href).searchParams.get("lang") === "hi" ? "hi" : "en"
const base = "/dashboard/inbox"

/** The count and the reference of a push. Browsers require a notification even for a push that cannot be read. */
const read = (data) => {
  try {
    const { count, lead } = data.json()
    const [, merchant, id] = /^([A-Za-z0-9_]{1,64})\.([1-9][0-9]{0,9})$/.exec(lead) ?? []
    return { count: Number.isSafeInteger(count) && count > 0 ? count : 1, merchant, id }
  } catch {
    return { count: 1 }
  }
}

self.addEventListener("install", () => self.skipWaiting())
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()))

self.addEventListener("push", (event) => {
  const { count, id, merchant } = read(event.data)
  const say = words[language]
  const shown = self.registration.showNotification(say.title, {
    body: say.messages(count),
    // A later push about the same conversation replaces this one.
    tag: `countersign-${merchant ?? ""}-${id ?? ""}`,
    renotify: true,
    lang: language,
    icon: "/dashboard/icon-192.png",
    badge: "/dashboard/icon-192.png",
    data: { path: id === undefined ? base : `${base}/${id}?merchant=${merchant}` }
  })
  event.waitUntil(shown)
})

const openPath = async (path) => {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true })
  const page = pages.find(({ url }) => /^\/dashboard(\/|$)/.test(new URL(url).pathname))
  if (page === undefined) return self.clients.openWindow(path)
  // The page goes there by itself, without a load, so that no typed text is lost.
  page.postMessage({ countersign: "open", path })
  return page.focus()
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close()
  event.waitUntil(openPath(event.notification.data?.path ?? base))
})
