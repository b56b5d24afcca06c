import type { Engine } from './database.ts'

/** Creates a trigger whose body both engines understand. PostgreSQL needs a function for it, which finds its tables
 * regardless of the search path of the connection that changes rows. */
export function createTrigger(
  name: string,
  event: string,
  when: string,
  body: string,
): Partial<Record<Engine, string>>[] {
  return [
    {
      postgres: `create function ${name}() returns trigger language plpgsql
        set search_path from current as $$ begin ${body}; return null; end $$`,
    },
    {
      sqlite: `create trigger ${name} ${event} when ${when} begin ${body}; end`,
      postgres: `create trigger ${name} ${event} for each row when (${when})
        execute function ${name}()`,
    },
  ]
}
