import type { ChannelName } from "../delivery/ChannelName.ts"
import type { Template } from "./Template.ts"

/** The template for links that is used where a merchant has none of its own. */
export const builtInLink = (channel: ChannelName, _locale: string): Template => ({
  name: "link",
  channel,
  locale: "en",
  version: 1,
  subject: channel === "EMAIL" ? "Sign in to {{brand}}" : null,
  body: "Sign in to {{brand}}: {{link}} Valid for {{minutes}} min.",
  html: null
})
