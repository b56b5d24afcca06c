import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { foldCounts } from '../../domain/access/counts/counting.ts'
import { recordDeliveries } from '../../domain/downloads/deliveries.ts'
import { countUse } from '../../domain/downloads/uses.ts'
import { foldRevenue } from '../../domain/figures/sums.ts'
import { databases } from '../../testing/databases.ts'
import { addDownload, toDeliveryRows, uploadBytes } from '../../testing/downloads/downloads.ts'
import { MONTHLY, openShop, type Shop } from '../../testing/payments/shop.ts'
import { DAY } from '../../testing/time.ts'
import { useService } from '../../testing/use-service.ts'
import { addWebhookRows } from '../../testing/webhooks/rows.ts'
import type { Engine, Trx } from '../database.ts'
import { findViolations, hasViolations } from './invariants.ts'

/** Each rule and a statement that breaks it; `before` removes the constraints that would prevent that. */
const BREAKS: readonly {
  rule: string
  before?: string | Partial<Record<Engine, string>>
  break: string
}[] = [
  {
    rule: 'one unrevoked record per application, resource and user',
    before: 'drop index access_one_unrevoked',
    break: `insert into access select id || '2', aid, rid, uid, user_ref, amount, currency, created,
      ends, revoked, tags, end_told from access where user_ref = 'ann'`,
  },
  {
    rule: 'an e-mail address names one user of its application',
    before: 'drop index users_email',
    break: `update users set email_key = 'ann@example.com'`,
  },
  {
    rule: 'a stored connection is of a known kind, and has a version',
    break: `insert into secrets (name, sealed) values ('connection/fax', 'sealed')`,
  },
  {
    rule: 'a stored connection is of a known kind, and has a version',
    break: `insert into secrets (name, sealed) values ('connection/mail', 'sealed')`,
  },
  {
    rule: 'a person has an address and its key or neither, and none once erased',
    break: `update users set email = null where email_key = 'bob@example.com'`,
  },
  {
    rule: 'a person has an address and its key or neither, and none once erased',
    break: `update users set erased = created where contact_email is not null`,
  },
  {
    rule: 'a person without an address of its own has a reference',
    before: { sqlite: 'drop trigger user_refs_deleted' },
    break: `delete from user_refs where ref = 'cat'`,
  },
  {
    rule: 'a person without an address of its own has a reference',
    break: `update user_refs set alias = 1 where ref = 'cat'`,
  },
  {
    rule: 'a reference names a user of its own application',
    break: `insert into user_refs select aid, 'lost', 'nobody', 0 from applications limit 1`,
  },
  {
    rule: 'a reference is nobody’s uid',
    break: `insert into user_refs select aid, uid, uid, 0 from users where email_key = 'bob@example.com'`,
  },
  {
    rule: 'an alias that is a uid is that of a user who is gone',
    break: `insert into user_refs select aid, uid, uid, 1 from users where email_key = 'bob@example.com'`,
  },
  {
    rule: 'a user who is gone has no reference and no alias',
    break: `update users set erased = created, email = null, email_key = null
      where email_key = 'bob@example.com'`,
  },
  {
    rule: 'an access shows a reference or an alias of its own user',
    before: { sqlite: 'drop trigger access_ref_changed' },
    break: `update access set user_ref = 'bob' where user_ref = 'ann'`,
  },
  {
    rule: 'nothing hangs on a row of another application',
    break: `update sources set aid = (select max(aid) from applications where aid <> sources.aid)`,
  },
  {
    rule: 'nothing hangs on a row of another application',
    break: `update access_tags set aid = (select max(aid) from applications where aid <> access_tags.aid)`,
  },
  {
    rule: 'nothing hangs on a row of another application',
    break: `update access set rid = 'elsewhere'`,
  },
  {
    rule: 'everything belongs to an application of this environment',
    break: `update outbox set aid = 'AAAAAAAAAA'`,
  },
  {
    rule: 'an access ends with the latest of its open sources',
    break: `update access set ends = ends + 1 where user_ref = 'ann'`,
  },
  {
    rule: 'an access without an open source is over',
    break: `update sources set closed = created where closed is null`,
  },
  {
    rule: 'a live access has a source that has begun',
    break: `update sources set starts = ends - 1`,
  },
  {
    rule: 'what is left of a one-time period is as long as it was when it was put behind another one',
    break: `update sources set remaining = ends - starts + 1 where period is not null`,
  },
  {
    rule: 'a revoked access has no open source',
    break: `update sources set closed = null`,
  },
  {
    rule: 'every access has the history row of its beginning',
    break: `delete from history where action = 'granted'`,
  },
  {
    rule: 'every access has the history row of its beginning',
    break: `delete from history where action = 'purchased'`,
  },
  {
    rule: 'every revoke has its history row',
    break: `delete from history where action = 'revoked'`,
  },
  {
    rule: 'every grant of a source has its history row',
    break: `update sources set revision = revision + 1`,
  },
  {
    rule: 'history names nobody by e-mail',
    break: `update history set after = '{"email":"ann@example.com"}' where action = 'granted'`,
  },
  {
    rule: 'a grant that called for a mail has it in the outbox',
    break: `update outbox set key = key || '0'`,
  },
  {
    rule: 'every mail that a change called for is in the outbox',
    break: 'delete from outbox',
  },
  {
    rule: 'every mail was called for by one change',
    break: `update history set mail_key = null`,
  },
  {
    rule: 'a mail is sent exactly if it has a time of sending',
    break: `update outbox set status = 'sent'`,
  },
  {
    rule: 'a mail is leased exactly while it is being sent',
    break: `update outbox set status = 'sending'`,
  },
  {
    rule: 'amounts are whole and not negative, and free access has no currency',
    break: `update access set amount = 100`,
  },
  {
    rule: 'a payment is whole, positive, and never refunded by more than it was',
    break: `update payments set refunded = amount + 1`,
  },
  {
    rule: 'what was refunded of a payment is the sum of its refunds that succeeded',
    break: `update refunds set status = 'failed'`,
  },
  {
    rule: 'refunds that are made or on their way are not more than the payment',
    break: `insert into refunds select id || '2', aid, payment_id, 1, currency, 'pending', reason,
      'again', actor, created, null, null, 0, 1, null, null from refunds`,
  },
  {
    rule: 'a refund has the currency and the application of its payment',
    break: `update refunds set currency = 'USD'`,
  },
  {
    rule: 'a period is charged at most once',
    before: 'drop index payments_one_per_period',
    break: `insert into payments select id || '2', aid, rid, uid, access_id, subscription_id, null,
      period_start, period_end, amount, 0, currency, provider, null, method, 'succeeded', null, null,
      created, settled, 0, null, null, null from payments where subscription_id is not null`,
  },
  {
    rule: 'the status of a payment follows from its refunds',
    break: `update payments set status = 'succeeded'`,
  },
  {
    rule: 'only a payment or a refund that is pending waits for the provider',
    break: `update payments set due = 1`,
  },
  {
    rule: 'only a payment or a refund that is pending waits for the provider',
    break: `update refunds set status = 'pending'`,
  },
  {
    rule: 'a subscription that is not ended holds its access open',
    break: `update sources set closed = created where kind = 'subscription'`,
  },
  {
    rule: 'a subscription that is not ended holds its access open',
    break: `update subscriptions set status = 'ended'`,
  },
  {
    rule: 'a subscription is of the user and the resource of its access',
    break: `update subscriptions set rid = 'news'`,
  },
  {
    rule: 'at most one subscription that is not ended per application, resource and user',
    before: 'drop index subscriptions_one_open',
    break: `update subscriptions set status = 'active', uid = 'same'`,
  },
  {
    rule: 'a subscription waits for a moment or for a payment, until it has ended',
    break: `update subscriptions set next_due = null, next_step = null`,
  },
  {
    rule: 'a subscription waits for a moment or for a payment, until it has ended',
    break: `update subscriptions set ended = null`,
  },
  {
    rule: 'a paid source has its payment, which was not refunded in full or lost',
    break: `update payments set status = 'lost'`,
  },
  {
    rule: 'a paid source has its payment, which was not refunded in full or lost',
    break: `update sources set payment_id = 'none' where kind = 'purchase'`,
  },
  {
    rule: 'money that opened nothing is flagged',
    break: `update payments set access_id = null`,
  },
  {
    rule: 'a checkout that is paid has a time of payment',
    break: `update checkouts set paid = null`,
  },
  {
    rule: 'a checkout that was refused was completed, and begins no subscription',
    break: `update checkouts set refusal = 'duplicate'`,
  },
  {
    rule: 'what a link buys is bought once',
    before: 'drop index checkouts_one_per_link',
    break: `update checkouts set link_mark = 'one'`,
  },
  {
    rule: 'no row is from the future',
    break: `insert into trials select aid, 'pass', 'card', 'mark', 99999999999 from applications limit 1`,
  },
  {
    rule: 'everything belongs to an application of this environment',
    break: `update downloads set aid = 'AAAAAAAAAA'`,
  },
  {
    rule: 'everything belongs to an application of this environment',
    break: `update download_uses set aid = 'AAAAAAAAAA'`,
  },
  {
    rule: 'everything belongs to an application of this environment',
    break: `update deliveries set aid = 'AAAAAAAAAA'`,
  },
  {
    rule: 'a file that a record names is whole, and is not dropped',
    break: `update files set dropped = created where dropped is null`,
  },
  {
    rule: 'a file that a record names is whole, and is not dropped',
    break: `update files set sha256 = null`,
  },
  {
    rule: 'a file that a record names is whole, and is not dropped',
    break: `update files set size = null`,
  },
  {
    rule: 'a file that a record names is whole, and is not dropped',
    break: `delete from files where dropped is null`,
  },
  {
    rule: 'a file that no record names is dropped',
    break: `update files set dropped = null`,
  },
  {
    rule: 'a file that no record names is dropped',
    break: `delete from downloads`,
  },
  {
    rule: 'the downloads of a resource are in one order',
    break: `update downloads set position = -1`,
  },
  {
    rule: 'the downloads of a resource are in one order',
    break: `insert into downloads (id, aid, rid, title, description, image, file_id, file_name, type, filed, created,
      modified, published, image_id, position) select id || '2', aid, rid, title, description, image, file_id || '2', file_name, type,
      filed, created, modified, published, image_id, position from downloads`,
  },
  {
    rule: 'an accent color is one, and the texts of a brand are objects',
    break: `update applications set accent = 'red'`,
  },
  {
    rule: 'an accent color is one, and the texts of a brand are objects',
    break: `update applications set legal_links = ''`,
  },
  {
    rule: 'an image that is shown is there',
    break: `update applications set logo_id = 'none'`,
  },
  {
    rule: 'an image that is shown is there',
    break: `update resources set image_id = 'none'`,
  },
  {
    rule: 'an image that is shown is there',
    break: `update downloads set image_id = 'none'`,
  },
  {
    rule: 'every size of an image has its file',
    break: `insert into images select aid, 'x', 'image/png', 1, 1, '[{"file":"none"}]', 0 from applications`,
  },
  {
    rule: 'every size of an image has its file',
    break: `insert into images select aid, 'x', 'image/png', 1, 1,
      '[{"file":"' || id || '"},{"file":"none"}]', 0 from files where dropped is null`,
  },
  {
    rule: 'a note has a text and an author, and is changed by somebody or by nobody',
    break: `insert into notes select aid, uid, uid, '', 'staff:x', 0, null, null from users`,
  },
  {
    rule: 'a note has a text and an author, and is changed by somebody or by nobody',
    break: `insert into notes select aid, uid, uid, 'Text', 'staff:x', 0, 1, null from users`,
  },
  ...[`'ünd', 2`, `'', 1`, `'', -1`, `'x', -2`, `rid, -1`, `'x', 0`].map((entry) => ({
    rule: 'what a pass opens is a text of the given size, not the pass itself',
    break: `insert into pass_entries (aid, pass, value, size) select aid, rid, ${entry} from resources`,
  })),
  {
    rule: 'what a pass opens is a text of the given size, not the pass itself',
    before: {
      sqlite: 'pragma defer_foreign_keys = on',
      postgres: 'alter table pass_entries drop constraint pass_entries_aid_pass_fkey',
    },
    break: `insert into pass_entries (aid, pass, value, size) select aid, 'none', 'x', 1 from applications`,
  },
  {
    rule: 'no pass has more than 500 entries',
    break: `insert into pass_entries (aid, pass, value, size)
      with recursive numbers (n) as (select 1000 union all select n + 1 from numbers where n < 1500)
      select aid, rid, 'x' || n, 5 from resources cross join numbers`,
  },
  ...[`delete from events where sequence = 2`, `update event_sequences set sequence = 0`].map(
    (statement) => ({
      rule: 'the events about a reader that are kept are counted without a gap',
      break: statement,
    }),
  ),
  {
    rule: 'the positions of events that are kept have no gap',
    break: `insert into event_counters (aid, position, swept) select aid, 100000, 0 from applications`,
  },
  {
    rule: 'the events about a reader have positions in the order of their sequence',
    break: `update events set position = 1 where sequence = 2 and id = (select min(id) from events where sequence = 2)`,
  },
  ...[
    `update refused_checks set times = 0`,
    `update refused_checks set first_at = last_at + 1`,
    `update refused_checks set since = null where code = 'expired'`,
    `update refused_checks set since = last_at + 1 where code = 'expired'`,
    `update refused_checks set code = 'other'`,
  ].map((statement) => ({
    rule: 'a refused check has a reason and a time, and each reader has few',
    break: statement,
  })),
  ...[
    `update handled_requests set status = null`,
    `update handled_requests set content = ''`,
    `update handled_requests set body = null`,
    `update handled_requests set body = null, content = '', uid = null`,
    `update handled_requests set kind = 'signature'`,
    `update handled_requests set kind = 'other'`,
  ].map((statement) => ({
    rule: 'a request with a key has its answer, and one that is known by its signature has none',
    break: statement,
  })),
  {
    rule: 'a stored answer is about a user of its application',
    break: `update handled_requests set uid = 'nobody'`,
  },
  {
    rule: 'the uses of a link are counted without a gap, and not beyond what it allows',
    break: `update download_uses set number = 3 where number = 2`,
  },
  {
    rule: 'the uses of a link are counted without a gap, and not beyond what it allows',
    break: `delete from download_uses where number = 1`,
  },
  {
    rule: 'the uses of a link are counted without a gap, and not beyond what it allows',
    break: `update download_uses set most = 1`,
  },
  {
    rule: 'a use of a link covers a day',
    break: `update download_uses set opened = opened - 1 where number = 2`,
  },
  {
    rule: 'what another server delivered is not counted by us',
    break: `update deliveries set outcome = 'redirected'`,
  },
  {
    rule: 'what another server delivered is not counted by us',
    break: `update deliveries set bytes = -1`,
  },
  { rule: 'no row is from the future', break: `update payments set created = created + 1` },
  ...['filed', 'created', 'modified', 'published'].map((column) => ({
    rule: 'no row is from the future',
    break: `update downloads set ${column} = ${column} + 1`,
  })),
  { rule: 'no row is from the future', break: `update deliveries set at = at + 1` },
  {
    rule: 'no row is from the future',
    break: `update download_uses set opened = opened + 1 where number = 2`,
  },
  { rule: 'no row is from the future', break: `update resources set created = created + 1` },
  { rule: 'no row is from the future', break: `update history set at = at + 1` },
  { rule: 'times are within their range', break: `update access set ends = -1` },
  { rule: 'times are within their range', break: `update access set revoked = 1` },
  {
    rule: 'a tag has the time of its record',
    break: 'update access_tags set created = created - 1',
  },
  ...[
    'update access_counts set all_n = all_n + 1',
    'update access_counts set live_n = live_n - 1',
    'delete from access_counts',
    'delete from access_changes',
    `update access_changes set n = n + 1 where scope like 't%'`,
    'update access_watermarks set ends = 253402300800',
    'delete from access_watermarks',
  ].map((broken) => ({
    rule: 'the counts for searches, with the changes since, are those of the records',
    break: broken,
  })),
  ...[`update notices set kind = 'gossip'`, `update notices set subject_id = 'nobody'`].map(
    (broken) => ({
      rule: 'a notice to staff is about a payment, a subscription or a webhook of its application',
      break: broken,
    }),
  ),
  ...Object.entries({
    'a webhook endpoint is in a known state, and says when and why it is off': [
      `update webhook_endpoints set off_at = null`,
      `update webhook_endpoints set state = 'off'`,
      `update webhook_endpoints set failures = 1`,
    ],
    'a webhook endpoint is not ahead of the events': [
      `update webhook_endpoints set position = 1000000`,
    ],
    'a webhook endpoint has one secret that does not end, and two at most': [
      `update webhook_secrets set dies = 1`,
    ],
    'a webhook delivery waits, is being sent under a lease, or has ended': [
      `update webhook_deliveries set state = 'sending'`,
      `update webhook_deliveries set delivered = null`,
      `update webhook_deliveries set attempts = 2`,
    ],
    'nothing waits for a webhook endpoint that is off': [
      `update webhook_deliveries set state = 'pending'`,
    ],
    'a webhook delivery is of an event that its endpoint has come to': [
      `update webhook_deliveries set replay = null, position = 1000000`,
    ],
    'a delivered webhook has an attempt that succeeded': [
      `update webhook_attempts set status = 500`,
    ],
    'the attempts of a webhook are counted': [`update webhook_attempts set number = 2`],
  }).flatMap(([rule, broken]) => broken.map((statement) => ({ rule, break: statement }))),
  {
    rule: 'only a payment whose dispute was lost has the time of it',
    break: 'update payments set lost = created',
  },
  ...[
    'update revenue_totals set taken = taken + 1',
    `update revenue_totals set sales = sales - 1 where rid = ''`,
    `update revenue_totals set lost = lost + 1 where rid <> ''`,
    'delete from revenue_totals',
    'update revenue_totals set at = at + 900',
    'delete from revenue_totals where size = 86400',
    'delete from revenue_totals where size = 5529600',
    `insert into revenue_changes (aid, currency, rid, at, taken, sales, refunded, lost)
      select aid, currency, rid, at, 1, 0, 0, 0 from revenue_totals where size = 691200`,
  ].map((broken) => ({
    rule: 'the sums of revenue are those of the payments and the refunds',
    break: broken,
  })),
  ...[
    'delete from provider_refs',
    `update provider_refs set ref = ref || 'x'`,
    `update payments set provider_ref = null where provider_ref is not null`,
  ].map((broken) => ({
    rule: 'the provider’s reference leads to its payment, and to no other',
    break: broken,
  })),
  {
    rule: 'no application has more live keys than two',
    break: `insert into application_keys select id || n, aid, sealed, created, dies
      from application_keys, (select 1 as n union select 2) as twice`,
  },
  {
    rule: 'the tags of a record are the tags that find it',
    break: `update access set tags = '[]' where user_ref = 'ann'`,
  },
  {
    rule: 'the tags of a record are the tags that find it',
    break: `update access_tags set tag = 'other' where tag = 'a'`,
  },
  ...[
    // The last event about a reader is missing, or the access that it tells of was changed without one.
    `delete from events where type = 'user.access_changed' and sequence > 2`,
    `update access set ends = ends + 1 where user_ref = 'ann'`,
  ].map((broken) => ({
    rule: 'the last event about what a reader has access to tells what they have now',
    break: broken,
  })),
]

