import { isSame, type LinkRefusal, signFor } from './links.ts'

const DOWNLOAD_LINK = 'gatehouse download link v1'

/** What a link to a file allows. All of it is in its text, under one signature. */
export interface DownloadLink {
  /** Names the link, for counting; it does not open it. */
  id: string
  aid: string
  downloadId: string
  expires: number
  /** The access that it stands and falls with. */
  accessId?: string | undefined
  /** How often it may be used. */
  limit?: number | undefined
  /** What the file is called, in place of its own name. */
  fileName?: string | undefined
}

/** Links of one environment are nothing in another, also where both have the same key. */
const purposeIn = (environment: string) => `${DOWNLOAD_LINK} ${environment}`

export function downloadToken(key: Buffer, environment: string, link: DownloadLink): string {
  const text = [
    link.aid,
    link.downloadId,
    link.expires,
    link.id,
    link.accessId ?? '',
    link.limit ?? '',
    Buffer.from(link.fileName ?? '').toString('base64url'),
  ].join('.')
  return `${text}.${signFor(purposeIn(environment), key, text)}`
}

const ID = '[A-Za-z0-9]{1,64}'
const TOKEN = new RegExp(
  `^((${ID})\\.(${ID})\\.(\\d{1,12})\\.(${ID})\\.((?:${ID})?)\\.(\\d{0,9})\\.([A-Za-z0-9_-]{0,2000}))` +
    '\\.([A-Za-z0-9_-]{43})$',
)

export type DownloadTokenCheck = { ok: true; link: DownloadLink } | LinkRefusal

/** Is this a link that was made here, and is it still good? */
export function checkDownloadToken(
  key: Buffer,
  environment: string,
  token: string,
  now: number,
): DownloadTokenCheck {
  const match = TOKEN.exec(token)
  if (!match) return { ok: false, reason: 'invalid' }
  const [, text = '', aid = '', downloadId = '', end, id = '', accessId, limit, name, mac = ''] =
    match
  const expected = signFor(purposeIn(environment), key, text)
  if (!isSame(expected, mac)) return { ok: false, reason: 'invalid' }
  // After the signature: a forged link must not learn whether its time was right.
  const expires = Number(end)
  if (now >= expires) return { ok: false, reason: 'expired' }
  const link: DownloadLink = { id, aid, downloadId, expires }
  if (accessId) link.accessId = accessId
  if (limit) link.limit = Number(limit)
  if (name) link.fileName = Buffer.from(name, 'base64url').toString()
  return { ok: true, link }
}
