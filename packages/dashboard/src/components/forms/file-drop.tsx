import { Upload } from 'lucide-react'
import { Progress } from 'radix-ui'
import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { formatBytes } from '../../format.ts'
import { texts } from '../../texts.ts'
import { Button } from '../button.tsx'
import { cx } from '../cx.ts'
import { Notice } from '../display/notice.tsx'
import { errorMessage } from './use-form.ts'

interface Props {
  hint?: ReactNode
  accept?: string
  /** Uploads the file and reports the progress (0 to 1); an error is shown. */
  send: (
    file: File,
    options: { onProgress: (part: number) => void; signal: AbortSignal },
  ) => Promise<unknown>
}

interface Sending {
  file: File
  part: number
  stop: () => void
}

/** Uploads one file at a time. */
function useUpload(send: Props['send']) {
  const [sending, setSending] = useState<Sending>()
  const [problem, setProblem] = useState<string>()

  async function upload(file: File | undefined) {
    if (file === undefined || sending) return
    const controller = new AbortController()
    const stop = () => controller.abort()
    setProblem(undefined)
    setSending({ file, part: 0, stop })
    try {
      const onProgress = (part: number) => setSending({ file, part, stop })
      await send(file, { onProgress, signal: controller.signal })
    } catch (error) {
      setProblem(errorMessage(error))
    } finally {
      setSending(undefined)
    }
  }

  return { sending, problem, upload }
}

export function FileDrop({ hint, accept, send }: Props): ReactNode {
  const { sending, problem, upload } = useUpload(send)
  if (sending) return <UploadProgress {...sending} />
  return (
    <div className="grid gap-2">
      <DropZone onFile={(file) => void upload(file)}>
        <Upload size={20} className="text-soft" aria-hidden />
        <FileChooser accept={accept} onFile={(file) => void upload(file)} />
        {hint !== undefined && <p className="text-soft">{hint}</p>}
      </DropZone>
      {problem !== undefined && <Notice tone="failed">{problem}</Notice>}
    </div>
  )
}

type OnFile = (file: File | undefined) => void

/** An area that takes a dropped file, and is highlighted while one is dragged over it. */
function DropZone({ onFile, children }: { onFile: OnFile; children: ReactNode }): ReactNode {
  const [over, setOver] = useState(false)

  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    onFile(event.dataTransfer.files[0])
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

function FileChooser(props: { accept: string | undefined; onFile: OnFile }): ReactNode {
  const { accept, onFile } = props
  const input = useRef<HTMLInputElement>(null)
  return (
    <p>
      {texts.file.drop}{' '}
      <button
        type="button"
        className="py-0.5 font-medium text-accent underline underline-offset-2"
        onClick={() => input.current?.click()}
      >
        {texts.file.choose}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        {...(accept === undefined ? {} : { accept })}
        onChange={({ target }) => {
          onFile(target.files?.[0])
          // Allows the same file to be chosen again.
          target.value = ''
        }}
      />
    </p>
  )
}

function UploadProgress({ file, part, stop }: Sending): ReactNode {
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
