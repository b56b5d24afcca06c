import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { cx } from '../components/cx.ts'
import { backdropClass } from '../components/overlays/dialog.tsx'
import { restoreFocus } from '../components/restore-focus.ts'
import { texts } from '../texts.ts'
import { type SearchHit, useSearch } from './use-search.ts'

/** A search box over pages and all kinds of records. */
export function SearchDialog({ open, onClose }: { open: boolean; onClose: () => void }): ReactNode {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={backdropClass} />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={restoreFocus}
          className="fixed top-[10dvh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 animate-appear overflow-hidden rounded-xl border border-line bg-raised shadow-float"
        >
          <Dialog.Title className="sr-only">{texts.find.title}</Dialog.Title>
          <Box onClose={onClose} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Box({ onClose }: { onClose: () => void }): ReactNode {
  const id = useId()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const { hits, settled } = useSearch(text)
  const chosen = hits[Math.min(at, hits.length - 1)]
  const optionId = (found: SearchHit) => `${id}-${found.key}`

  useEffect(() => {
    if (chosen) document.getElementById(`${id}-${chosen.key}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, chosen])

  function go(found: SearchHit | undefined) {
    if (found === undefined) return
    onClose()
    void navigate({ to: found.to })
  }

  function press(event: KeyboardEvent) {
    if (event.key === 'Enter') go(chosen)
    else if (event.key === 'ArrowDown') setAt(Math.min(at + 1, hits.length - 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0))
    else return
    event.preventDefault()
  }

  return (
    <>
      <div className="flex items-center gap-2 border-b border-line px-4">
        <Search size={16} className="shrink-0 text-soft" aria-hidden />
        <input
          role="combobox"
          aria-label={texts.find.title}
          aria-expanded={hits.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          {...(chosen ? { 'aria-activedescendant': optionId(chosen) } : {})}
          placeholder={texts.find.placeholder}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            setAt(0)
          }}
          onKeyDown={press}
          className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none"
        />
      </div>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={texts.find.title}
        className={cx('max-h-[50dvh] overflow-y-auto', hits.length > 0 && 'p-1.5')}
      >
        {hits.map((found) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input above handles the keys.
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input.
          <div
            key={found.key}
            id={optionId(found)}
            role="option"
            aria-selected={found === chosen}
            onClick={() => go(found)}
            onPointerMove={() => setAt(hits.indexOf(found))}
            className="flex cursor-pointer items-center gap-3 rounded-lg px-2.5 py-2 aria-selected:bg-hover"
          >
            <span className="min-w-0 flex-1">
              <span className="block truncate">{found.title}</span>
              {found.detail !== '' && found.detail !== found.title && (
                <span className="block truncate text-soft">{found.detail}</span>
              )}
            </span>
            <span className="text-xs text-soft">{texts.find.kinds[found.kind]}</span>
          </div>
        ))}
      </div>
      <p role="status" className={cx('px-4 py-3 text-soft', hits.length > 0 && 'sr-only')}>
        {text.trim() === ''
          ? texts.find.hint
          : hits.length > 0
            ? texts.find.results(hits.length)
            : settled && texts.find.nothing(text.trim())}
      </p>
    </>
  )
}
