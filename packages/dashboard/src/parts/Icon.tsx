/** Drawings of 24 units, in strokes of one width. */
const drawings = {
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.5 15.5 20.5 20.5",
  filter: "M3.5 6.5h17M7 12h10M10.5 17.5h3",
  overview: "M4 20V11M10 20V4M16 20v-7M21.5 20H2.5",
  verifications: "M12 3.5 5 6v5.5c0 4.5 3 7.5 7 9 4-1.5 7-4.5 7-9V6zM8.8 12l2.3 2.3 4.2-4.4",
  inbox: "M4 5h16v11.5H9.5L5.5 20v-3.5H4z",
  more: "M3.5 6.5h17M3.5 12h17M3.5 17.5h17"
} as const

export type IconName = keyof typeof drawings

/** A drawing beside or instead of words. Screen readers skip it. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={drawings[name]} />
  </svg>
)
