import type { Environment } from '../../context.ts'
import type { AccessRow } from '../../domain/access/details.ts'
import { stateOf } from '../../domain/access/why.ts'
import { showAccess } from '../../records/records.ts'
import { record, showTime } from '../shared.ts'

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
    created: showTime(created),
    expires: expires === undefined ? 'never' : showTime(expires),
    ...(revoked === undefined ? {} : { revoked: showTime(revoked) }),
    tags: tags.join(', '),
  })
}
