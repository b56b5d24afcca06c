import { errorCodeOf, POSTGRES_DISK_FULL } from '../db/outage.ts'
import type { OutageLog } from './outage-logger.ts'

/** How often a disk that stays full is logged. Every refused write gets here, and the log may be on the same disk. */
const REPEAT_MS = 60_000

const ADVICE =
  'Grants, purchases, uploads and other changes are refused until space is freed; access checks go on. ' +
  'docs/run/troubleshooting.md says what may be deleted'

/** Logs which disk is full when a write is refused for that reason, at most once a minute for each disk. */
export function createFullDiskLogger(log: Pick<OutageLog, 'error'>, folder: string) {
  const loggedAt = new Map<string, number>()
  return (err: unknown) => {
    const isPostgres = errorCodeOf(err) === POSTGRES_DISK_FULL
    const disk = isPostgres ? "of PostgreSQL's server" : `of ${folder} (GATEHOUSE_DATA)`
    const now = performance.now()
    if (now < (loggedAt.get(disk) ?? Number.NEGATIVE_INFINITY) + REPEAT_MS) return
    loggedAt.set(disk, now)
    log.error({ err, trouble: 'storage_full' }, `the disk ${disk} is full. ${ADVICE}`)
  }
}
