import type { PersonDetails } from '@gatehouse/server/dashboard-api'
import { Link, useParams } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { get, keys } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { Button } from '../../components/button.tsx'
import { Copyable } from '../../components/display/copyable.tsx'
import { Notice } from '../../components/display/notice.tsx'
import { QueryResult } from '../../components/display/query-result.tsx'
import { Initials } from '../../components/people/person-cell.tsx'
import { Page } from '../../frame/page.tsx'
import { useCanChangeAccess } from '../../frame/use-can-change-access.ts'
import { texts } from '../../texts.ts'
import { type AccessAction, AccessDialogs } from '../access/access-actions.tsx'
import { useResourceOptions } from '../access/resource-options.ts'
import { AccessCard } from './access-card.tsx'
import { NotesCard } from './notes/notes-card.tsx'
import { PaidTwiceNotice } from './paid-twice-notice.tsx'
import { emailOf, fullNameOf, personTitle } from './person-labels.ts'
import { PersonMenu } from './person-menu.tsx'
import { RecordsCard } from './records-card.tsx'
import { RefusedCard } from './refused-card.tsx'
import { TimelineCard } from './timeline-card.tsx'
import type { ResourceNameOf } from './timeline-text.ts'

/** Everything about one person. */
export function PersonPage(): ReactNode {
  const { environment, aid, path } = useAppScope()
  const { uid = '' } = useParams({ strict: false }) as { uid?: string }
  return (
    <QueryResult
      queryKey={keys.of(environment, aid, 'people', uid)}
      load={(signal) => get<PersonDetails>(path('people', uid), {}, signal)}
    >
      {(details) => <Person key={uid} details={details} />}
    </QueryResult>
  )
}

/** Finds the names of resources, including those that are no longer offered. */
function useNames({ access }: PersonDetails): ResourceNameOf {
  const { items = [] } = useResourceOptions()
  const names = new Map([
    ...items.map(({ rid, name }) => [rid, name] as const),
    ...access.map(({ rid, resource_name }) => [rid, resource_name] as const),
  ])
  return (rid) => names.get(rid) ?? rid
}

function Person({ details }: { details: PersonDetails }): ReactNode {
  const { path } = useAppScope()
  const canChangeAccess = useCanChangeAccess()
  const nameOf = useNames(details)
  const [asked, ask] = useState<AccessAction>()
  const { person } = details
  const preset = person.email === '' ? {} : { email: person.email }
  return (
    <Page
      title={personTitle(person)}
      before={<Initials large name={fullNameOf(person)} email={emailOf(person)} />}
      lead={<Identity details={details} />}
      back={{ to: path('people'), label: texts.pages.people }}
      {...(canChangeAccess && person.erased === null
        ? {
            action: (
              <>
                <Button
                  variant="primary"
                  icon={KeyRound}
                  onClick={() => ask({ what: 'grant', preset })}
                >
                  {texts.access.grant}
                </Button>
                <PersonMenu details={details} />
              </>
            ),
          }
        : {})}
    >
      {person.erased !== null && <Gone details={details} />}
      <PaidTwiceNotice details={details} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="grid min-w-0 gap-5">
          <AccessCard details={details} ask={ask} />
          <RefusedCard details={details} />
          <RecordsCard details={details} nameOf={nameOf} />
        </div>
        <div className="grid min-w-0 gap-5">
          {person.erased === null && <NotesCard details={details} />}
          <TimelineCard uid={person.uid} nameOf={nameOf} />
        </div>
      </div>
      <AccessDialogs asked={asked} onClose={() => ask(undefined)} />
    </Page>
  )
}

/** The address of a person, and under *Details* everything that programs call them, with former addresses. */
function Identity({ details: { person } }: { details: PersonDetails }): ReactNode {
  const { email, contact_email, erased } = person
  return (
    <div className="grid gap-0.5">
      {email !== '' && <Copyable value={email} label={texts.people.email.label} />}
      {email === '' && contact_email !== '' && <span>{texts.people.contact(contact_email)}</span>}
      {email === '' && contact_email === '' && erased === null && (
        <span>{texts.people.noEmail}</span>
      )}
      <Ids person={person} />
    </div>
  )
}

function Ids({ person }: Pick<PersonDetails, 'person'>): ReactNode {
  const { refs, aliases, former_addresses: formerAddresses, uid } = person
  const ids = [
    ...refs.map((value) => ({
      label: texts.people.ref,
      value,
      what: `${texts.people.ref} ${value}`,
    })),
    ...aliases.map((value) => ({
      ...{ label: texts.people.alias, value, what: `${texts.people.alias} ${value}` },
    })),
    ...formerAddresses.map((value) => ({
      ...{ label: texts.people.formerAddress, value },
      what: `${texts.people.formerAddress} ${value}`,
    })),
    { label: texts.people.uid, value: uid, what: texts.people.uid },
  ]
  return (
    <details>
      <summary className="w-fit py-0.5 hover:text-ink">{texts.people.details}</summary>
      <ul className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-0.5">
        {ids.map(({ label, value, what }) => (
          <li key={what} className="inline-flex max-w-full items-center gap-1">
            {label} <Copyable value={value} label={what} />
          </li>
        ))}
      </ul>
    </details>
  )
}

function Gone({ details: { person } }: { details: PersonDetails }): ReactNode {
  const { path } = useAppScope()
  if (person.merged_into === null) return <Notice>{texts.people.erased}</Notice>
  return (
    <Notice>
      {texts.people.mergedInto}{' '}
      <Link
        to={path('people', person.merged_into)}
        className="font-medium underline underline-offset-2"
      >
        {texts.people.openMerged}
      </Link>
    </Notice>
  )
}
