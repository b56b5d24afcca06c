import { listAudit } from '../../../domain/staff/audit.ts'
import { OWNERS, staffRoute } from '../route.ts'
import { type Page, toPage, windowOf } from '../schemas.ts'
import { type AuditEntry, AuditQuery } from './schemas.ts'

const list = staffRoute('GET /audit', {
  who: OWNERS,
  query: AuditQuery,
  async handle({ ctx, query }): Promise<Page<AuditEntry>> {
    const { page, pagesize, ...filter } = query
    const { data, total } = await listAudit(ctx.control.read, filter, windowOf(query))
    return toPage(data as AuditEntry[], total, query)
  },
})

export const auditRoutes = [list]