class Undo extends Error {}

describe.each(databases)('The invariants on $name', (database) => {
  const service = useService(database)
  let app: Shop
  beforeAll(async () => {
    await service.newApplication('sandbox')
    app = await openShop(service)
    await app.addResource('news')
    await app.addResource('pass')
    await app.buy({ rid: 'news', userRef: 'cat', terms: { period: '30 days' } })
    await app.buy({ rid: 'pass', userRef: 'dan', terms: MONTHLY })
    await app.buy({ rid: 'pass', userRef: 'eve', terms: MONTHLY })
    await app.client.revokeAccess({ rid: 'pass', user_ref: 'eve', refund: true })
    await foldCounts(app.environment.database, service.clock.seconds)
    await foldRevenue(app.environment.database)
    for (const name of ['ann', 'bob']) {
      await app.client.grantAccess({
        rid: 'news',
        email: `${name}@example.com`,
        user_ref: name,
        expiration: service.clock.seconds + 60,
        tags: 'a,b',
      })
    }
    await app.client.revokeAccess({ rid: 'news', user_ref: 'bob' })
    app.environment.refusals.add(app.aid, 'news', 'ann', service.clock.seconds - 1)
    await app.environment.refusals.flush()
    const { masterKey } = service.ctx
    await app.environment.database.write((trx) => addWebhookRows(trx, masterKey, app.aid))
    await fetchFiles()
  })

  /** Adds a file fetched through a link whose two uses are used up, and a file that no record refers to. */
  async function fetchFiles(): Promise<void> {
    await uploadBytes(app, Buffer.from('nobody names me'), async () => {})
    const begin = service.clock.seconds - DAY
    const { database } = app.environment
    const { id: downloadId } = await addDownload(app, 'news')
    const link = { id: 'link', aid: app.aid, downloadId, expires: begin + 5 * DAY }
    for (const opened of [begin, begin + DAY]) {
      await database.write((trx) => countUse(trx, link, 2, opened))
    }
    const delivery = {
      aid: app.aid,
      rid: 'news',
      download_id: downloadId,
      link: link.id,
      uid: null,
    }
    const done = { at: begin + DAY, bytes: 16, outcome: 'complete' } as const
    await database.write((trx) =>
      recordDeliveries(trx, toDeliveryRows([{ ...delivery, ...done }]), begin + DAY),
    )
  }

  /** Runs in a transaction that never commits, with foreign keys disabled. If a rule is named, only that one is looked
   * at: all of them take a hundred queries. */
  async function violationsAfter(statements: readonly string[], only?: string): Promise<string[]> {
    let rules: string[] = []
    const run = async (trx: Trx) => {
      const blind = {
        sqlite: 'pragma defer_foreign_keys = on',
        postgres: 'set local session_replication_role = replica',
      }[database.engine]
      for (const one of [blind, ...statements]) await sql.raw(one).execute(trx)
      rules = (await findViolations(trx, service.clock.seconds, only)).map(({ rule }) => rule)
      if (only === undefined) {
        expect(await hasViolations(trx, service.clock.seconds)).toBe(rules.length > 0)
      }
      throw new Undo()
    }
    await expect(app.environment.database.write(run)).rejects.toBeInstanceOf(Undo)
    return rules
  }

  it('hold for what the service itself has written', async () => {
    expect(await violationsAfter([])).toEqual([])
    await service.requireInvariants()
  })

  it.each(BREAKS)('notice: $break', async ({ rule, before, break: statement }) => {
    const first = typeof before === 'object' ? before[database.engine] : before
    const rules = await violationsAfter([...(first === undefined ? [] : [first]), statement], rule)
    expect(rules).toEqual([rule])
  })

  it.each(['update access set amount = -1', 'delete from access_tags'])(
    'are found broken by one query too: %s',
    async (statement) => {
      expect(await violationsAfter([statement])).not.toEqual([])
    },
  )

  it('are not alarmed by a silent import, which no event tells of', async () => {
    const silent = `update event_sequences set silent_at = sequence`
    const rule = 'the last event about what a reader has access to tells what they have now'
    const changed = `update access set ends = ends + 1 where user_ref = 'ann'`
    expect(await violationsAfter([silent, changed])).not.toContain(rule)
  })

  it('are looked at in seconds where there are many mails', async () => {
    const numbers = `with recursive n (n) as (select 1 union all select n + 1 from n where n < 10000)`
    const startedAt = performance.now()
    const rules = await violationsAfter([
      `insert into history (aid, seq, at, actor, action, mail_key) ${numbers}
        select '${app.aid}', n, 0, 'test', 'test', 'many:' || n from n`,
      `insert into outbox (id, key, aid, uid, kind, recipient, payload, status, attempts, created, due)
        ${numbers} select 'many:' || n, 'many:' || n, '${app.aid}', '', 'grant', '', '{}', 'kept', 0, 0, 0
        from n`,
    ])
    expect(rules).toEqual([])
    // Comparing each mail with every other would take a hundred million steps in the database.
    expect(performance.now() - startedAt).toBeLessThan(20_000)
  })

  it('are not alarmed by a tag that is somebody’s address, or by an address with a % in it', async () => {
    await app.client.grantAccess({ rid: 'news', email: '%@e', tags: 'x@example.com,%@e' })
    await app.client.grantAccess({ rid: 'news', email: 'x@example.com', tags: 'X@example.com' })
    expect(await violationsAfter([])).toEqual([])
  })

  it('name examples of the rows, and not too many', async () => {
    await app.environment.database
      .write(async (trx) => {
        await sql`update access set amount = -1`.execute(trx)
        const [violation, ...more] = await findViolations(trx, service.clock.seconds)
        expect(more).toEqual([])
        expect(violation?.rows.length).toBeGreaterThan(0)
        expect(violation?.rows.length).toBeLessThanOrEqual(5)
        throw new Undo()
      })
      .catch((error) => {
        if (!(error instanceof Undo)) throw error
      })
  })
})
