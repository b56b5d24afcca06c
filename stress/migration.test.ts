import { describe, expect, it } from 'vitest'
import { databases } from '../packages/server/src/testing/databases.ts'
import { migrateUnderLoad } from '../packages/server/src/testing/migrate-under-load.ts'
import { setting } from './settings.ts'

const records = setting('MIGRATION_RECORDS', 100_000)

describe.each(databases)('the migration to keys with the application, on $name,', (database) => {
  it(`keeps ${records} access records, while others read and write`, async () => {
    console.info(`MIGRATION_RECORDS=${records}`)
    const report = await migrateUnderLoad(database, records)
    console.info(database.name, report)
    expect(report.steps).toBeGreaterThan(1)
  })
})
