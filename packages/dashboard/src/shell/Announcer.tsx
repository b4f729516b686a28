/** Announces changes to screen readers without moving the focus. */
export function Announcer({ text }: { readonly text: string }) {
  return (
    <p class="unseen" role="status">
      {text}
    </p>
  )
}
