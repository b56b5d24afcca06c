import { Upload } from 'lucide-react'
import { Progress } from 'radix-ui'
import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { formatBytes } from '../../format.ts'
import { texts } from '../../texts.ts'
import { Button } from '../button.tsx'
import { cx } from '../cx.ts'
import { Notice } from '../display/notice.tsx'
import { errorMessage } from './use-form.ts'

type FileKind = 'file' | 'files' | 'image'

interface Props {
  hint?: ReactNode
  accept?: string
  /** The kind of file to upload. Several files are uploaded one after the other. */
  kind?: FileKind
  /** Uploads the file and reports the progress (0 to 1); an error is shown. */
  send: (
    file: File,
    options: { onProgress: (part: number) => void; signal: AbortSignal },
  ) => Promise<unknown>
}

interface Sending {
  file: File
  part: number
  /** Counted from 1. */
  place: number
  count: number
  stop: () => void
}

/** Uploads one file at a time. A file that fails does not stop those after it; canceling does. */
function useUpload(send: Props['send']) {
  const [sending, setSending] = useState<Sending>()
  const [problems, setProblems] = useState<readonly string[]>([])

  async function upload(files: readonly File[]) {
    if (files.length === 0 || sending) return
    const controller = new AbortController()
    const stop = () => controller.abort()
    const found: string[] = []
    setProblems([])
    for (const [i, file] of files.entries()) {
      const shown = { file, place: i + 1, count: files.length, stop }
      const onProgress = (part: number) => setSending({ ...shown, part })
      onProgress(0)
      try {
        await send(file, { onProgress, signal: controller.signal })
      } catch (error) {
        const message = errorMessage(error)
        found.push(files.length === 1 ? message : `${file.name}: ${message}`)
      }
      if (controller.signal.aborted) break
    }
    setProblems(found)
    setSending(undefined)
  }

  return { sending, problems, upload }
}

export function FileDrop({ hint, accept, kind = 'file', send }: Props): ReactNode {
  const { sending, problems, upload } = useUpload(send)
  if (sending) return <UploadProgress {...sending} />
  const onFiles = (files: readonly File[]) =>
    void upload(kind === 'files' ? files : files.slice(0, 1))
  return (
    <div className="grid gap-2">
      <DropZone onFiles={onFiles}>
        <Upload size={20} className="text-soft" aria-hidden />
        <FileChooser accept={accept} kind={kind} onFiles={onFiles} />
        {hint !== undefined && <p className="text-soft">{hint}</p>}
      </DropZone>
      {problems.map((problem) => (
        <Notice key={problem} tone="failed">
          {problem}
        </Notice>
      ))}
    </div>
  )
}

type OnFiles = (files: readonly File[]) => void

/** An area that takes dropped files, and is highlighted while they are dragged over it. */
function DropZone({ onFiles, children }: { onFiles: OnFiles; children: ReactNode }): ReactNode {
  const [over, setOver] = useState(false)

  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    onFiles([...event.dataTransfer.files])
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same.
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cx(
        'grid justify-items-center gap-2 rounded-lg border border-dashed px-4 py-6 text-center',
        over ? 'border-accent bg-tint' : 'border-edge',
      )}
    >
      {children}
    </div>
  )
}

function FileChooser(props: {
  accept: string | undefined
  kind: FileKind
  onFiles: OnFiles
}): ReactNode {
  const { accept, kind, onFiles } = props
  const input = useRef<HTMLInputElement>(null)
  return (
    <p>
      {texts.file.drop[kind]}{' '}
      <button
        type="button"
        className="py-0.5 font-medium text-accent underline underline-offset-2"
        onClick={() => input.current?.click()}
      >
        {texts.file.choose[kind]}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple={kind === 'files'}
        {...(accept === undefined ? {} : { accept })}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          // Allows the same files to be chosen again.
          target.value = ''
        }}
      />
    </p>
  )
}

function UploadProgress({ file, part, place, count, stop }: Sending): ReactNode {
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    bar.current?.style.setProperty('width', `${part * 100}%`)
  }, [part])
  return (
    <div className="grid gap-2 rounded-lg border border-line p-4">
      <div className="flex items-center justify-between gap-3">
        <span className="min-w-0 truncate">
          {texts.file.sending(file.name)}{' '}
          <span className="text-soft">({formatBytes(file.size)})</span>
          {count > 1 && <span className="block text-soft">{texts.file.place(place, count)}</span>}
        </span>
        <span className="tabular-nums">{texts.file.percent(part)}</span>
      </div>
      <Progress.Root
        value={Math.floor(part * 100)}
        aria-label={texts.file.sending(file.name)}
        className="h-2 overflow-hidden rounded-full bg-hover"
      >
        <Progress.Indicator ref={bar} className="h-full w-0 rounded-full bg-accent" />
      </Progress.Root>
      <div className="text-right">
        <Button onClick={stop}>{texts.file.stop}</Button>
      </div>
    </div>
  )
}
