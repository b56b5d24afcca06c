import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Db } from '../../packages/server/src/db/database.ts'
import { exportCsv } from '../../packages/server/src/domain/transfer/export.ts'
import type { TestInstallation } from '../../packages/server/src/testing/databases.ts'
import { withContext } from '../../packages/server/src/testing/installations.ts'

/** How long an export holds its snapshot. */
const LASTS_MS = 300

/** Exports again and again while the servers run; each export must show one moment. `stop` returns their number. */
export function exportAllTheTime(
  installation: TestInstallation,
  { aid }: { aid: string },
): { stop(): Promise<number> } {
  let isOver = false
  const running = withContext(installation, async ({ environments: { production } }) => {
    let count = 0
    for (; !isOver; count++) {
      await production.database.snapshot(async (db) => {
        const before = await textOf(db, aid)
        await sleep(LASTS_MS)
        expect(await textOf(db, aid)).toBe(before)
      })
    }
    return count
  })
  running.catch(() => {})
  return {
    async stop() {
      isOver = true
      return await running
    },
  }
}

async function textOf(db: Db, aid: string): Promise<string> {
  let text = ''
  for await (const part of exportCsv(db, aid)) text += part
  return text
}
