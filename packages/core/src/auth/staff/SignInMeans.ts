import { Context, Layer } from "effect"
import type { IdentityProvider } from "./IdentityProvider.ts"
import type { PasskeyVerifier } from "./PasskeyVerifier.ts"

/** The sign-in methods, apart from codes and links. */
export class SignInMeans extends Context.Service<
  SignInMeans,
  {
    readonly passkeys: PasskeyVerifier | null
    readonly provider: IdentityProvider | null
  }
>()("@countersign/core/person/SignInMeans") {
  static readonly layer = (means: {
    readonly passkeys?: PasskeyVerifier | undefined
    readonly provider?: IdentityProvider | undefined
  }): Layer.Layer<SignInMeans> =>
    Layer.succeed(SignInMeans, SignInMeans.of({ passkeys: means.passkeys ?? null, provider: means.provider ?? null }))
}
