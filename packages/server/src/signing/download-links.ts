import { isSameMac, type LinkRefusal, numberPart, signForPurpose } from './links.ts'

const DOWNLOAD_LINK = 'gatehouse download link v1'

/** The permission that a link to a file gives. The signature covers all of it. */
export interface DownloadLink {
  /** Identifies the link for counting its uses; it does not grant access. */
  id: string
  aid: string
  downloadId: string
  expires: number
  /** The link works only while this access is live, and until the links of its reader are ended. */
  accessId?: string | undefined
  /** The reader's link number when the link was made. */
  linkNumber?: number | undefined
  /** How often the link may be used. */
  limit?: number | undefined
  /** Replaces the file's own name. */
  fileName?: string | undefined
}

/** Binds links to their environment, even if two environments have the same key. */
const purposeIn = (environment: string) => `${DOWNLOAD_LINK} ${environment}`

export function createDownloadToken(key: Buffer, environment: string, link: DownloadLink): string {
  const text = [
    link.aid,
    link.downloadId,
    link.expires,
    link.id,
    link.accessId ?? '',
    link.limit ?? '',
    Buffer.from(link.fileName ?? '').toString('base64url'),
  ].join('.')
  const numbered = `${text}${numberPart(link.linkNumber ?? 0)}`
  return `${numbered}.${signForPurpose(purposeIn(environment), key, numbered)}`
}

const ID = '[A-Za-z0-9]{1,64}'
const TOKEN = new RegExp(
  `^((${ID})\\.(${ID})\\.(\\d{1,12})\\.(${ID})\\.((?:${ID})?)\\.(\\d{0,9})\\.([A-Za-z0-9_-]{0,2000})(?:\\.(\\d{1,12}))?)` +
    '\\.([A-Za-z0-9_-]{43})$',
)

export type DownloadTokenCheck = { ok: true; link: DownloadLink } | LinkRefusal

/** Checks whether this link was made here and has not expired. */
export function checkDownloadToken(
  key: Buffer,
  environment: string,
  token: string,
  now: number,
): DownloadTokenCheck {
  const match = TOKEN.exec(token)
  if (!match) return { ok: false, reason: 'invalid' }
  const [, text = '', aid = '', downloadId = '', end, id = '', accessId, limit, name, ...last] =
    match
  const [number, mac = ''] = last
  const expected = signForPurpose(purposeIn(environment), key, text)
  if (!isSameMac(expected, mac)) return { ok: false, reason: 'invalid' }
  // Checked after the signature: a forged link must not reveal whether its time was right.
  const expires = Number(end)
  if (now >= expires) return { ok: false, reason: 'expired' }
  const link: DownloadLink = { id, aid, downloadId, expires }
  if (accessId) link.accessId = accessId
  if (number) link.linkNumber = Number(number)
  if (limit) link.limit = Number(limit)
  if (name) link.fileName = Buffer.from(name, 'base64url').toString()
  return { ok: true, link }
}
