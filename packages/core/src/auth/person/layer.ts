import { Layer } from "effect"
import { LinkAddress } from "../../foundation/delivery/LinkAddress.ts"
import { AgentCredentials } from "./AgentCredentials.ts"
import { Invitations } from "./Invitations.ts"
import { Passkeys } from "./Passkeys.ts"
import { ProviderSignIn } from "./ProviderSignIn.ts"
import { Sessions } from "./Sessions.ts"
import { SignIn } from "./SignIn.ts"

/** Who is signed in, who is invited, and what people sign in with besides codes. */
export const layer = Layer.mergeAll(AgentCredentials.layer, Passkeys.layerNoDeps, ProviderSignIn.layerNoDeps).pipe(
  Layer.provideMerge(Layer.mergeAll(Sessions.layer, Invitations.layer))
)

/** Links for people alone: what an operator's command needs. */
export const invitations = (publicUrl: string) => Invitations.layer.pipe(Layer.provide(LinkAddress.layer(publicUrl)))

/** How people sign in: over verifications, like everybody else's customers. */
export const signIn = SignIn.layerNoDeps
