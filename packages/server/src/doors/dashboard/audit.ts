import { listAudit } from '../../staff/audit.ts'
import { OWNERS, staffRoute } from './route.ts'
import { type Page, pageOf, windowOf } from './shapes.ts'
import { type AuditEntry, auditFilter } from './shapes-staff.ts'

const list = staffRoute({
  method: 'GET',
  path: '/audit',
  who: OWNERS,
  query: auditFilter,
  async handle({ ctx, query }): Promise<Page<AuditEntry>> {
    const { page, pagesize, ...filter } = query
    const { data, total } = await listAudit(ctx.control.read, filter, windowOf(query))
    return pageOf(data as AuditEntry[], total, query)
  },
})

export const auditRoutes = [list]
