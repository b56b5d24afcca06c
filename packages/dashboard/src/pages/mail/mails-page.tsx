import type { ListedMail, MailItem, Page } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { Mail, RotateCw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { get, keys, type Parameters } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { Button } from '../../components/button.tsx'
import { Clamped } from '../../components/display/clamped.tsx'
import { EmptyState } from '../../components/display/empty-state.tsx'
import { Time } from '../../components/display/time.tsx'
import { optionsOf } from '../../components/forms/select.tsx'
import type { Filter } from '../../components/lists/list-filters.tsx'
import type { Column } from '../../components/lists/list-table.tsx'
import { PERSON_FILTER } from '../../components/lists/person-filter.tsx'
import { RecordListPage } from '../../components/lists/record-list-page.tsx'
import type { MenuItem } from '../../components/overlays/menu.tsx'
import { PersonCell } from '../../components/people/person-cell.tsx'
import { formatMinute } from '../../format.ts'
import { texts } from '../../texts.ts'
import { MailBadge, mailKindLabel, recipientOf } from './labels.tsx'
import {
  isResendable,
  ResendDialog,
  ResendFailedDialog,
  useCanResend,
  useSendsEmail,
} from './resend.tsx'

const words = texts.mails

const FILTERS: readonly Filter[] = [
  { name: 'status', label: texts.records.state, options: optionsOf(words.states) },
  { name: 'from', label: texts.records.from, day: 'first' },
  { name: 'to', label: texts.records.to, day: 'last' },
  PERSON_FILTER,
]

/** In milliseconds. */
const timeOf = ({ created_at, sent_at }: MailItem) => sent_at ?? created_at

const COLUMNS: readonly Column<ListedMail>[] = [
  {
    id: 'to',
    header: words.to,
    wraps: true,
    cell: (mail) => (
      <PersonCell name={mail.name} email={mail.to} fallback={recipientOf(mail)}>
        <span className="block font-normal text-soft sm:hidden">{mailKindLabel(mail)}</span>
        <span className="block font-normal text-soft md:hidden">
          <Time at={timeOf(mail)} now={null} />
        </span>
      </PersonCell>
    ),
    csv: recipientOf,
  },
  { id: 'kind', header: words.kind, cell: mailKindLabel, csv: mailKindLabel, from: 'sm' },
  {
    id: 'state',
    header: texts.records.state,
    cell: ({ status }) => <MailBadge state={status} />,
    csv: ({ status }) => words.states[status],
  },
  {
    id: 'problem',
    header: words.problem,
    wraps: true,
    cell: ({ last_error }) => <Clamped className="text-soft">{last_error ?? ''}</Clamped>,
    csv: ({ last_error }) => last_error ?? '',
    from: 'lg',
  },
  {
    id: 'when',
    sort: { by: 'created', downFirst: true },
    header: words.when,
    cell: (mail) => <Time at={timeOf(mail)} now={null} />,
    csv: (mail) => formatMinute(timeOf(mail)),
    from: 'md',
  },
]

/** Mail times are in milliseconds, unlike the seconds of the filters. */
const inMillis = (seconds: Parameters[string]) =>
  seconds === undefined ? undefined : Number(seconds) * 1000

function useDead(): number {
  const { environment, aid, path } = useAppScope()
  const asked = { status: 'dead', pagesize: 1 }
  const { data } = useQuery({
    queryKey: keys.of(environment, aid, 'mails', 'dead'),
    queryFn: ({ signal }) => get<Page<MailItem>>(path('mails'), asked, signal),
  })
  return data?.total ?? 0
}

export function MailsPage(): ReactNode {
  const { path } = useAppScope()
  const canSend = useCanResend()
  const isSent = useSendsEmail()
  const dead = useDead()
  const [asked, setAsked] = useState<MailItem | 'dead'>()
  const close = () => setAsked(undefined)
  const menuOf = (mail: MailItem): MenuItem[] =>
    isResendable(mail) ? [{ label: words.sendAgain, onSelect: () => setAsked(mail) }] : []
  return (
    <>
      <RecordListPage<ListedMail>
        title={texts.pages.mail}
        lead={!isSent && words.keptLead}
        action={
          canSend &&
          dead > 0 && (
            <Button variant="primary" icon={RotateCw} onClick={() => setAsked('dead')}>
              {words.deadAgain(dead)}
            </Button>
          )
        }
        list="mails"
        toQuery={({ from, to, ...rest }) => ({ ...rest, from: inMillis(from), to: inMillis(to) })}
        filters={FILTERS}
        searchFor={words.searchFor}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        nameOf={(mail) => `${mailKindLabel(mail)}, ${recipientOf(mail)}`}
        hrefOf={({ id }) => path('mail', id)}
        menuOf={canSend ? menuOf : undefined}
        empty={
          <EmptyState icon={Mail} title={words.emptyTitle}>
            {words.empty}
          </EmptyState>
        }
      />
      <ResendDialog mail={asked === 'dead' ? undefined : asked} onClose={close} />
      <ResendFailedDialog dead={dead} open={asked === 'dead'} onClose={close} />
    </>
  )
}
