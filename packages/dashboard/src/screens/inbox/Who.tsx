import { me } from "../../session/session.ts"
import { initialsOf, nameOf, who } from "./names.ts"

/** The initials of a team member. Decoration beside the name, so screen readers skip it. */
export const Initials = ({ email }: { readonly email: string }) =>
  email.includes("@") ? (
    <span class="initials" aria-hidden="true">
      {initialsOf(email === me.value?.agent.email ? (me.value?.agent.name ?? nameOf(email)) : nameOf(email))}
    </span>
  ) : null

/** Who wrote a message, with initials. The address is shown on hover. */
export const Who = ({ by }: { readonly by: string }) => (
  <span class="who theirs" title={by.includes("@") ? by : undefined}>
    <Initials email={by} /> {who(by)}
  </span>
)
