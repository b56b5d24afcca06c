import { type DownloadItem, MAX_USES, type NewDownloadLink } from '@gatehouse/server/dashboard-api'
import { type ReactNode, useState } from 'react'
import { ApiError, fieldError, send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { DialogForm } from '../../components/forms/dialog-form.tsx'
import { formDialog } from '../../components/forms/form-dialog.tsx'
import { SelectField } from '../../components/forms/select-field.tsx'
import { TextField } from '../../components/forms/text-field.tsx'
import { useForm } from '../../components/forms/use-form.ts'
import { MadeLink } from '../../components/overlays/made-link.tsx'
import { texts } from '../../texts.ts'

const words = texts.downloads

const HOUR = 3_600
const LIFETIMES = [
  { value: String(HOUR), label: words.lifetimes.hour },
  { value: String(24 * HOUR), label: words.lifetimes.day },
  { value: String(7 * 24 * HOUR), label: words.lifetimes.week },
  { value: String(30 * 24 * HOUR), label: words.lifetimes.month },
]

interface Props {
  download: DownloadItem
  onClose: () => void
}

/** Asks for the lifetime and the reader, then shows the link. */
export const DownloadLinkDialog = formDialog(
  Steps,
  ({ download }) => words.linkTitle(download.title),
  words.linkLead,
)

function Steps({ download, onClose }: Props): ReactNode {
  const [link, setLink] = useState<NewDownloadLink>()
  if (link !== undefined)
    return (
      <MadeLink link={link} label={words.link} onClose={onClose}>
        <p role="status">{words.linkMade}</p>
      </MadeLink>
    )
  return <LinkForm download={download} onMade={setLink} onClose={onClose} />
}

function usesProblem(text: string): string | undefined {
  const wanted = text.trim()
  const isCount = /^[1-9]\d*$/.test(wanted) && Number(wanted) <= MAX_USES
  return wanted === '' || isCount ? undefined : words.notACount
}

/** Turns an error about a field into an error shown at that field. */
function atItsField(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  const { status, code, message } = error
  if (code === 'access_not_found') {
    return fieldError(status, 'user_ref', words.noAccess)
  }
  if (code === 'link_life_too_long') {
    return fieldError(status, 'lifetime', message)
  }
  return error
}

interface FormProps {
  download: DownloadItem
  onMade: (link: NewDownloadLink) => void
  onClose: () => void
}

function LinkForm({ download, onMade, onClose }: FormProps): ReactNode {
  const { path } = useAppScope()
  const form = useForm(
    { lifetime: String(24 * HOUR), user_ref: '', limit: '' },
    {
      check: ({ limit }) => ({ limit: usesProblem(limit) }),
      send: async ({ lifetime, user_ref, limit }) => {
        const body = {
          lifetime: Number(lifetime),
          ...(user_ref.trim() === '' ? {} : { user_ref: user_ref.trim() }),
          ...(limit.trim() === '' ? {} : { limit: Number(limit) }),
        }
        const made = send<NewDownloadLink>('POST', path('downloads', download.id, 'link'), body)
        onMade(await made.catch((error) => Promise.reject(atItsField(error))))
      },
    },
  )
  return (
    <DialogForm form={form} onClose={onClose} action={words.makeLink}>
      <SelectField label={words.lifetime} options={LIFETIMES} {...form.field('lifetime')} />
      <TextField {...form.field('user_ref')} {...words.forReader} optional spellCheck={false} />
      <TextField {...form.field('limit')} {...words.uses} optional inputMode="numeric" />
    </DialogForm>
  )
}
