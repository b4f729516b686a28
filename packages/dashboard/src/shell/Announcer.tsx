/** Says aloud what changes without the focus moving. */
export function Announcer({ text }: { readonly text: string }) {
  return (
    <p class="unseen" role="status">
      {text}
    </p>
  )
}
