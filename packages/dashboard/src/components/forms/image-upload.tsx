import { IMAGE_TYPES, MAX_IMAGE_BYTES, type ShownImage } from '@gatehouse/server/dashboard-api'
import { type ReactNode, useState } from 'react'
import { ApiError, send, sendFile } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { ActionButton } from '../../components/action-button.tsx'
import { texts } from '../../texts.ts'
import { Button } from '../button.tsx'
import { toast } from '../overlays/toast.tsx'
import { refetchApplication } from '../refetch-application.ts'
import { FileDrop } from './file-drop.tsx'

interface Props {
  /** The URL that is shown; empty if there is no image. */
  image: string
  /** Whether the image was uploaded here. Otherwise it is a link to another site. */
  isUploaded: boolean
  /** The subject of the image, as its text alternative. */
  name: string
  /** The API path that takes an image and removes it. */
  path: string
  canEdit: boolean
  hint: string
}

/** Shows an image and lets somebody upload another one or remove it. */
export function ImageUpload({ image, isUploaded, name, path, canEdit, hint }: Props): ReactNode {
  const [isReplacing, setReplacing] = useState(false)
  const isAsking = canEdit && (!isUploaded || isReplacing)
  return (
    <div className="grid gap-3">
      {image !== '' && <Picture key={image} src={image} name={name} isUploaded={isUploaded} />}
      {isAsking && <Drop path={path} hint={hint} onDone={() => setReplacing(false)} />}
      {canEdit && isUploaded && (
        <div className="flex flex-wrap gap-2">
          {isReplacing ? (
            <Button onClick={() => setReplacing(false)}>{texts.common.cancel}</Button>
          ) : (
            <>
              <Button onClick={() => setReplacing(true)}>{texts.image.replace}</Button>
              <RemoveButton path={path} />
            </>
          )}
        </div>
      )}
    </div>
  )
}

interface DropProps {
  path: string
  hint: string
  onDone: () => void
}

function Drop({ path, hint, onDone }: DropProps): ReactNode {
  const scope = useAppScope()
  return (
    <FileDrop
      kind="image"
      accept={IMAGE_TYPES}
      hint={hint}
      send={async (file, options) => {
        // Checked here too, because the server ends the connection in the middle of a file that is too large.
        if (file.size > MAX_IMAGE_BYTES) {
          throw new ApiError(400, 'invalid_parameter', texts.image.tooLarge)
        }
        await sendFile<ShownImage>('PUT', path, {}, file, options)
        toast(texts.image.saved)
        await refetchApplication(scope)
        onDone()
      }}
    />
  )
}

function RemoveButton({ path }: { path: string }): ReactNode {
  const scope = useAppScope()
  const remove = async () => {
    await send('DELETE', path)
    toast(texts.image.removed)
    await refetchApplication(scope)
  }
  return <ActionButton action={remove}>{texts.image.remove}</ActionButton>
}

/** Without https, the policy allows only images of the address at which the dashboard was opened, such as `localhost`. */
const ownAddress = (src: string) => (/^https:/i.test(src) ? src : new URL(src).pathname)

interface PictureProps {
  src: string
  name: string
  isUploaded: boolean
}

/** The content security policy allows images of other sites over https only; others would only cause errors. */
function Picture({ src, name, isUploaded }: PictureProps): ReactNode {
  const [isBroken, setBroken] = useState(false)
  if (!isUploaded && !/^https:/i.test(src)) {
    return <p className="text-soft">{texts.image.hidden}</p>
  }
  if (isBroken) return <p className="text-soft">{texts.image.broken}</p>
  return (
    <img
      src={ownAddress(src)}
      alt={texts.image.alt(name)}
      referrerPolicy="no-referrer"
      onError={() => setBroken(true)}
      className="max-h-56 max-w-full justify-self-start rounded-lg border border-line bg-plate"
    />
  )
}
