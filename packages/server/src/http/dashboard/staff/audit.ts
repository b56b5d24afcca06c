import { type Context, ENVIRONMENTS } from '../../../context.ts'
import { listAudit } from '../../../domain/staff/audit.ts'
import { type AuditSubjects, findAuditSubjects } from '../../../domain/staff/audit-subjects.ts'
import { listStaff } from '../../../domain/staff/team.ts'
import { OWNERS, staffRoute } from '../route.ts'
import { type Page, toPage, windowOf } from '../schemas.ts'
import { type AuditEntry, AuditQuery } from './schemas.ts'

type Stored = Omit<AuditEntry, 'about' | 'member'>

const list = staffRoute('GET /audit', {
  allowed: OWNERS,
  query: AuditQuery,
  async handle({ ctx, query }): Promise<Page<AuditEntry>> {
    const { page, pagesize, ...filter } = query
    const { data, total } = await listAudit(ctx.control.read, filter, windowOf(query))
    const rows = data as Stored[]
    const subjects = await findSubjects(ctx, rows)
    const staff = new Map(
      (await listStaff(ctx.control.read, undefined)).map(({ id, name }) => [id, name]),
    )
    const entries = rows.map((row) => ({
      ...row,
      about: subjects.get(row.seq) ?? null,
      member: staff.get(row.params.id ?? '') ?? null,
    }))
    return toPage(entries, total, query)
  },
})

/** The entries of a page may be about several applications, each in its own environment. */
async function findSubjects(ctx: Context, rows: readonly Stored[]) {
  const found = new Map<number, AuditSubjects>()
  for (const environment of ENVIRONMENTS) {
    const here = rows.filter((row) => row.environment === environment)
    const { read } = ctx.environments[environment].database
    for (const aid of new Set(here.map((row) => row.aid))) {
      if (aid === null) continue
      const own = here.filter((row) => row.aid === aid)
      for (const [seq, about] of await findAuditSubjects(read, aid, own)) found.set(seq, about)
    }
  }
  return found
}

export const auditRoutes = [list]
