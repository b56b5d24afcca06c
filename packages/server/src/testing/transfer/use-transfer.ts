import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { problemWithHeader } from '../../domain/transfer/columns.ts'
import { openCsv } from '../../domain/transfer/csv.ts'
import { exportCsv } from '../../domain/transfer/export.ts'
import { type ImportInput, importAccess } from '../../domain/transfer/import.ts'
import type { TestDatabase } from '../databases.ts'
import type { TestApplication } from '../service.ts'
import { useService } from '../use-service.ts'

/** Exports the access of an application as CSV. */
export async function exported(app: TestApplication): Promise<string> {
  return await app.environment.database.snapshot(async (db) => {
    let text = ''
    for await (const part of exportCsv(db, app.aid)) text += part
    return text
  })
}

/** Runs a service whose access is exported and imported as CSV. */
export function useTransfer(database: TestDatabase) {
  const folder = join(tmpdir(), `gatehouse-transfer-${randomUUID()}`)
  beforeAll(() => {
    mkdirSync(folder)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const service = useService(database)

  let files = 0
  function fileWith(content: string | Uint8Array): string {
    const path = join(folder, `${files++}.csv`)
    writeFileSync(path, content)
    return path
  }

  async function imported(app: TestApplication, content: string, more: Partial<ImportInput> = {}) {
    const { database, clock, realTime } = app.environment
    const refused: Record<number, string> = {}
    const counts = await importAccess(
      database,
      await openCsv(fileWith(content), problemWithHeader),
      {
        aid: app.aid,
        clocks: () => ({ now: clock(), realTime: realTime() }),
        onRefused: async (row, reason) => {
          refused[row.line] = reason
        },
        ...more,
      },
    )
    return { ...counts, reasons: refused }
  }
  async function newApp(environment: 'production' | 'sandbox' = 'production') {
    const app = await service.newApplication(environment)
    for (const rid of ['news', 'maps', '=1+1,"x"']) await app.addResource(rid)
    return app
  }

  const all = async (app: TestApplication) =>
    (await app.client.searchAccess({ show_expired: true, pagesize: 1000 })).data
  return { service, fileWith, imported, newApp, all }
}
