import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import { CopyButton } from './copyable.tsx'
import { Tabs } from './tabs.tsx'

export interface Snippet {
  /** The name of the language. */
  label: string
  code: string
}

interface CodeProps {
  code: string
  /** The name of the code in the label “Copy …”. */
  label: string
  /** Wraps a single long line, so that all of it is visible. */
  wrap?: boolean
}

export function Code({ code, label, wrap = false }: CodeProps): ReactNode {
  return (
    <div className="flex min-w-0 items-start rounded-lg border border-line bg-paper">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines must be scrollable by keyboard.
        tabIndex={0}
        className={cx(
          'min-w-0 flex-1 overflow-x-auto rounded-lg p-3 font-mono text-[0.8125rem]',
          wrap && 'break-all whitespace-pre-wrap',
        )}
      >
        <code>{code}</code>
      </pre>
      <span className="p-1.5">
        <CopyButton value={code} label={label} />
      </span>
    </div>
  )
}

interface Props {
  /** The task that the code performs. */
  label: string
  snippets: readonly Snippet[]
}

/** The same code in several languages, as tabs. */
export function CodeBox({ label, snippets }: Props): ReactNode {
  const tabs = snippets.map(({ label: id, code }) => ({
    id,
    label: id,
    content: <Code code={code} label={id} />,
  }))
  return <Tabs label={label} tabs={tabs} />
}
