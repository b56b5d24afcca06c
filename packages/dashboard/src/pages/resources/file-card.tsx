import type { DownloadItem, ResourceDetails, ResourceFile } from '@gatehouse/server/dashboard-api'
import { FileText } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { send, sendFile } from '../../api.ts'
import { type AppScope, useAppScope } from '../../app-scope.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/display/card.tsx'
import { StateBadge } from '../../components/display/state-badge.tsx'
import { FileDrop } from '../../components/forms/file-drop.tsx'
import { type MenuItem, MoreMenu } from '../../components/overlays/menu.tsx'
import { toast } from '../../components/overlays/toast.tsx'
import { refetchApplication } from '../../components/refetch-application.ts'
import { formatBytes } from '../../format.ts'
import { ridToSegment } from '../../resource-path.ts'
import { texts } from '../../texts.ts'
import { RemoveFileDialog, RenameFileDialog } from './file-dialogs.tsx'
import { runWithUndo } from './resource-actions.ts'

interface Props {
  resource: ResourceDetails
  canEdit: boolean
}

export function FileCard({ resource, canEdit }: Props): ReactNode {
  const { file } = resource
  const [replacing, setReplacing] = useState(false)
  return (
    <Card
      title={texts.resources.fileTitle}
      {...(file === null ? {} : { lead: texts.resources.fileLead })}
    >
      {file === null && (
        <p className="text-soft">
          {canEdit ? texts.resources.fileEmpty : texts.resources.fileNone}
        </p>
      )}
      {file !== null && (
        <FileRow
          file={file}
          live={resource.live}
          canEdit={canEdit}
          onReplace={() => setReplacing(true)}
        />
      )}
      {canEdit && (file === null || replacing) && (
        <Upload resource={resource} onSent={() => setReplacing(false)} />
      )}
      {canEdit && file !== null && replacing && (
        <div className="text-right">
          <Button onClick={() => setReplacing(false)}>{texts.common.cancel}</Button>
        </div>
      )}
    </Card>
  )
}

function Upload({
  resource,
  onSent,
}: {
  resource: ResourceDetails
  onSent: () => void
}): ReactNode {
  const scope = useAppScope()
  const path = scope.path('resources', ridToSegment(resource.rid), 'file')
  return (
    <FileDrop
      hint={resource.file === null ? texts.resources.fileHint : texts.resources.replaceLead}
      send={async (file, progress) => {
        const sent = await sendFile<DownloadItem>('PUT', path, { name: file.name }, file, progress)
        const { fileSent, fileSentHidden } = texts.resources
        toast((sent.published === null ? fileSentHidden : fileSent)(sent.file))
        await refetchApplication(scope)
        onSent()
      }}
    />
  )
}

/** Publishes or withdraws a file. */
async function setPublished(
  scope: AppScope,
  file: ResourceFile,
  published: boolean,
): Promise<void> {
  const work = async () => {
    await send('PATCH', scope.path('downloads', file.id), { published })
    await refetchApplication(scope)
  }
  const { publishedNow, withdrawnNow } = texts.resources
  const done = (published ? publishedNow : withdrawnNow)(file.file_name)
  await runWithUndo(work, done, () => void setPublished(scope, file, !published))
}

interface RowProps {
  file: ResourceFile
  live: number
  canEdit: boolean
  onReplace: () => void
}

function FileRow({ file, live, canEdit, onReplace }: RowProps): ReactNode {
  const scope = useAppScope()
  const [open, setOpen] = useState<'rename' | 'remove'>()
  const close = () => setOpen(undefined)
  const { published } = file
  const items: MenuItem[] = [
    { label: texts.resources.replace, onSelect: onReplace },
    { label: texts.resources.rename, onSelect: () => setOpen('rename') },
    {
      label: published ? texts.resources.withdraw : texts.resources.publish,
      onSelect: () => void setPublished(scope, file, !published),
    },
    {
      label: texts.resources.removeFile,
      danger: true,
      apart: true,
      onSelect: () => setOpen('remove'),
    },
  ]
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border border-line py-2 pr-1 pl-3">
      <FileText size={20} className="shrink-0 text-soft" aria-hidden />
      <div className="min-w-0 flex-1 basis-44">
        <p className="font-medium">{file.title}</p>
        <p className="text-soft">
          {file.file_name} · {formatBytes(file.size)}
        </p>
      </div>
      <StateBadge state={published ? 'live' : 'ended'}>
        {published ? texts.resources.published : texts.resources.notPublished}
      </StateBadge>
      {canEdit && (
        <span className="ml-auto">
          <MoreMenu label={texts.resources.fileActions(file.file_name)} items={items} />
        </span>
      )}
      <RenameFileDialog open={open === 'rename'} onClose={close} file={file} />
      <RemoveFileDialog open={open === 'remove'} onClose={close} file={file} live={live} />
    </div>
  )
}
