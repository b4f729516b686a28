import { Schema } from "effect"

/** A limit is reached. The request wrote nothing and counted nothing. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  limit: Schema.Literals([
    "failures",
    "wrongNumbers",
    "cooldown",
    "resends",
    "messages",
    "environment",
    "spelling",
    "canonical",
    "address",
    "refusals",
    "signIn",
    "signInCodes",
    "trials",
    "lookUps",
    "hourlyLimitPerPrefix",
    "hourlyLimitPerCountry",
    "hourlyLimitPerMerchant",
    "challenge",
    "starts"
  ]),
  retryAfterSeconds: Schema.Int,
  requestId: Schema.NullOr(Schema.String)
}) {}
