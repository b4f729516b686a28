-- The statements of "template.read", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f template.read.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Lists templates without their content.
--   $1                environment
explain (generic_plan)
select t.environment, t.id, t.revision, t.version, t.head from template t
where environment = $1 and removed_at is null order by id;

-- Loads a template.
--   $1                environment
--   $2                id
explain (generic_plan)
select t.environment, t.id, t.revision, t.version, t.head, c.content
from template t join template_content c on c.environment = t.environment and c.id = t.id and c.version = t.version where t.environment = $1 and t.id = $2 and t.removed_at is null;

-- Lists templates.
--   $1                environment
--   $2                id
--   $3
explain (generic_plan)
select t.environment, t.id, t.revision, t.version, t.head, c.content
from template t join template_content c on c.environment = t.environment and c.id = t.id and c.version = t.version where t.environment = $1 and t.id > $2 and t.removed_at is null order by t.id limit $3;

-- Finds templates by their WhatsApp name.
--   $1                whatsapp
explain (generic_plan)
select t.environment, t.id, t.revision, t.version, t.head from template t where whatsapp = $1;
