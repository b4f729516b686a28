/**
 * An `orderId` finds what the merchant's backend started. Where an app's verification had taken one over, it goes back
 * to the backend's newest with that `orderId`, or goes.
 *
 * `state` is read as text, because what providers said may hold escapes that Postgres refuses to read as JSON. A name
 * with its quotes is found nowhere else in it: in a text's own quotes there is a backslash before them. References are
 * few beside verifications, and those that apps have taken fewer: while there are none, nothing but the first look
 * goes over the table. Whoever commits meanwhile is waited for by row, and what they wrote is left alone.
 */
export const orderOfTheServer: ReadonlyArray<string> = [
  `with taken as materialized (
    select o.environment, o.order_id, o.verification_id, '"orderId":' || to_json(o.order_id) || ',' as written
    from order_reference o join verification v on v.environment = o.environment and v.id = o.verification_id
    where strpos(v.state, '"path":"SDK"') > 0
  ), own as materialized (
    select v.environment, v.id, substring(v.state from '"orderId":"(?:[^"\\\\]|\\\\.)*",') as written
    from verification v
    where exists (select 1 from taken) and v.environment in (select environment from taken)
      and strpos(v.state, '"path":"SERVER"') > 0 and strpos(v.state, '"orderId":"') > 0
  ), newest as materialized (
    select t.environment, t.order_id, t.verification_id, max(o.id) as id
    from taken t left join own o on o.environment = t.environment and o.written = t.written
    group by 1, 2, 3
  ), back as (
    update order_reference o set verification_id = n.id from newest n
    where n.id is not null and o.environment = n.environment and o.order_id = n.order_id
      and o.verification_id = n.verification_id
  )
  delete from order_reference o using newest n
  where n.id is null and o.environment = n.environment and o.order_id = n.order_id
    and o.verification_id = n.verification_id`
]
