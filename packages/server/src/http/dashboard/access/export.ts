import { type Static, Type } from 'typebox'
import { exportCsv } from '../../../domain/transfer/export.ts'
import { exportAccessSheet } from '../../../domain/transfer/exports/exports.ts'
import { invalid } from '../../../errors.ts'
import { delimiterSchema, sendExport, sendSheet } from '../export-stream.ts'
import { appRoute, SUPPORT } from '../route.ts'
import { AccessQuery, toAccessFilter } from './filter.ts'

/** `people` honours the filters of the list. `raw` and `spreadsheet` have all unrevoked records, in exact values, and refuse
 * filters: whoever sets one expects fewer. */
const all = appRoute('GET /access/export.csv', {
  management: 'GET /exports/access.csv',
  allowed: SUPPORT,
  action: 'access.export',
  confirmation: 'recent',
  query: Type.Object({
    ...AccessQuery.properties,
    form: Type.Optional(
      Type.Enum(['people', 'raw', 'spreadsheet'], {
        description:
          '`people`: the records of the filters, with names and readable dates. `raw`: all that are not revoked, in exact ' +
          'values, without filters. `spreadsheet`, the default: the same, made safe for spreadsheets.',
      }),
    ),
    delimiter: delimiterSchema,
  }),
  async handle(call) {
    const { aid, query } = call
    const { form = 'spreadsheet' } = query
    if (form === 'people') {
      const filter = toAccessFilter(aid, query)
      return sendSheet(call, 'access', filter, exportAccessSheet)
    }
    requireNoFilter(query)
    call.note({ form })
    return sendExport(call, `access-${aid}-${form}.csv`, (db, onRows) =>
      exportCsv(db, aid, form, onRows),
    )
  },
})

const FILTERS = Object.keys(AccessQuery.properties) as (keyof typeof AccessQuery.properties)[]

function requireNoFilter(query: Static<typeof AccessQuery>): void {
  const given = FILTERS.find((name) => query[name] !== undefined)
  if (given !== undefined) throw invalid(given, 'works only with `form=people`')
}

export const exportRoutes = [all]
