import type { WrittenAudit } from '../domain/staff/audit-trail.ts'
import { withoutAddresses } from './addresses.ts'

/** The values of an entry, without the addresses of staff: the log has none. */
function readable(json: string | undefined): Record<string, unknown> | undefined {
  if (json === undefined) return undefined
  const values = Object.entries(JSON.parse(json) as Record<string, unknown>)
  return Object.fromEntries(
    values.map(([name, value]) => [
      name,
      typeof value === 'string' ? withoutAddresses(value) : value,
    ]),
  )
}

/** Writes each entry of the audit log as a line too, so that there is a copy outside of the database. */
export const createAuditLog =
  (log: { info(details: object, text: string): void }) =>
  ({ email: _, at: __, params, details, ...entry }: WrittenAudit): void => {
    const values = { params: readable(params), details: readable(details) }
    log.info({ event: 'audit', ...entry, ...values }, 'audit')
  }
