import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import type { AccessKey } from '../../domain/access/details.ts'
import { listSourceDetails } from '../../domain/access/source-details.ts'
import { listAccessOfUser } from '../../domain/access/state.ts'
import { listRefunds, searchPayments } from '../../domain/payments/payments.ts'
import { findUidByRef } from '../../domain/users/user-ref.ts'
import { fail } from '../../errors.ts'
import { formatOptionalTime, formatTime } from '../../format-time.ts'
import { paymentRecord } from '../../records/payment.ts'
import { sourceDetails } from '../../records/source.ts'
import { getEnvironment, withContext } from '../context.ts'
import { addResourceOptions, userRefOption } from '../options.ts'
import { formatTable, type Output, print } from '../output.ts'
import { formatPaymentTable } from '../payments/tables.ts'
import { recordOf, toView } from './record.ts'

export type Key = AccessKey & Output

/** Adds the options that identify one access record. */
export function addKeyOptions(command: Command): Command {
  return addResourceOptions(command).addOption(userRefOption().makeOptionMandatory())
}

export function addShow(access: Command): void {
  addKeyOptions(access.command('show'))
    .description(
      'show the access record with its sources and payments, even if it is expired or revoked',
    )
    .action((options) => withContext((ctx) => show(ctx, options)))
}

async function show(ctx: Context, { json, ...key }: Key): Promise<void> {
  const { aid, rid, userRef } = key
  const env = await getEnvironment(ctx, aid)
  const { row, earlier, sources, paid } = await env.database.snapshot(async (db) => {
    const uid = await findUidByRef(db, aid, userRef)
    const [latest, ...others] =
      uid === undefined ? [] : await listAccessOfUser(db, { aid, rid, uid })
    if (!latest) throw fail('access_not_found', `${userRef} never had access to ${rid}.`)
    return {
      row: toView(env, latest),
      earlier: others.map((one) => toView(env, one)),
      sources: (await listSourceDetails(db, aid, latest.id)).map(sourceDetails),
      paid: await findPayments(db, key),
    }
  })
  const payments = paid.rows.map((one) => paymentRecord(one, paid.refunds))
  print({ json }, { ...row, sources, payments, earlier }, () =>
    [
      recordOf(row),
      sourceTable(sources),
      ...(payments.length === 0 ? [] : [formatPaymentTable(paid.rows)]),
      ...earlier.map(recordOf),
    ].join('\n\n'),
  )
}

const MAX_PAYMENTS = 1_000

/** Returns the user's payments for the resource, including those of earlier access records. */
async function findPayments(db: Db, key: AccessKey) {
  const { rows } = await searchPayments(db, key, { offset: 0, limit: MAX_PAYMENTS })
  const ids = rows.map(({ id }) => id)
  return { rows, refunds: await listRefunds(db, key.aid, ids) }
}

function sourceTable(sources: readonly ReturnType<typeof sourceDetails>[]): string {
  return formatTable(
    ['source', 'id', 'created', 'expires', 'closed', 'paid by'],
    sources.map((one) => [
      one.kind,
      one.id,
      formatTime(one.created),
      one.expires === undefined ? 'never' : formatTime(one.expires),
      formatOptionalTime(one.closed),
      one.payment_id ?? one.subscription_id,
    ]),
    'No sources.',
  )
}
