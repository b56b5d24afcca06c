import type { Environment } from '../../context.ts'
import type { AccessRow } from '../../domain/access/details.ts'
import { formatTime } from '../../format-time.ts'
import { accessDetails } from '../../records/access.ts'
import { formatRecord } from '../output.ts'

export const toView = (env: Environment, row: AccessRow) => ({
  ...accessDetails(row, env.clock()),
  environment: env.name,
})

export type View = ReturnType<typeof toView>

export function recordOf({ tags, created, expires, revoked, ...plain }: View): string {
  return formatRecord({
    ...plain,
    created: formatTime(created),
    expires: expires === undefined ? 'never' : formatTime(expires),
    ...(revoked === undefined ? {} : { revoked: formatTime(revoked) }),
    tags: tags.join(', '),
  })
}
