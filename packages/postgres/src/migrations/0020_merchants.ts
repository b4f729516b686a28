/**
 * The log of who did what is asked for one kind of deed, too: few entries of many. What is too old is deleted by its
 * age: a block range that once held old rows would be looked through again for ever, because new rows take their places.
 */
export const merchants: ReadonlyArray<string> = [
  "create index audit_of_action on audit (merchant_id, action, id)",
  "drop index audit_age",
  "create index audit_age on audit (at)"
]
