import type { ResourceFile } from '@gatehouse/server/dashboard-api'
import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, type LucideIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { send, sendFile } from '../../api.ts'
import { type AppScope, useAppScope } from '../../app-scope.ts'
import { Button } from '../../components/button.tsx'
import { StateBadge } from '../../components/display/state-badge.tsx'
import { FileDrop } from '../../components/forms/file-drop.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { type MenuItem, MoreMenu } from '../../components/overlays/menu.tsx'
import { toast } from '../../components/overlays/toast.tsx'
import { toastOnError } from '../../components/overlays/toast-on-error.ts'
import { refetchApplication } from '../../components/refetch-application.ts'
import { formatBytes } from '../../format.ts'
import { texts } from '../../texts.ts'
import { RemoveFileDialog, RenameFileDialog } from './file-dialogs.tsx'
import { runWithUndo } from './resource-actions.ts'

interface Order {
  /** Counted from 1. */
  place: number
  count: number
  busy: boolean
  moveTo: (place: number) => Promise<void>
}

interface Props {
  file: ResourceFile
  live: number
  canEdit: boolean
  /** Whether the resource has no other file. */
  isLast: boolean
  order: Order
}

export function FileRow({ file, live, canEdit, isLast, order }: Props): ReactNode {
  const { path } = useAppScope()
  const [replacing, setReplacing] = useState(false)
  const { title, file_name, size, published } = file
  return (
    <li className="grid gap-2 py-2 pr-1 pl-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-0 flex-1 basis-44">
          <Link
            to={path('downloads', file.id)}
            className="font-medium text-accent underline underline-offset-2"
          >
            {title}
          </Link>
          <p className="break-words text-soft">
            {file_name} · {formatBytes(size)}
          </p>
        </div>
        <StateBadge state={published ? 'live' : 'ended'}>
          {published ? texts.resources.published : texts.resources.notPublished}
        </StateBadge>
        {canEdit && (
          <span className="ml-auto flex items-center">
            {order.count > 1 && <OrderButtons title={title} order={order} />}
            <FileMenu
              file={file}
              live={live}
              isLast={isLast}
              onReplace={() => setReplacing(true)}
            />
          </span>
        )}
      </div>
      {replacing && <Replace file={file} onClose={() => setReplacing(false)} />}
    </li>
  )
}

function OrderButtons({ title, order }: { title: string; order: Order }): ReactNode {
  const { place, count } = order
  const { moveUp, moveDown } = texts.resources
  return (
    <>
      <MoveButton icon={ArrowUp} label={moveUp(title)} to={place - 1} at={order} />
      <MoveButton icon={ArrowDown} label={moveDown(title)} to={place + 1} at={order} />
      <span className="sr-only">{texts.resources.placeOf(place, count)}</span>
    </>
  )
}

interface MoveProps {
  icon: LucideIcon
  label: string
  to: number
  at: Order
}

/** Keeps the focus, so that somebody with a keyboard can press it again: a disabled button would lose it, and so does one
 * whose row moves. */
function MoveButton({ icon, label, to, at: { count, busy, moveTo } }: MoveProps): ReactNode {
  const isOff = busy || to < 1 || to > count
  async function press(button: HTMLButtonElement) {
    if (isOff) return
    await moveTo(to)
    requestAnimationFrame(() => button.focus())
  }
  return (
    <IconButton
      icon={icon}
      label={label}
      aria-disabled={isOff}
      onClick={({ currentTarget }) => toastOnError(press(currentTarget))}
    />
  )
}

function Replace({ file, onClose }: { file: ResourceFile; onClose: () => void }): ReactNode {
  const scope = useAppScope()
  return (
    <div className="grid gap-2 pr-2 pb-1">
      <FileDrop
        hint={texts.resources.replaceLead}
        send={async (chosen, options) => {
          const path = scope.path('downloads', file.id, 'file')
          await sendFile('PUT', path, { name: chosen.name }, chosen, options)
          toast(texts.resources.replacedNow(file.title, chosen.name))
          await refetchApplication(scope)
          onClose()
        }}
      />
      <div className="text-right">
        <Button onClick={onClose}>{texts.common.cancel}</Button>
      </div>
    </div>
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

interface MenuProps {
  file: ResourceFile
  live: number
  isLast: boolean
  onReplace: () => void
}

function FileMenu({ file, live, isLast, onReplace }: MenuProps): ReactNode {
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
    <>
      <MoreMenu label={texts.resources.fileActions(file.file_name)} items={items} />
      <RenameFileDialog open={open === 'rename'} onClose={close} file={file} />
      <RemoveFileDialog
        open={open === 'remove'}
        onClose={close}
        file={file}
        live={live}
        isLast={isLast}
      />
    </>
  )
}
