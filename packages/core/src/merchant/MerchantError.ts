import { Schema } from "effect"

/** The client id or its secret is missing, unknown or wrong. It never says which. */
export class InvalidCredentials extends Schema.TaggedError<InvalidCredentials>()("InvalidCredentials", {}) {}

/** The credentials are right, and the operator has suspended the merchant. */
export class MerchantSuspended extends Schema.TaggedError<MerchantSuspended>()("MerchantSuspended", {}) {}

export class UnknownMerchant extends Schema.TaggedError<UnknownMerchant>()("UnknownMerchant", { id: Schema.String }) {}

/** A client id that was chosen exists already, with another secret or for another merchant. */
export class KeysTaken extends Schema.TaggedError<KeysTaken>()("KeysTaken", { clientId: Schema.String }) {
  override get message(): string {
    return `${this.clientId} exists already, with another secret or for another merchant; take its secret, or another client id`
  }
}
