import { FOREVER, type Seconds } from '../../../db/tables.ts'
import { UNUSUAL_DECIMALS } from '../../../domain/apps/currency.ts'
import { accessLookup } from '../../../domain/passes/lookup.ts'

/** An access record in the same JSON form as the route's, ready to be sent. */
export interface AccessJson {
  ends: Seconds
  body: string
}

const CURRENCY = 'coalesce(a.currency, p.currency)'
const UNIT = `case ${CURRENCY} ${[...UNUSUAL_DECIMALS]
  .map(([code, decimals]) => `when '${code}' then ${10 ** decimals}`)
  .join(' ')} else 100 end`

interface Words {
  quoted(text: string): string
  /** Fails for invalid JSON: sending an unreadable response would be worse. */
  checked(json: string): string
  /** The amount in major units, formatted as JavaScript formats the number. */
  major: string
}

const SQLITE: Words = {
  quoted: (text) => `json_quote(${text})`,
  checked: (json) => `json(${json})`,
  major: `case when a.amount = 0 then '0' else
    rtrim(rtrim(printf('%d.%04d', a.amount / (${UNIT}), a.amount % (${UNIT}) * 10000 / (${UNIT})), '0'), '.')
  end`,
}

const POSTGRES: Words = {
  quoted: (text) => `to_json(${text})::text`,
  checked: (json) => `(${json})::json::text`,
  major: `trim_scale(a.amount::numeric / (${UNIT}))::text`,
}

/**
 * SQL for the end of the record, followed by the response body. The database writes the body: transferring each value
 * and assembling them in the main thread would cost as much there as everything else that is done for a request.
 */
const written =
  ({ quoted, checked, major }: Words) =>
  (rid: string, via?: string) =>
    `a.ends
  || '{"id":' || ${quoted('a.id')}
  || ',"aid":' || ${quoted('a.aid')}
  || ',"rid":' || ${quoted(rid)}
  || ',"uid":' || ${quoted('a.uid')}
  || ',"amount":' || ${major}
  || ',"currency":' || ${quoted(CURRENCY)}
  || ',"created":' || a.created
  || ',"user_ref":' || ${quoted('coalesce(a.user_ref, a.uid)')}
  || ',"user_email":' || ${quoted("coalesce(u.email, '')")}
  || ',"contact_email":' || ${quoted("case when u.email is null then coalesce(u.contact_email, '') else '' end")}
  || ',"tags":' || ${checked('a.tags')}
  || case a.ends when ${FOREVER} then '' else ',"expires":' || a.ends end
  ${via === undefined ? '' : `|| ',"via":' || ${quoted(via)}`}
  || '}'`

export const accessJsonLookup = accessLookup({
  sqlite: written(SQLITE),
  postgres: written(POSTGRES),
})

export function parseAccessJson(found: string): AccessJson {
  const start = found.indexOf('{')
  return { ends: Number(found.slice(0, start)), body: found.slice(start) }
}
