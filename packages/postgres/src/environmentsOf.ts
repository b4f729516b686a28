/** Selects the environments of a table, as `found`. It skips from one to the next, however many rows each has. */
export const environmentsOf = (table: string) => `
with recursive found(environment) as (
  (select environment from ${table} order by environment limit 1)
  union all
  select next.environment from found f
  cross join lateral (
    select environment from ${table} where environment > f.environment order by environment limit 1
  ) next
)`
