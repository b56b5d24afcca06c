import { type NoteItem, type PersonDetails, SUPPORT } from '@gatehouse/server/dashboard-api'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { send } from '../../../api.ts'
import { useAppScope } from '../../../app-scope.ts'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/display/card.tsx'
import { Time } from '../../../components/display/time.tsx'
import { ConfirmDialog } from '../../../components/overlays/confirm-dialog.tsx'
import { MoreMenu } from '../../../components/overlays/menu.tsx'
import { toast } from '../../../components/overlays/toast.tsx'
import { formatDay } from '../../../format.ts'
import { useHasRole, useNow } from '../../../frame/me.ts'
import { useColleagueName } from '../../../frame/use-colleagues.ts'
import { texts } from '../../../texts.ts'
import { useRefetch } from '../../access/use-refetch.ts'
import { NoteDialog } from './note-dialog.tsx'

const words = texts.people.notes

type Asked = { what: 'write'; note?: NoteItem } | { what: 'remove'; note: NoteItem }

/** The team's notes about a person, newest first. */
export function NotesCard({ details }: { details: PersonDetails }): ReactNode {
  const canWrite = useHasRole(SUPPORT)
  const [asked, ask] = useState<Asked>()
  const close = () => ask(undefined)
  const { notes } = details
  return (
    <Card
      title={words.title}
      action={
        canWrite && (
          <Button icon={Plus} onClick={() => ask({ what: 'write' })}>
            {words.add}
          </Button>
        )
      }
    >
      {notes.length === 0 && <p className="text-soft">{words.none}</p>}
      {notes.length > 0 && (
        <ul className="grid gap-4">
          {notes.map((note) => (
            <Note key={note.id} note={note} {...(canWrite ? { ask } : {})} />
          ))}
        </ul>
      )}
      {asked?.what === 'write' && (
        <NoteDialog
          details={details}
          onClose={close}
          {...(asked.note ? { note: asked.note } : {})}
        />
      )}
      <RemoveDialog
        uid={details.person.uid}
        note={asked?.what === 'remove' ? asked.note : undefined}
        onClose={close}
      />
    </Card>
  )
}

function Note({ note, ask }: { note: NoteItem; ask?: (asked: Asked) => void }): ReactNode {
  const nameOf = useColleagueName()
  const now = useNow()
  const { text, actor, created, changed, changed_by } = note
  return (
    <li className="flex items-start justify-between gap-2">
      <div className="min-w-0">
        <p className="break-words whitespace-pre-wrap">{text}</p>
        <p className="mt-0.5 text-xs text-soft">
          {nameOf(actor) ?? words.formerMember} · <Time at={created * 1000} now={now} />
          {changed !== null && (
            <>
              {' · '}
              {words.changedBy(nameOf(changed_by) ?? words.formerMember)}{' '}
              <Time at={changed * 1000} now={null} />
            </>
          )}
        </p>
      </div>
      {ask && (
        <MoreMenu
          label={words.actions(formatDay(created * 1000))}
          items={[
            { label: words.edit, icon: Pencil, onSelect: () => ask({ what: 'write', note }) },
            {
              label: words.remove,
              icon: Trash2,
              danger: true,
              onSelect: () => ask({ what: 'remove', note }),
            },
          ]}
        />
      )}
    </li>
  )
}

interface RemoveProps {
  uid: string
  note: NoteItem | undefined
  onClose: () => void
}

function RemoveDialog({ uid, note, onClose }: RemoveProps): ReactNode {
  const { path } = useAppScope()
  const refresh = useRefetch()
  return (
    <ConfirmDialog
      open={note !== undefined}
      onClose={onClose}
      title={words.removeTitle}
      effect={
        <>
          <p className="line-clamp-4 break-words whitespace-pre-wrap">{note?.text}</p>
          <p>{words.removeEffect}</p>
        </>
      }
      action={words.remove}
      onConfirm={async () => {
        await send('DELETE', path('people', uid, 'notes', note?.id ?? ''))
        toast(words.removed)
        await refresh()
      }}
    />
  )
}
