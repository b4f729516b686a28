import { BadRequest, Challenged, InternalError, NotFound, Reused, TooLarge, TooMany } from "./ErrorEnvelope.ts"

/*
 * The errors that every endpoint of a kind can answer: spread one of these into its `error`. The errors of a credential
 * (401, 403) come with the credential. `/openapi.json` lists both. An endpoint that can answer with an undeclared error
 * stops the start.
 */

/** A GET. With `params` or `query`, use `lookup` or `search`. */
export const read = [InternalError] as const
/** A GET, PATCH or DELETE of something that may not exist. */
export const lookup = [NotFound, InternalError] as const
/** A GET with a query. */
export const search = [BadRequest, InternalError] as const
/**
 * A POST. Its `Idempotency-Key` may be invalid (400) or used for another body (409). Its body may be too large (413), or
 * exceed the memory for all bodies (429).
 */
export const post = [BadRequest, Reused, TooLarge, TooMany, InternalError] as const
/** A POST that the guard may answer with a challenge. */
export const challenged = [BadRequest, Reused, TooLarge, Challenged, InternalError] as const
/** A POST without a body. */
export const command = [BadRequest, Reused, InternalError] as const
/** A PATCH. */
export const change = [BadRequest, TooLarge, TooMany, InternalError] as const
