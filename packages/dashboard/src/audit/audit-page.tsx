import type { AuditEntry, Colleague, Me, Page } from '@gatehouse/server/dashboard-api'
import { ScrollText } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { get, keys, type Parameters } from '../api.ts'
import { EmptyState } from '../components/display/empty-state.tsx'
import { StateBadge } from '../components/display/state-badge.tsx'
import { TimeInWords } from '../components/display/time-in-words.tsx'
import { optionsOf } from '../components/forms/select.tsx'
import type { Filter } from '../components/lists/list-filters.tsx'
import { ListPage } from '../components/lists/list-page.tsx'
import type { Column } from '../components/lists/list-table.tsx'
import { Initials } from '../components/people/person-cell.tsx'
import { formatMinute } from '../format.ts'
import { environmentOf, useMe, useNow } from '../frame/me.ts'
import { nameOf, useColleagues } from '../frame/use-colleagues.ts'
import { texts } from '../texts.ts'
import { describeDetails, describeOrigin } from './details.ts'
import { Sentence, sentenceText } from './sentence.tsx'

const { filters: labels } = texts.audit

function filtersFor(colleagues: readonly Colleague[]): readonly Filter[] {
  return [
    {
      name: 'staff',
      label: labels.staff,
      options: colleagues.map((one) => ({ value: one.id, label: nameOf(one) ?? '' })),
    },
    { name: 'group', label: labels.group, options: optionsOf(texts.audit.groups) },
    {
      name: 'environment',
      label: labels.environment,
      options: [
        { value: 'production', label: texts.frame.production },
        { value: 'sandbox', label: texts.frame.sandbox },
      ],
    },
    { name: 'from', label: labels.from, day: 'first' },
    { name: 'to', label: labels.to, day: 'last' },
    { name: 'action', label: labels.action, isHidden: true, shown: texts.audit.actionOf },
    { name: 'aid', label: labels.aid, isHidden: true },
  ]
}

function whereOf({ environment, aid }: AuditEntry, me: Me): string {
  if (environment === null) return aid ?? ''
  const { applications } = environmentOf(me, environment)
  const application = applications.find((one) => one.aid === aid)?.name ?? aid
  return [texts.frame[environment], application].filter(Boolean).join(' · ')
}

function Outcome({ outcome }: AuditEntry): ReactNode {
  if (outcome === 'done') return null
  if (outcome === 'begun') return <StateBadge state="ending">{texts.audit.began}</StateBadge>
  if (outcome === 'cut_off') return <StateBadge state="ending">{texts.audit.cutOff}</StateBadge>
  return <StateBadge state="failed">{texts.audit.refused}</StateBadge>
}

/** Everything that the sentence leaves out: the other details, why it was refused, and from where it was done. */
function factsOf(entry: AuditEntry): string {
  const { outcome } = entry
  const isPlain = ['done', 'begun', 'cut_off'].includes(outcome)
  return [describeDetails(entry), isPlain ? '' : texts.audit.reason(outcome), describeOrigin(entry)]
    .filter((text) => text !== '')
    .join(', ')
}

type ActorNameOf = (entry: AuditEntry) => string

function Entry({ entry, who, me }: { entry: AuditEntry; who: string; me: Me }): ReactNode {
  const facts = factsOf(entry)
  return (
    <div className="flex items-start gap-2.5">
      <Initials name={entry.staff_id === null ? '' : who} email="" />
      <div className="min-w-0 self-center">
        <p>
          <Sentence who={who} entry={entry} />
        </p>
        <p className="text-soft">
          <span className="sm:hidden">{formatMinute(entry.at)} · </span>
          {whereOf(entry, me)}
        </p>
        {facts !== '' && (
          <details className="text-soft">
            <summary className="w-fit py-0.5 hover:text-ink">{texts.audit.details}</summary>
            <p className="break-words">{facts}</p>
          </details>
        )}
      </div>
    </div>
  )
}

const columnsFor = (
  me: Me,
  actorNameOf: ActorNameOf,
  now: number,
): readonly Column<AuditEntry>[] => [
  {
    id: 'what',
    header: texts.audit.what,
    cell: (entry) => <Entry entry={entry} who={actorNameOf(entry)} me={me} />,
    csv: (entry) => sentenceText(actorNameOf(entry), entry),
    wraps: true,
  },
  {
    id: 'at',
    header: texts.audit.time,
    cell: ({ at }) => <TimeInWords at={at} now={now} />,
    csv: ({ at }) => formatMinute(at),
    from: 'sm',
  },
  {
    id: 'where',
    header: texts.audit.where,
    isCsvOnly: true,
    cell: (entry) => whereOf(entry, me),
    csv: (entry) => whereOf(entry, me),
  },
  {
    id: 'details',
    header: texts.audit.details,
    isCsvOnly: true,
    cell: factsOf,
    csv: factsOf,
  },
  { id: 'outcome', header: texts.audit.outcome, cell: Outcome, csv: ({ outcome }) => outcome },
]

/** The log has milliseconds, and filters have seconds. */
const inMillis = (seconds: Parameters[string]) =>
  seconds === undefined ? undefined : Number(seconds) * 1000

/** The audit log, as sentences. */
export function AuditPage(): ReactNode {
  const me = useMe()
  const now = useNow('production')
  const colleagues = useColleagues()
  const filters = useMemo(() => filtersFor(colleagues ?? []), [colleagues])
  const columns = useMemo(() => {
    const actorNameOf: ActorNameOf = ({ staff_id, token_id, email, os_user }) => {
      if (staff_id === null && token_id === null) {
        return os_user === null ? texts.audit.commandLine : texts.audit.commandLineBy(os_user)
      }
      return nameOf(colleagues?.find(({ id }) => id === (staff_id ?? token_id))) ?? email
    }
    return columnsFor(me, actorNameOf, now)
  }, [me, colleagues, now])
  return (
    <ListPage<AuditEntry>
      title={texts.audit.title}
      lead={texts.audit.lead}
      queryKey={keys.staff('audit')}
      load={({ from, to, ...rest }, signal) => {
        const parameters = { ...rest, from: inMillis(from), to: inMillis(to) }
        return get<Page<AuditEntry>>('/audit', parameters, signal)
      }}
      filters={filters}
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
