import type { Environment } from '../../context.ts'
import type { AccessRow } from '../../domain/access/details.ts'
import { accessDetails } from '../../records/access.ts'
import { formatTime, record } from '../shared.ts'

export const shown = (env: Environment, row: AccessRow) => ({
  ...accessDetails(row, env.clock()),
  environment: env.name,
})

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
