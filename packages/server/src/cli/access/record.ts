import type { Environment } from '../../context.ts'
import type { AccessRow } from '../../domain/access/details.ts'
import { stateOf } from '../../domain/access/why.ts'
import { showAccess } from '../../records/records.ts'
import { formatTime, record } from '../shared.ts'

/** Returns a record as the API does, plus its state and its environment. */
export function shown(env: Environment, row: AccessRow) {
  return {
    ...showAccess(row),
    status: stateOf(row, env.clock()),
    ...(row.revoked === null ? {} : { revoked: row.revoked }),
    environment: env.name,
  }
}

export type Shown = ReturnType<typeof shown>

export function recordOf({ tags, created, expires, revoked, ...plain }: Shown): string {
  return record({
    ...plain,
    created: formatTime(created),
    expires: expires === undefined ? 'never' : formatTime(expires),
    ...(revoked === undefined ? {} : { revoked: formatTime(revoked) }),
    tags: tags.join(', '),
  })
}
