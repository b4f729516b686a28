import { Schema } from "effect"

/** The client id or its secret is missing, unknown or wrong. It never says which. */
export class InvalidCredentials extends Schema.TaggedError<InvalidCredentials>()("InvalidCredentials", {}) {}

/** The credentials are right, and the operator has suspended the merchant. */
export class MerchantSuspended extends Schema.TaggedError<MerchantSuspended>()("MerchantSuspended", {}) {}

export class UnknownMerchant extends Schema.TaggedError<UnknownMerchant>()("UnknownMerchant", { id: Schema.String }) {}

/** A client id or public key that was chosen cannot be this merchant's. */
export class KeysTaken extends Schema.TaggedError<KeysTaken>()("KeysTaken", {
  clientId: Schema.String,
  why: Schema.Literals(["FOREIGN", "WELL_KNOWN"])
}) {
  override get message(): string {
    return this.why === "FOREIGN"
      ? `${this.clientId} exists already, for another merchant or environment; choose another`
      : `${this.clientId} is a name that everybody knows, and opens nothing; choose another`
  }
}
