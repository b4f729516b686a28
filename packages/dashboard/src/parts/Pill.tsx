import type { ComponentChildren } from "preact"
import { channelName } from "../words/channels.ts"

export type Tone = "good" | "bad" | "warn" | "accent" | "plain"

/** A state in a word. Its colour says nothing that the word does not. */
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

/** A channel by its name, with the colour that it has everywhere. */
export function Channel({ name }: { readonly name: string }) {
  return (
    <span class="channel" data-channel={name}>
      {channelName(name)}
    </span>
  )
}
