import type { ReactNode } from 'react'
import { Dialog } from '../components/overlays/dialog.tsx'
import { texts } from '../texts.ts'

/** The name of the modifier key for commands. */
const COMMAND_KEY = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'
export const FIND_KEYS = [COMMAND_KEY, 'K'] as const

const { shortcuts } = texts

/** The keys of each group. The keys of one entry are pressed together. */
const GROUPS = [
  {
    title: shortcuts.everywhere,
    entries: [
      { what: shortcuts.find, keys: [FIND_KEYS] },
      { what: shortcuts.search, keys: [['/']] },
      { what: shortcuts.help, keys: [['?']] },
      { what: shortcuts.close, keys: [['Esc']] },
    ],
  },
  {
    title: shortcuts.lists,
    entries: [
      { what: shortcuts.next, keys: [['J'], ['↓']] },
      { what: shortcuts.previous, keys: [['K'], ['↑']] },
      { what: shortcuts.open, keys: [['Enter']] },
      { what: shortcuts.select, keys: [['X']] },
    ],
  },
] as const

interface Props {
  open: boolean
  onClose: () => void
}

export function ShortcutsDialog({ open, onClose }: Props): ReactNode {
  return (
    <Dialog open={open} onClose={onClose} title={shortcuts.title}>
      {GROUPS.map(({ title, entries }) => (
        <section key={title} aria-label={title}>
          <h3 className="mb-1 font-medium text-soft">{title}</h3>
          <dl className="divide-y divide-line">
            {entries.map(({ what, keys }) => (
              <div key={what} className="flex items-center justify-between gap-4 py-1.5">
                <dt>{what}</dt>
                <dd className="flex shrink-0 items-center gap-1.5">
                  <Keys ways={keys} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}

function Keys({ ways }: { ways: readonly (readonly string[])[] }): ReactNode {
  return ways.map((keys, index) => (
    <span key={keys.join(' ')} className="flex items-center gap-1">
      {index > 0 && <span className="mr-0.5 text-soft">{shortcuts.or}</span>}
      {keys.map((key) => (
        <kbd
          key={key}
          className="min-w-6 rounded-md border border-line bg-paper px-1.5 py-0.5 text-center font-sans text-xs"
        >
          {key}
        </kbd>
      ))}
    </span>
  ))
}
