import type { ComponentChildren } from "preact"
import { channelName } from "../words/channels.ts"

export type Tone = "good" | "bad" | "warn" | "accent" | "plain"

/** A status label. Its colour carries no information of its own. */
export function Pill({
  children,
  tone = "plain",
  title
}: {
  readonly children: ComponentChildren
  readonly tone?: Tone
  readonly title?: string | undefined
}) {
  return (
    <span class="pill" data-tone={tone} title={title}>
      {children}
    </span>
  )
}

/** A channel's name with its colour. */
export function Channel({ name }: { readonly name: string }) {
  return (
    <span class="channel" data-channel={name}>
      {channelName(name)}
    </span>
  )
}
