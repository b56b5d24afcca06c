import type { AuditEntry, Me, Page } from '@gatehouse/server/dashboard-api'
import { ScrollText } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { get, keys } from '../api.ts'
import { EmailWrap } from '../components/display/email-wrap.tsx'
import { EmptyState } from '../components/display/empty-state.tsx'
import { StateBadge } from '../components/display/state-badge.tsx'
import { Time } from '../components/display/time.tsx'
import { optionsOf } from '../components/forms/select.tsx'
import type { Filter } from '../components/lists/list-filters.tsx'
import { ListPage } from '../components/lists/list-page.tsx'
import type { Column } from '../components/lists/list-table.tsx'
import { formatMinute } from '../format.ts'
import { environmentOf, useMe } from '../frame/me.ts'
import { texts } from '../texts.ts'
import { describeDetails } from './details.ts'

const FILTERS: readonly Filter[] = [
  {
    name: 'action',
    label: texts.audit.filters.action,
    options: optionsOf(texts.audit.actions),
  },
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
function whereOf({ environment, aid }: AuditEntry, me: Me): string {
  if (environment === null) return aid ?? ''
  const { applications } = environmentOf(me, environment)
  const application = applications.find((one) => one.aid === aid)?.name ?? aid
  return [texts.frame[environment], application].filter(Boolean).join(' · ')
}
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

const columnsFor = (me: Me): readonly Column<AuditEntry>[] => [
  {
    id: 'at',
    header: texts.audit.time,
    cell: ({ at }) => <Time at={at} />,
    csv: ({ at }) => formatMinute(at),
    from: 'sm',
  },
  { id: 'who', header: texts.audit.who, wraps: true, cell: whoOf, csv: whoOf, from: 'sm' },
  {
    id: 'what',
    header: texts.audit.what,
    wraps: true,
    cell: (entry) => (
      <>
        {texts.audit.actionOf(entry.action)}
        <span className="block text-soft">{describeDetails(entry)}</span>
        <span className="block text-soft sm:hidden">
          <EmailWrap>{whoOf(entry)}</EmailWrap> · <Time at={entry.at} />
        </span>
      </>
    ),
    csv: (entry) => [texts.audit.actionOf(entry.action), describeDetails(entry)].join(' · '),
  },
  {
    id: 'where',
    header: texts.audit.where,
    wraps: true,
    cell: (entry) => whereOf(entry, me),
    csv: (entry) => whereOf(entry, me),
    from: 'lg',
  },
  { id: 'outcome', header: texts.audit.outcome, cell: outcomeOf, csv: ({ outcome }) => outcome },
]

export function AuditPage(): ReactNode {
  const me = useMe()
  const columns = useMemo(() => columnsFor(me), [me])
  return (
    <ListPage<AuditEntry>
      title={texts.audit.title}
      lead={texts.audit.lead}
      queryKey={keys.staff('audit')}
      load={(parameters, signal) => get<Page<AuditEntry>>('/audit', parameters, signal)}
      filters={FILTERS}
      columns={columns}
      keyOf={({ seq }) => String(seq)}
      nameOf={({ action }) => texts.audit.actionOf(action)}
      csvName="audit"
      empty={
        <EmptyState icon={ScrollText} title={texts.audit.emptyTitle}>
          {texts.audit.empty}
        </EmptyState>
      }
    />
  )
}
