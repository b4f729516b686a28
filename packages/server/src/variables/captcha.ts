import { apiUrlProblem, siteverify } from "@countersign/provider-http"
import type { CheckCaptcha } from "@countersign/core"
import { longEnough } from "./parse.ts"
import type { VariableReader } from "../VariableReader.ts"
import type { VariableGroup } from "./Variable.ts"

const more = "See [your own captcha](protection.md#your-own-captcha)"

export const group: VariableGroup = {
  id: "captcha",
  title: "Captcha",
  prefix: "CAPTCHA_",
  together: true,
  variables: [
    {
      name: "CAPTCHA_VERIFY_URL",
      about: "where the captcha's provider checks tokens (`siteverify`); must be https, except on this machine",
      example: "https://api.hcaptcha.com/siteverify",
      needs: ["CAPTCHA_SECRET"],
      more
    },
    {
      name: "CAPTCHA_SECRET",
      about: "the captcha's secret key, which belongs to the site key in your app",
      example: "from the provider's console",
      secret: true,
      needs: ["CAPTCHA_VERIFY_URL"]
    }
  ]
}

/** Reads the captcha that challenges ask for. Undefined: they ask for a proof of work. */
export const read = (reader: VariableReader): { readonly checkCaptcha: CheckCaptcha | undefined } => {
  const url = reader.text("CAPTCHA_VERIFY_URL")
  const problem = apiUrlProblem(url)
  if (problem !== null) reader.refuse("CAPTCHA_VERIFY_URL", problem)
  const secret = reader.read("CAPTCHA_SECRET", longEnough(8), "must be at least 8 characters")
  return { checkCaptcha: url === undefined || secret === undefined ? undefined : siteverify({ url, secret }) }
}
