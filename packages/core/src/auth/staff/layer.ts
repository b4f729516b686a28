import { Layer } from "effect"
import { LinkAddress } from "../../foundation/delivery/LinkAddress.ts"
import { AgentCredentials } from "./AgentCredentials.ts"
import { Invitations } from "./Invitations.ts"
import { Passkeys } from "./Passkeys.ts"
import { ProviderSignIn } from "./ProviderSignIn.ts"
import { Sessions } from "./Sessions.ts"
import { SignIn } from "./SignIn.ts"

/** Sessions, invitations, and the credentials apart from codes. */
export const layer = Layer.mergeAll(AgentCredentials.layer, Passkeys.layerNoDeps, ProviderSignIn.layerNoDeps).pipe(
  Layer.provideMerge(Layer.mergeAll(Sessions.layer, Invitations.layer))
)

/** Only sign-in links, for operator commands. */
export const invitations = (publicUrl: string) => Invitations.layer.pipe(Layer.provide(LinkAddress.layer(publicUrl)))

/** Sign-in of people, built on verifications like those of merchants' customers. */
export const signIn = SignIn.layerNoDeps
