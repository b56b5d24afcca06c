import type { AuditEntry, Page } from '@gatehouse/server/dashboard-api'
import { ScrollText } from 'lucide-react'
import type { ReactNode } from 'react'
import { get, keys } from '../api.ts'
import { EmptyState } from '../components/display/empty-state.tsx'
import { StateBadge } from '../components/display/state-badge.tsx'
import { Time } from '../components/display/time.tsx'
import type { Filter } from '../components/lists/list-filters.tsx'
import { ListPage } from '../components/lists/list-page.tsx'
import type { Column } from '../components/lists/list-table.tsx'
import { formatMinute } from '../format.ts'
import { texts } from '../texts.ts'

const FILTERS: readonly Filter[] = [
  { name: 'action', label: texts.audit.filters.action },
  { name: 'aid', label: texts.audit.filters.aid },
  {
    name: 'environment',
    label: texts.audit.filters.environment,
    options: [
      { value: 'production', label: texts.frame.production },
      { value: 'sandbox', label: texts.frame.sandbox },
    ],
  },
  { name: 'staff', label: texts.audit.filters.staff },
]

const whoOf = ({ email, staff_id }: AuditEntry) =>
  email !== '' ? email : (staff_id ?? texts.audit.commandLine)
const whereOf = ({ environment, aid }: AuditEntry) =>
  [environment === null ? undefined : texts.frame[environment], aid].filter(Boolean).join(' · ')
const detailsOf = ({ params, details }: AuditEntry) =>
  Object.entries({ ...params, ...details })
    .filter(([name]) => name !== 'environment' && name !== 'aid')
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

function outcomeOf({ outcome }: AuditEntry): ReactNode {
  if (outcome === 'done') return <StateBadge state="live">{texts.audit.done}</StateBadge>
  if (outcome === 'begun') return <StateBadge state="ending">{texts.audit.began}</StateBadge>
  if (outcome === 'cut_off') return <StateBadge state="ending">{texts.audit.cutOff}</StateBadge>
  return (
    <span title={outcome}>
      <StateBadge state="failed">{texts.audit.refused}</StateBadge>
    </span>
  )
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  {
    id: 'at',
    header: texts.audit.time,
    cell: ({ at }) => <Time at={at} />,
    csv: ({ at }) => formatMinute(at),
  },
  { id: 'who', header: texts.audit.who, wraps: true, cell: whoOf, csv: whoOf, from: 'sm' },
  {
    id: 'what',
    header: texts.audit.what,
    wraps: true,
    cell: (entry) => (
      <>
        <code className="font-mono text-[0.8125rem]">{entry.action}</code>
        <span className="block text-soft">{detailsOf(entry)}</span>
      </>
    ),
    csv: ({ action }) => action,
  },
  { id: 'where', header: texts.audit.where, cell: whereOf, csv: whereOf, from: 'lg' },
  { id: 'outcome', header: texts.audit.outcome, cell: outcomeOf, csv: ({ outcome }) => outcome },
]

export function AuditPage(): ReactNode {
  return (
    <ListPage<AuditEntry>
      title={texts.audit.title}
      lead={texts.audit.lead}
      queryKey={keys.staff('audit')}
      load={(parameters, signal) => get<Page<AuditEntry>>('/audit', parameters, signal)}
      filters={FILTERS}
      columns={COLUMNS}
      keyOf={({ seq }) => String(seq)}
      nameOf={({ action }) => action}
      csvName="audit"
      empty={
        <EmptyState icon={ScrollText} title={texts.audit.emptyTitle}>
          {texts.audit.empty}
        </EmptyState>
      }
    />
  )
}
