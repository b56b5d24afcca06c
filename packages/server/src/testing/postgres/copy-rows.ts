import pg from 'pg'

const SCHEMAS = ['control', 'production', 'sandbox']

async function withClient<R>(url: string, work: (client: pg.Client) => Promise<R>): Promise<R> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Copies every row of one database into another with the same tables, as a dump would. */
export async function copyRows(from: string, to: string): Promise<void> {
  await withClient(from, (source) =>
    withClient(to, async (target) => {
      await target.query('set session_replication_role = replica')
      for (const schema of SCHEMAS) await copySchema(source, target, schema)
    }),
  )
}

async function copySchema(source: pg.Client, target: pg.Client, schema: string): Promise<void> {
  const { rows: tables } = await source.query<{ name: string }>(
    'select tablename as name from pg_tables where schemaname = $1',
    [schema],
  )
  for (const { name } of tables) {
    const table = `"${schema}"."${name}"`
    const { rows } = await source.query<{ all: string | null }>(
      `select json_agg(t)::text as all from ${table} t`,
    )
    await target.query(`delete from ${table}`)
    await target.query(
      `insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)`,
      [rows[0]?.all ?? '[]'],
    )
  }
}
