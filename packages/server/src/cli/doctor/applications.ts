import { type Context, ENVIRONMENTS } from '../../context.ts'
import { listApplications } from '../../domain/apps/applications.ts'
import { type Finding, ok, warning } from './checks.ts'

const CHECK = 'applications'

/** Warns of databases without any application: a restore that failed unnoticed leaves such databases. */
export async function checkApplications({ environments }: Context): Promise<Finding> {
  const counts = await Promise.all(
    ENVIRONMENTS.map(async (name) => {
      const { length } = await listApplications(environments[name].database.read)
      return { name, length }
    }),
  )
  if (counts.every(({ length }) => length === 0)) {
    return warning(
      CHECK,
      'no applications yet: the databases are empty. After a restore, this means that nothing was restored',
      'for a new installation, start it: gatehouse serve creates the first ones; to restore a backup, do that ' +
        'first: gatehouse restore FILE',
    )
  }
  return ok(CHECK, counts.map(({ name, length }) => `${length} in ${name}`).join(', '))
}
