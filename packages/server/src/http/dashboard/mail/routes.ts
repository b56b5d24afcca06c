import type { MailStatus } from '../../../db/tables.ts'
import { getApplication } from '../../../domain/apps/applications.ts'
import { createDisplayLinks } from '../../../domain/downloads/mail-links.ts'
import { composeMail } from '../../../domain/mail/compose.ts'
import type { MailRow } from '../../../domain/mail/outbox.ts'
import { Unsendable } from '../../../domain/mail/read-payload.ts'
import { getMail, type MailState, searchMails } from '../../../domain/mail/search.ts'
import {
  resendAddressOf,
  resendFailedToReaders,
  resendToReader,
} from '../../../domain/people/resend.ts'
import { findAddressesByUid } from '../../../domain/users/buyer.ts'
import { exceedsPrefixLimit, findNamesByUid, uidsWithPrefix } from '../../../domain/users/prefix.ts'
import { fail } from '../../../errors.ts'
import * as fields from '../../../fields.ts'
import { readFilter, readOptionalField } from '../../../parameters.ts'
import { mailItem } from '../../../records/mail.ts'
import { type AppRequest, appRoute, type Route, STAFF, SUPPORT } from '../route.ts'
import { type Page, toPage, windowOf } from '../schemas.ts'
import {
  type ListedMail,
  type MailContent,
  type MailDetails,
  type MailItem,
  MailQuery,
  type ResentMails,
} from './schemas.ts'

const STATES: Readonly<Record<MailStatus, MailState>> = {
  queued: 'waiting',
  sending: 'waiting',
  sent: 'sent',
  kept: 'kept',
  dead: 'dead',
}

async function showMails({ env, aid }: AppRequest, rows: readonly MailRow[]): Promise<MailItem[]> {
  const uids = rows.map(({ uid }) => uid)
  const addresses = await findAddressesByUid(env.database.read, aid, uids)
  return rows.map((row) => ({
    ...mailItem(row, env.clockOffset()),
    resend_to: resendAddressOf(row, addresses),
    status: STATES[row.status],
  }))
}

const showMail = async (call: AppRequest, row: MailRow) =>
  (await showMails(call, [row]))[0] as MailItem

const list = appRoute('GET /mails', {
  management: 'GET /emails',
  allowed: STAFF,
  query: MailQuery,
  async handle(call): Promise<Page<ListedMail>> {
    const { env, aid, query } = call
    const { status: state, from, to, sort } = query
    const db = env.database.read
    const text = readOptionalField('q', query.q, fields.searchText)
    const filter = {
      ...{ aid, state, from, to, sort, text, clockOffset: env.clockOffset() },
      uid: readFilter('uid', query.uid, fields.userRef),
      people: text === undefined ? undefined : uidsWithPrefix(aid, text),
    }
    const { rows, total, isCut } = await searchMails(db, filter, windowOf(query))
    const isPeopleCut = await exceedsPrefixLimit(db, aid, text)
    const names = await findNamesByUid(
      db,
      aid,
      rows.map(({ uid }) => uid),
    )
    const mails = await showMails(call, rows)
    const data = mails.map((mail) => ({ ...mail, name: names.get(mail.uid) ?? '' }))
    return toPage(data, total, query, isCut || isPeopleCut)
  },
})

/** Renders the mail as it was sent, unless the application's name, sender or template has changed since. */
async function contentOf({ env, aid }: AppRequest, mail: MailRow): Promise<MailContent> {
  const app = await getApplication(env.database.read, aid)
  const now = mail.sent === null ? env.clock() : Math.floor(mail.sent / 1000) + mail.clock_offset
  const links = createDisplayLinks(env, mail)
  const sender = { ...app, archived: null }
  const composed = await composeMail(mail, sender, env.mailFrom, now, links)
  const { from, to, subject, text, html, id } = composed
  const headers = [
    { name: 'From', value: from.name === '' ? from.address : `${from.name} <${from.address}>` },
    { name: 'To', value: to },
    { name: 'Subject', value: subject },
    { name: 'Message-ID', value: `<${id}>` },
    { name: 'Auto-Submitted', value: 'auto-generated' },
  ]
  return { headers, subject, text, html }
}

const show = appRoute('GET /mails/:id', {
  management: 'GET /emails/:id',
  allowed: STAFF,
  async handle(call): Promise<MailDetails> {
    const { env, aid, params } = call
    const mail = await getMail(env.database.read, aid, params.id as string)
    const shown = await showMail(call, mail)
    try {
      return { ...shown, content: await contentOf(call, mail), problem: null }
    } catch (error) {
      if (error instanceof Unsendable) return { ...shown, content: null, problem: error.message }
      throw error
    }
  },
})

const resend = appRoute('POST /mails/:id/send-again', {
  management: 'POST /emails/:id/resend',
  allowed: SUPPORT,
  action: 'mail.send_again',
  async handle(call): Promise<MailItem> {
    const { env, aid, params, actor, note } = call
    const { delivery } = env
    const id = params.id as string
    const input = { aid, id, delivery, actor, now: env.clock(), realTime: env.realTime() }
    const mail = await env.database.write((trx) => resendToReader(trx, input))
    note({ uid: mail.uid, kind: mail.kind })
    return await showMail(call, mail)
  },
})

const resendAllDead = appRoute('POST /mails/send-again-dead', {
  management: 'POST /emails/resend-failed',
  allowed: SUPPORT,
  action: 'mail.send_again_dead',
  async handle({ env, aid, note }): Promise<ResentMails> {
    if (env.delivery === 'kept') throw fail('mail_not_set_up')
    const queued = await env.database.write((trx) =>
      resendFailedToReaders(trx, aid, env.realTime()),
    )
    note({ queued })
    return { queued }
  },
})

export const mailRoutes: readonly Route[] = [list, show, resend, resendAllDead]
