import type { MergeDone, PeoplePage, PersonItem } from '@gatehouse/server/dashboard-api'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { get, keys, send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { Field } from '../../components/forms/field.tsx'
import { TextInput } from '../../components/forms/text-input.tsx'
import { ConfirmDialog } from '../../components/overlays/confirm-dialog.tsx'
import { Dialog } from '../../components/overlays/dialog.tsx'
import { toast } from '../../components/overlays/toast.tsx'
import { texts } from '../../texts.ts'
import { useRefetch } from '../access/use-refetch.ts'
import type { PersonDialogProps } from './person-dialog.ts'
import { emailOf, personTitle } from './person-labels.ts'

/** Finds the other person, then asks for confirmation. */
export function MergeDialog({ details, onClose }: PersonDialogProps): ReactNode {
  const [other, setOther] = useState<PersonItem>()
  if (other) return <MergeQuestion details={details} other={other} onClose={onClose} />
  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.people.mergeTitle(personTitle(details.person))}
      lead={texts.people.mergeLead}
    >
      <FindOther uid={details.person.uid} onChosen={setOther} />
    </Dialog>
  )
}

interface FindProps {
  uid: string
  onChosen: (other: PersonItem) => void
}

/** Few enough to fit on the screen. */
const MOST = 8

function FindOther({ uid, onChosen }: FindProps): ReactNode {
  const { environment, aid, path } = useAppScope()
  const [text, setText] = useState('')
  const q = text.trim()
  const { data } = useQuery({
    queryKey: keys.of(environment, aid, 'people', 'to merge', q),
    queryFn: ({ signal }) => get<PeoplePage>(path('people'), { q, pagesize: MOST }, signal),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
  const found = q === '' ? [] : (data?.data ?? []).filter((one) => one.uid !== uid)
  return (
    <div className="grid gap-3">
      <Field label={texts.people.mergeFind} hint={texts.people.searchFor}>
        <TextInput
          type="search"
          autoComplete="off"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </Field>
      <ul className="grid gap-1">
        {found.map((one) => (
          <li key={one.uid}>
            <button
              type="button"
              onClick={() => onChosen(one)}
              className="w-full rounded-lg border border-line px-3 py-2 text-left hover:bg-hover"
            >
              <span className="block font-medium">{personTitle(one)}</span>
              <span className="block text-soft">{emailOf(one) || one.uid}</span>
            </button>
          </li>
        ))}
      </ul>
      <p role="status" className="text-soft">
        {q !== '' && data && found.length === 0 && texts.people.mergeNobody}
      </p>
    </div>
  )
}

function MergeQuestion({
  details,
  other,
  onClose,
}: PersonDialogProps & { other: PersonItem }): ReactNode {
  const { path } = useAppScope()
  const navigate = useNavigate()
  const refresh = useRefetch()
  const { person, access, payments } = details
  const name = emailOf(person) || person.uid
  const otherName = emailOf(other) || other.uid

  async function merge() {
    await send<MergeDone>('POST', path('people', person.uid, 'merge'), { into: other.uid })
    toast(texts.people.merged(personTitle(other)))
    await navigate({ to: path('people', other.uid) })
    await refresh()
  }

  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={texts.people.mergeConfirm(name, otherName)}
      effect={
        <>
          <p>
            {texts.people.mergeEffect(
              access.length,
              person.refs.length + person.aliases.length,
              payments.length,
            )}
          </p>
          {person.email !== '' && <p>{texts.people.mergeFormer(person.email)}</p>}
          <p>
            {emailOf(other) === ''
              ? texts.people.mergeForGood
              : texts.people.mergeKeeps(emailOf(other))}
          </p>
        </>
      }
      action={texts.people.mergeGo}
      onConfirm={merge}
    />
  )
}
