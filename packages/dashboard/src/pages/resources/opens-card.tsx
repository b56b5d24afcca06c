import type { ResourceDetails } from '@gatehouse/server/dashboard-api'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/display/card.tsx'
import { ridToSegment } from '../../resource-path.ts'
import { texts } from '../../texts.ts'
import { useResourceOptions } from '../access/resource-options.ts'
import { OpensDialog } from './opens-dialog.tsx'

interface Props {
  resource: ResourceDetails
  canEdit: boolean
}

/** How many of the things that a pass opens are listed. */
const MAX_LISTED = 20

/** The other resources that readers with access to this one can see. */
export function OpensCard({ resource, canEdit }: Props): ReactNode {
  const [changing, setChanging] = useState(false)
  const { opens, opened_by } = resource
  const isPass = opens.all || opens.rids.length > 0 || opens.prefixes.length > 0
  return (
    <Card
      title={texts.opens.title}
      lead={isPass ? texts.opens.lead(resource.name) : texts.opens.empty}
      action={canEdit && <Button onClick={() => setChanging(true)}>{texts.opens.change}</Button>}
    >
      {isPass && <OpenedList resource={resource} />}
      {opened_by.length > 0 && <OpenedBy passes={opened_by} />}
      <OpensDialog open={changing} onClose={() => setChanging(false)} resource={resource} />
    </Card>
  )
}

const linkStyle = 'text-accent underline underline-offset-2'

function OpenedList({ resource: { opens } }: { resource: ResourceDetails }): ReactNode {
  const { path } = useAppScope()
  const { items = [] } = useResourceOptions()
  const names = new Map(items.map(({ rid, name }) => [rid, name]))
  const left = opens.rids.length - MAX_LISTED
  return (
    <ul className="grid list-disc gap-1 pl-5 break-words">
      {opens.all && <li>{texts.opens.everything.label}</li>}
      {opens.prefixes.map((prefix) => (
        <li key={prefix}>{texts.opens.beginsWith(prefix)}</li>
      ))}
      {opens.rids.slice(0, MAX_LISTED).map((rid) => (
        <li key={rid}>
          {names.has(rid) ? (
            <Link to={path('resources', ridToSegment(rid))} className={linkStyle}>
              {names.get(rid)}
            </Link>
          ) : (
            rid
          )}
        </li>
      ))}
      {left > 0 && <li className="text-soft">{texts.resources.moreValues(left)}</li>}
    </ul>
  )
}

function OpenedBy({ passes }: { passes: ResourceDetails['opened_by'] }): ReactNode {
  const { path } = useAppScope()
  return (
    <p>
      {texts.opens.openedBy}{' '}
      {passes.slice(0, MAX_LISTED).map(({ rid, name }, i) => (
        <span key={rid}>
          {i > 0 && ', '}
          <Link to={path('resources', ridToSegment(rid))} className={linkStyle}>
            {name}
          </Link>
        </span>
      ))}
      {passes.length > MAX_LISTED && ` ${texts.resources.moreValues(passes.length - MAX_LISTED)}`}
    </p>
  )
}
