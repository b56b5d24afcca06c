import type { AuditEntry } from '@gatehouse/server/dashboard-api'
import { describeUserAgent } from '../account/user-agent.ts'
import { formatBytes, formatList, formatMinute, formatMoney } from '../format.ts'
import { texts } from '../texts.ts'

type Value = AuditEntry['details'][string]

const moment = (value: Value) => formatMinute(Number(value) * 1000)

/** Formats of values that are stored for programs. */
const FORMATS: Readonly<Record<string, (value: Value) => string>> = {
  changed: (value) =>
    value === ''
      ? texts.audit.nothingChanged
      : formatList(String(value).split(' ').map(texts.audit.settingName)),
  // Times are stored in seconds.
  expires: moment,
  from: moment,
  to: moment,
  overlap: (value) => texts.audit.duration(Number(value)),
  size: (value) => formatBytes(Number(value)),
}

function formatValue(name: string, value: Value): string {
  if (typeof value === 'boolean') return value ? texts.audit.yes : texts.audit.no
  return FORMATS[name]?.(value) ?? String(value)
}

/** Describes what an entry is about, for people: money as money and times as dates. */
export function describeDetails({
  params,
  details,
}: Pick<AuditEntry, 'params' | 'details'>): string {
  const { environment: _, aid: __, amount, currency, ...rest } = { ...params, ...details }
  const parts = Object.entries(rest).map(([name, value]) =>
    texts.audit.detail(name, formatValue(name, value)),
  )
  if (amount === undefined) return parts.join(', ')
  const money = formatMoney({ amount: Number(amount), currency: String(currency) })
  return [texts.audit.detail('amount', money), ...parts].join(', ')
}

/** Describes from where something was done: the address, the browser or program, and the session. */
export function describeOrigin({
  address,
  agent,
  session_id,
}: Pick<AuditEntry, 'address' | 'agent' | 'session_id'>): string {
  const browser = agent ? describeUserAgent(agent) : ''
  const name = browser === texts.account.unknownAgent ? agent : browser
  return Object.entries({ address, agent: name, session_id })
    .flatMap(([key, value]) => (value ? [texts.audit.detail(key, value)] : []))
    .join(', ')
}
