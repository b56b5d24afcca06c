import { DEVELOPERS, type ResourceDetails } from '@gatehouse/server/dashboard-api'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { Card } from '../../components/display/card.tsx'
import { CodeBox } from '../../components/display/code-box.tsx'
import { environmentOf, useHasRole, useMe } from '../../frame/me.ts'
import { texts } from '../../texts.ts'
import { snippetsFor } from './snippets.ts'

export function ProtectCard({ resource }: { resource: ResourceDetails }): ReactNode {
  const { environment, aid, path } = useAppScope()
  const { address } = environmentOf(useMe(), environment)
  const canSeeKeys = useHasRole(DEVELOPERS)
  const { rid } = resource
  const snippets = useMemo(() => snippetsFor({ address, aid, rid }), [address, aid, rid])
  return (
    <Card title={texts.resources.protectTitle} lead={texts.resources.protectLead}>
      <div className="min-w-0">
        <CodeBox label={texts.resources.protectTabs} snippets={snippets} />
      </div>
      <p className="text-soft">
        {texts.resources.protectKey}{' '}
        {canSeeKeys && (
          <Link to={path('developers')} className="text-accent underline underline-offset-2">
            {texts.resources.protectWhere}
          </Link>
        )}
      </p>
    </Card>
  )
}
