import type { Db } from '../../db/database.ts'
import { findRow, type RowKey } from '../../db/queries/rows.ts'
import type { Seconds } from '../../db/tables.ts'
import { Failure } from '../../errors.ts'
import { imageUrl } from '../../image-url.ts'
import { formatSize } from '../../language.ts'
import type { LinkedRow } from '../../signing/links.ts'
import type { MailLinks } from '../mail/compose.ts'
import type { LinkedFile } from '../mail/html.ts'
import type { MailRow } from '../mail/outbox.ts'
import type { Message } from '../mail/read-payload.ts'
import { getAccessFiles, type ReaderFile } from './reader-files.ts'

/** The parts of an environment that create links for readers. */
interface LinkContext {
  database: { read: Db }
  clock(): Seconds
  address(): string
  fileAddress(): string
  manageLink(subscription: LinkedRow, now: Seconds): Promise<string>
  filesLink(access: LinkedRow, now: Seconds): Promise<string>
}

/** Enough for a logo on a sharp screen. */
const LOGO_WIDTH = 400

type Mailed = Parameters<MailLinks['files']>[0]

/** Creates the working links in one mail to a reader. They carry the number that was current when the mail was addressed:
 * should the address turn out to be a stranger's while the mail is being sent, they have ended. */
export function createMailLinks(
  env: LinkContext,
  { aid, link_number: linkNumber }: Pick<MailRow, 'aid' | 'link_number'>,
): MailLinks {
  return {
    manage: (id) => env.manageLink({ aid, id, linkNumber }, env.clock()),
    async files(mail, message) {
      const access = await findAccessOfMail(env.database.read, mail, message)
      return access ? await listLinkedFiles(env, { ...access, linkNumber }) : []
    },
    image: (id) => imageUrl(env, aid, id, LOGO_WIDTH),
  }
}

/** Creates links that look like the real ones but don't work, for staff who view a mail: with the real ones, staff with
 * read-only access could cancel the subscription. */
export function createDisplayLinks(env: LinkContext, mail: Pick<Mailed, 'aid'>): MailLinks {
  const links = createMailLinks(
    { ...env, filesLink: async () => `${env.address()}/files/for-the-reader-alone` },
    { ...mail, link_number: 0 },
  )
  return { ...links, manage: async () => `${env.address()}/manage/for-the-reader-alone` }
}

/** Finds the access record that a mail is about: what was granted, or what was bought. */
async function findAccessOfMail(
  db: Db,
  { aid, uid }: Mailed,
  { kind, payload }: Message,
): Promise<RowKey | undefined> {
  if (kind === 'grant') {
    const access = await findRow(db, 'access', { aid, rid: payload.rid, uid, revoked: null })
    return access && { aid, id: access.id }
  }
  if (kind !== 'receipt') return undefined
  const payment = await findRow(db, 'payments', { aid, id: payload.payment })
  // A free trial has no payment yet.
  const subscription =
    payment === undefined && payload.subscription !== null
      ? await findRow(db, 'subscriptions', { aid, id: payload.subscription })
      : undefined
  const id = payment?.access_id ?? subscription?.access_id
  return id ? { aid, id } : undefined
}

async function listLinkedFiles(env: LinkContext, access: LinkedRow): Promise<LinkedFile[]> {
  const now = env.clock()
  try {
    const { files } = await getAccessFiles(env.database.read, access, now)
    if (files.length === 0) return []
    const page = await env.filesLink(access, now)
    return files.map((file) => toLinkedFile(file, page))
  } catch (error) {
    // The record is gone. The rest of the mail is still true.
    if (error instanceof Failure) return []
    throw error
  }
}

function toLinkedFile({ id, title, file_name, size }: ReaderFile, page: string): LinkedFile {
  const kind = /\.([A-Za-z0-9]{1,5})$/.exec(file_name)?.[1]?.toUpperCase()
  const details = [...(kind === undefined ? [] : [kind]), formatSize(size)].join(', ')
  return { title, details, url: `${page}/${id}` }
}
