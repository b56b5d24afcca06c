import {
  isSameMac,
  type LinkedRow,
  numberPart,
  type ReaderLinkRefusal,
  signForPurpose,
} from './links.ts'

const FILES_LINK = 'gatehouse files link v1'

/** Lets its holder download the files of one access record while that is live. The key is the environment's own. */
export function createFilesToken(
  key: Buffer,
  { aid, id, linkNumber }: LinkedRow,
  expires: number,
): string {
  const text = `${aid}.${id}.${expires}${numberPart(linkNumber)}`
  return `${text}.${signForPurpose(FILES_LINK, key, text)}`
}

const TOKEN =
  /^(([A-Za-z0-9]{10})\.([A-Za-z0-9]{1,64})\.(\d{1,12})(?:\.(\d{1,12}))?)\.([A-Za-z0-9_-]{43})$/

export type FilesTokenCheck =
  | {
      ok: true
      aid: string
      accessId: string
      linkNumber: number
      /** The end of the link: nothing obtained through it may last longer. */
      expires: number
    }
  | ReaderLinkRefusal

export function checkFilesToken(key: Buffer, token: string, now: number): FilesTokenCheck {
  const match = TOKEN.exec(token)
  if (!match) return { ok: false, reason: 'invalid' }
  const [, text = '', aid = '', accessId = '', end, number = 0, signature = ''] = match
  if (!isSameMac(signForPurpose(FILES_LINK, key, text), signature))
    return { ok: false, reason: 'invalid' }
  // Checked after the signature: a forged link must not reveal whether its time was right.
  const expires = Number(end)
  if (now >= expires) return { ok: false, reason: 'expired', aid }
  return { ok: true, aid, accessId, linkNumber: Number(number), expires }
}
