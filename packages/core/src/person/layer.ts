import { Layer } from "effect"
import { Invitations } from "./Invitations.ts"
import { Sessions } from "./Sessions.ts"
import { SignIn } from "./SignIn.ts"

/** Who is signed in, and who is invited. */
export const layer = Layer.mergeAll(Sessions.layer, Invitations.layer)

/** How people sign in: over verifications, like everybody else's customers. */
export const signIn = SignIn.layerNoDeps
