import type { DownloadItem, ResourceDetails } from '@gatehouse/server/dashboard-api'
import { type ReactNode, useState } from 'react'
import { send, sendFile } from '../../api.ts'
import { type AppScope, useAppScope } from '../../app-scope.ts'
import { Card } from '../../components/display/card.tsx'
import { FileDrop } from '../../components/forms/file-drop.tsx'
import { toast } from '../../components/overlays/toast.tsx'
import { refetchApplication } from '../../components/refetch-application.ts'
import { ridToApiSegment } from '../../resource-path.ts'
import { texts } from '../../texts.ts'
import { FileRow } from './file-row.tsx'

interface Props {
  resource: ResourceDetails
  canEdit: boolean
}

/** The files of a resource in the order that readers see, and a place to drop more. */
export function FilesCard({ resource, canEdit }: Props): ReactNode {
  const scope = useAppScope()
  const { files } = resource
  const [ordering, setOrdering] = useState(false)
  const { filesTitle, filesLead, fileEmpty, fileNone } = texts.resources

  async function move(from: number, to: number): Promise<void> {
    const ids = files.map(({ id }) => id)
    ids.splice(to, 0, ...ids.splice(from, 1))
    setOrdering(true)
    try {
      await send('PUT', filesPath(scope, resource, 'order'), { ids })
      await refetchApplication(scope)
    } finally {
      setOrdering(false)
    }
  }

  return (
    <Card title={filesTitle} {...(files.length === 0 ? {} : { lead: filesLead })}>
      {files.length === 0 && <p className="text-soft">{canEdit ? fileEmpty : fileNone}</p>}
      {files.length > 0 && (
        <ol className="divide-y divide-line rounded-lg border border-line">
          {files.map((file, i) => (
            <FileRow
              key={file.id}
              file={file}
              live={resource.live}
              canEdit={canEdit}
              isLast={files.length === 1}
              order={{
                place: i + 1,
                count: files.length,
                busy: ordering,
                moveTo: (place) => move(i, place - 1),
              }}
            />
          ))}
        </ol>
      )}
      {canEdit && <AddFiles resource={resource} />}
    </Card>
  )
}

const filesPath = ({ path }: AppScope, { rid }: ResourceDetails, ...more: string[]) =>
  path('resources', ridToApiSegment(rid), 'files', ...more)

function AddFiles({ resource }: { resource: ResourceDetails }): ReactNode {
  const scope = useAppScope()
  const { fileHint, filesHint, fileSent } = texts.resources
  return (
    <FileDrop
      kind="files"
      hint={resource.files.length === 0 ? fileHint : filesHint}
      send={async (file, options) => {
        const path = filesPath(scope, resource)
        const sent = await sendFile<DownloadItem>('POST', path, { name: file.name }, file, options)
        toast(fileSent(sent.file))
        await refetchApplication(scope)
      }}
    />
  )
}
