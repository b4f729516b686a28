import { BadRequest, InternalError, NotFound, Reused, TooLarge, TooMany } from "./ErrorEnvelope.ts"

/*
 * What every endpoint of a kind can answer besides its own: spread one of these into its `error`. What its credential
 * can answer (401, 403) comes with the credential. `/openapi.json` is made of both, and an endpoint whose method or
 * body can be answered with something it does not declare stops the start.
 */

/** A GET. With `params` or `query`, use `lookup` or `search`. */
export const read = [InternalError] as const
/** A GET, PATCH or DELETE of something that may not be there. */
export const lookup = [NotFound, InternalError] as const
/** A GET with a query. */
export const search = [BadRequest, InternalError] as const
/**
 * A POST: it may carry an `Idempotency-Key` that is not a UUID (400), or was used for another body (409). Its body may be
 * too large (413), or find no room beside others (429).
 */
export const post = [BadRequest, Reused, TooLarge, TooMany, InternalError] as const
/** A POST without a body. */
export const command = [BadRequest, Reused, InternalError] as const
/** A PATCH. */
export const change = [BadRequest, TooLarge, TooMany, InternalError] as const
