import { Schema } from "effect"

/** The client id or its secret is missing, unknown or wrong. The error does not distinguish these. */
export class InvalidCredentials extends Schema.TaggedError<InvalidCredentials>()("InvalidCredentials", {}) {}

/** The credentials are valid, but the operator has suspended the merchant. */
export class MerchantSuspended extends Schema.TaggedError<MerchantSuspended>()("MerchantSuspended", {}) {}

export class UnknownMerchant extends Schema.TaggedError<UnknownMerchant>()("UnknownMerchant", { id: Schema.String }) {}

/** A chosen client id or public key is not available to this merchant. */
export class KeysTaken extends Schema.TaggedError<KeysTaken>()("KeysTaken", {
  clientId: Schema.String,
  why: Schema.Literals(["FOREIGN", "WELL_KNOWN"])
}) {
  override get message(): string {
    return this.why === "FOREIGN"
      ? `${this.clientId} already belongs to another merchant or environment; choose another id`
      : `${this.clientId} is a well-known id and is not accepted as a key; choose another id`
  }
}
