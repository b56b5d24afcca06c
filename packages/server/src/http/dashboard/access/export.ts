import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Type } from 'typebox'
import { exportCsv } from '../../../domain/transfer/export.ts'
import { appRoute, SUPPORT } from '../route.ts'

const all = appRoute('GET /access/export.csv', {
  who: SUPPORT,
  action: 'access.export',
  query: Type.Object({ form: Type.Optional(Type.Enum(['raw', 'spreadsheet'])) }),
  async handle({ env, aid, query, reply, note }) {
    const form = query.form ?? 'spreadsheet'
    let rows = 0
    note({ form, rows })
    const onRows = (more: number) => {
      rows += more
      note({ rows })
    }
    const out = new PassThrough()
    // The snapshot stays open while the client reads. A client that stops reading ends it; a failure breaks
    // the response off, so that a partial file can't be mistaken for a complete one.
    env.database
      .snapshot((db) => pipeline(exportCsv(db, aid, form, onRows), out))
      .catch((error: Error) => out.destroy(error))
    reply.type('text/csv; charset=utf-8')
    reply.header('content-disposition', `attachment; filename="access-${aid}-${form}.csv"`)
    return out
  },
})

export const exportRoutes = [all]
