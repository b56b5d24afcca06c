import { Tabs as Radix } from 'radix-ui'
import { type ReactNode, useState } from 'react'

export interface Tab {
  id: string
  label: string
  content: ReactNode
  /** Keeps the tab mounted once it was shown; only for controlled tabs. */
  kept?: boolean
}

interface Props {
  /** The accessible name of the tab list. */
  label: string
  tabs: readonly Tab[]
  /** The tab that is open at first, if it isn't the leftmost. */
  first?: string | undefined
  value?: string
  onValueChange?: (id: string) => void
}

export function Tabs({ label, tabs, first, value, onValueChange }: Props): ReactNode {
  const [seen, setSeen] = useState<readonly string[]>([])
  if (value !== undefined && !seen.includes(value)) setSeen([...seen, value])
  return (
    <Radix.Root
      defaultValue={first ?? tabs[0]?.id ?? ''}
      {...(value === undefined ? {} : { value })}
      {...(onValueChange === undefined ? {} : { onValueChange })}
    >
      <Radix.List
        aria-label={label}
        className="flex gap-1 overflow-x-auto overflow-y-hidden [scrollbar-width:none] shadow-[inset_0_-1px_0_var(--line)]"
      >
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.id}
            value={tab.id}
            className="border-b-2 border-transparent px-3 py-2 font-medium whitespace-nowrap text-soft -outline-offset-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content
          key={tab.id}
          value={tab.id}
          {...(tab.kept && seen.includes(tab.id) ? { forceMount: true } : {})}
          className="pt-3 data-[state=inactive]:hidden"
        >
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
