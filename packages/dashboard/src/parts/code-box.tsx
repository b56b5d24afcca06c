import type { ReactNode } from 'react'
import { CopyButton } from './copyable.tsx'
import { cx } from './cx.ts'
import { Tabs } from './tabs.tsx'

export interface Snippet {
  /** The language, as people call it. */
  label: string
  code: string
}

interface CodeProps {
  code: string
  /** What it is, after “Copy”. */
  what: string
  /** One long line that must be seen as a whole. */
  wrap?: boolean
}

export function Code({ code, what, wrap = false }: CodeProps): ReactNode {
  return (
    <div className="relative min-w-0">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines must be scrolled by keyboard, too.
        tabIndex={0}
        className={cx(
          'overflow-x-auto rounded-lg border border-line bg-paper p-3 pr-12 font-mono text-[0.8125rem]',
          wrap && 'break-all whitespace-pre-wrap',
        )}
      >
        <code>{code}</code>
      </pre>
      <span className="absolute top-1.5 right-1.5 rounded-lg bg-paper">
        <CopyButton value={code} what={what} />
      </span>
    </div>
  )
}

interface Props {
  /** What the code does. */
  label: string
  snippets: readonly Snippet[]
}

/** The same in several languages. */
export function CodeBox({ label, snippets }: Props): ReactNode {
  const tabs = snippets.map(({ label: id, code }) => ({
    id,
    label: id,
    content: <Code code={code} what={id} />,
  }))
  return <Tabs label={label} tabs={tabs} />
}
