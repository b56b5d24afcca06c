import type { ResourceDetails } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { KeyRound, Pencil } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { ApiError, get, keys } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { Button } from '../../components/button.tsx'
import { Copyable } from '../../components/display/copyable.tsx'
import { EmptyState } from '../../components/display/empty-state.tsx'
import { Notice } from '../../components/display/notice.tsx'
import { Skeleton } from '../../components/display/skeleton.tsx'
import { StateBadge } from '../../components/display/state-badge.tsx'
import { errorMessage } from '../../components/forms/use-form.ts'
import { MoreMenu } from '../../components/overlays/menu.tsx'
import { Page } from '../../frame/page.tsx'
import { useCanChangeAccess } from '../../frame/use-can-change-access.ts'
import { ridFromSegment, ridToApiSegment } from '../../resource-path.ts'
import { texts } from '../../texts.ts'
import { type AccessAction, AccessDialogs } from '../access/access-actions.tsx'
import { AboutCard } from './about-card.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { FilesCard } from './files-card.tsx'
import { OpensCard } from './opens-card.tsx'
import { PricesCard } from './prices-card.tsx'
import { ProtectCard } from './protect-card.tsx'
import { archiveMenuItem, useArchiveToggle, useCanEdit } from './resource-actions.ts'

export function ResourcePage(): ReactNode {
  const { environment, aid, path } = useAppScope()
  const { rid: part = '' } = useParams({ strict: false }) as { rid?: string }
  const rid = ridFromSegment(part)
  const { data, error } = useQuery({
    queryKey: keys.of(environment, aid, 'resource', rid),
    queryFn: ({ signal }) =>
      get<ResourceDetails>(path('resources', ridToApiSegment(rid)), {}, signal),
  })
  const back = { to: path('resources'), label: texts.resources.all }
  if (data) return <Loaded resource={data} back={back} />
  const isMissing = error instanceof ApiError && error.status === 404
  return (
    <Page title={isMissing ? texts.resources.missingTitle : rid} back={back}>
      {!error && <Skeleton lines={6} />}
      {isMissing && <EmptyState title={rid}>{texts.resources.missing}</EmptyState>}
      {error && !isMissing && <Notice tone="failed">{errorMessage(error)}</Notice>}
    </Page>
  )
}

interface Props {
  resource: ResourceDetails
  back: { to: string; label: string }
}

function Loaded({ resource, back }: Props): ReactNode {
  const canEdit = useCanEdit()
  const isArchived = resource.archived !== null
  return (
    <Page
      title={resource.name}
      back={back}
      {...(isArchived
        ? { beside: <StateBadge state="ended">{texts.resources.archivedState}</StateBadge> }
        : {})}
      lead={<Details rid={resource.rid} />}
      action={<Actions resource={resource} />}
    >
      {isArchived && <Notice tone="ending">{texts.resources.archivedNotice(resource.live)}</Notice>}
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 gap-4">
          <PricesCard resource={resource} canEdit={canEdit} />
          <FilesCard resource={resource} canEdit={canEdit} />
          <OpensCard resource={resource} canEdit={canEdit} />
          <ProtectCard resource={resource} />
        </div>
        <div className="grid min-w-0 gap-4 max-lg:order-first">
          <AboutCard resource={resource} canEdit={canEdit} />
        </div>
      </div>
    </Page>
  )
}

/** The technical details of the resource: its rid. */
function Details({ rid }: { rid: string }): ReactNode {
  return (
    <details>
      <summary className="w-fit py-0.5 hover:text-ink">{texts.resources.details}</summary>
      <p className="mt-1 flex flex-wrap items-center gap-1">
        {texts.resources.rid.label} <Copyable value={rid} label={texts.resources.rid.label} />
      </p>
    </details>
  )
}

function Actions({ resource }: { resource: ResourceDetails }): ReactNode {
  const canEdit = useCanEdit()
  const canChangeAccess = useCanChangeAccess()
  const [asked, ask] = useState<AccessAction>()
  const isOpen = resource.archived === null
  return (
    <>
      {canChangeAccess && isOpen && (
        <Button
          icon={KeyRound}
          onClick={() => ask({ what: 'grant', preset: { rid: resource.rid } })}
        >
          {texts.access.grant}
        </Button>
      )}
      {canEdit && <Editing resource={resource} />}
      <AccessDialogs asked={asked} onClose={() => ask(undefined)} />
    </>
  )
}

function Editing({ resource }: { resource: ResourceDetails }): ReactNode {
  const archive = useArchiveToggle()
  const [editing, setEditing] = useState(false)
  return (
    <>
      <Button icon={Pencil} onClick={() => setEditing(true)}>
        {texts.resources.edit}
      </Button>
      <MoreMenu
        label={texts.common.actionsFor(resource.name)}
        items={[archiveMenuItem(resource, archive)]}
      />
      <EditDialog open={editing} onClose={() => setEditing(false)} resource={resource} />
    </>
  )
}
