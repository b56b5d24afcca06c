import { Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { texts } from '../../texts.ts'
import { cx } from '../cx.ts'
import { IconButton } from '../icon-button.tsx'

/** Copies the value and confirms it for two seconds. */
export function CopyButton({ value, label }: { value: string; label: string }): ReactNode {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <>
      <IconButton
        icon={copied ? Check : Copy}
        label={texts.common.copyThis(label)}
        onClick={() => void navigator.clipboard?.writeText(value).then(() => setCopied(true))}
      />
      <span role="status" className="sr-only">
        {copied ? texts.common.copied : ''}
      </span>
    </>
  )
}

interface Props {
  value: string
  /** The name of the value in the label “Copy …”. */
  label: string
  /** Shows the whole value in a box, for links and keys. */
  boxed?: boolean
}

/** An id, a link or a key with a copy button. */
export function Copyable({ value, label, boxed = false }: Props): ReactNode {
  return (
    <span
      className={cx(
        'items-center gap-1',
        boxed
          ? 'flex rounded-lg border border-line bg-paper py-1 pr-1 pl-3'
          : 'inline-flex min-w-0 max-w-full align-middle',
      )}
    >
      <code
        className={cx(
          'min-w-0 font-mono text-[0.8125rem]',
          boxed ? 'flex-1 break-all' : 'truncate',
        )}
      >
        {value}
      </code>
      <CopyButton value={value} label={label} />
    </span>
  )
}
