interface OtpCredential extends Credential {
  readonly code: string
}

const isOtp = (credential: Credential | null): credential is OtpCredential =>
  credential !== null && "code" in credential && typeof credential.code === "string"

/** The code from an SMS that names this site, if the phone offers to fill it in. Otherwise null. */
export const codeFromSms = async (signal: AbortSignal): Promise<string | null> => {
  if (!("OTPCredential" in window)) return null
  const request: CredentialRequestOptions & { readonly otp: { readonly transport: ReadonlyArray<"sms"> } } = {
    otp: { transport: ["sms"] },
    signal
  }
  return navigator.credentials.get(request).then(
    (credential) => (isOtp(credential) ? credential.code : null),
    () => null
  )
}
