import type { PersonDetails, Reading } from '@gatehouse/server/dashboard-api'
import { CalendarPlus, KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/display/card.tsx'
import { Time } from '../../components/display/time.tsx'
import { MoreMenu } from '../../components/overlays/menu.tsx'
import { useNow, useTimeZone } from '../../frame/me.ts'
import { useCanChangeAccess } from '../../frame/use-can-change-access.ts'
import { texts } from '../../texts.ts'
import { type AccessAction, accessMenuItems } from '../access/access-actions.tsx'
import { canExtend } from '../access/access-labels.ts'
import { AccessBadge } from '../access/columns.tsx'
import { useResourceOptions } from '../access/resource-options.ts'
import { currentRecord, explainAccess, refusedAdvice } from './explain-access.ts'
import { Folded } from './folded.tsx'

interface Props {
  details: PersonDetails
  ask: (asked: AccessAction) => void
}

/** Sorts readable resources first. */
const readableFirst = (a: Reading, b: Reading) => Number(b.access) - Number(a.access)

/** Answers “I paid and can't read it” with one sentence per resource. */
export function AccessCard({ details, ask }: Props): ReactNode {
  const had = new Set(details.access.map(({ rid }) => rid))
  const readings = details.reading.filter(({ rid }) => had.has(rid)).sort(readableFirst)
  return (
    <Card title={texts.people.access}>
      {readings.length === 0 && <p className="text-soft">{texts.people.noAccess}</p>}
      <ul className="-my-1 divide-y divide-line">
        {readings.map((reading) => (
          <AccessLine key={reading.rid} details={details} reading={reading} ask={ask} />
        ))}
      </ul>
      <ThroughPasses details={details} />
      <NeverHad details={details} ask={ask} />
      <Superseded details={details} />
      {details.refused_checks.length === 0 && details.person.erased === null && (
        <NoneRefused details={details} />
      )}
    </Card>
  )
}

function NoneRefused({ details }: { details: PersonDetails }): ReactNode {
  const advice = refusedAdvice(details)
  return (
    <div className="grid gap-1 border-t border-line pt-3 text-soft">
      <p>{texts.people.refusedChecks.none}</p>
      {advice !== undefined && <p>{advice}</p>}
    </div>
  )
}

function AccessLine({ details, reading, ask }: Props & { reading: Reading }): ReactNode {
  const canChangeAccess = useCanChangeAccess()
  const now = Math.floor(useNow() / 1000)
  const zone = useTimeZone()
  const record = currentRecord(details, reading.via ?? reading.rid)
  const { email } = details.person
  // Access through a pass is changed in the row of the pass.
  const isDirect = reading.via === null
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-52">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <h3 className="font-semibold">{reading.resource_name}</h3>
          {record && <AccessBadge state={record.state} />}
        </div>
        <p className="mt-1">{explainAccess(details, reading, now, zone)}</p>
      </div>
      {canChangeAccess && record && isDirect && details.person.erased === null && (
        <div className="flex items-center gap-1">
          {!reading.access && canExtend(record) && (
            <Button
              icon={CalendarPlus}
              aria-label={texts.common.actionOn(texts.access.extend, reading.resource_name)}
              onClick={() => ask({ what: 'extend', rows: [record] })}
            >
              {texts.access.extend}
            </Button>
          )}
          {record.state === 'revoked' && email !== '' && (
            <Button
              icon={KeyRound}
              aria-label={texts.common.actionOn(texts.access.grantAgain, reading.resource_name)}
              onClick={() => ask({ what: 'grant', preset: { rid: record.rid, email } })}
            >
              {texts.access.grantAgain}
            </Button>
          )}
          {record.state !== 'revoked' && (
            <MoreMenu
              label={texts.common.actionsFor(reading.resource_name)}
              items={accessMenuItems(record, ask)}
            />
          )}
        </div>
      )}
    </li>
  )
}

/** Resources that are open to the person only through a pass. They can be many. */
function ThroughPasses({ details }: { details: PersonDetails }): ReactNode {
  const now = Math.floor(useNow() / 1000)
  const zone = useTimeZone()
  const had = new Set(details.access.map(({ rid }) => rid))
  const open = details.reading.filter(({ rid }) => !had.has(rid))
  if (open.length === 0) return null
  return (
    <Folded title={texts.people.throughPasses(open.length)}>
      <ul className="mt-2 grid gap-1.5">
        {open.map((reading) => (
          <li key={reading.rid}>
            {reading.resource_name}{' '}
            <span className="text-soft">· {explainAccess(details, reading, now, zone)}</span>
          </li>
        ))}
      </ul>
    </Folded>
  )
}

/** Resources that the person never had access to, which may be what they ask about. */
function NeverHad({ details, ask }: Props): ReactNode {
  const canSupport = useCanChangeAccess()
  const { items = [] } = useResourceOptions()
  const { email, erased } = details.person
  const had = new Set(details.reading.map(({ rid }) => rid))
  const others = items.filter(({ rid }) => !had.has(rid))
  if (others.length === 0 || erased !== null) return null
  return (
    <Folded title={texts.people.others(others.length)}>
      <ul className="mt-2 grid gap-1">
        {others.map(({ rid, name }) => (
          <li key={rid} className="flex items-center justify-between gap-3">
            <span className="min-w-0">
              {name} <span className="text-soft">· {texts.people.never}</span>
            </span>
            {canSupport && email !== '' && (
              <Button
                variant="quiet"
                aria-label={texts.common.actionOn(texts.access.grant, name)}
                onClick={() => ask({ what: 'grant', preset: { rid, email } })}
              >
                {texts.access.grant}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Folded>
  )
}

/** Records that newer ones have replaced. */
function Superseded({ details }: { details: PersonDetails }): ReactNode {
  const past = details.access.filter((record) => currentRecord(details, record.rid) !== record)
  if (past.length === 0) return null
  return (
    <Folded title={texts.people.past(past.length)}>
      <ul className="mt-2 grid gap-1.5">
        {past.map(({ id, resource_name, created, revoked, state }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-2">
            <span>{resource_name}</span>
            <AccessBadge state={state} />
            <span className="text-soft">
              <Time at={created * 1000} now={null} day />
              {revoked !== null && (
                <>
                  {' – '}
                  <Time at={revoked * 1000} now={null} day />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Folded>
  )
}
