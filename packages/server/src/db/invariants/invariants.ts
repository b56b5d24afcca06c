import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database.ts'
import { type ControlTables, FOREVER, type Seconds, WHOLE_RID } from '../tables.ts'
import { eventRules } from './events.ts'
import { findStaleStates } from './told-states.ts'
import { webhookRules } from './webhooks.ts'

/** A rule that does not hold, and example rows. */
export interface Violation {
  rule: string
  rows: unknown[]
}

/** How far the clocks of machines that share a database may differ. */
const MAX_CLOCK_SKEW_S = 60

/** Each query finds the rows that break its rule, so all results must be empty. The queries are plain SQL, the same on
 * both engines, and independent of the code that they check. */
function rules(now: Seconds) {
  return {
    'one unrevoked record per application, resource and user': sql`
      select aid, rid, uid from access where revoked is null group by aid, rid, uid having count(*) > 1`,
    'an e-mail address names one user of its application': sql`
      select aid, email_key from users where email_key is not null
      group by aid, email_key having count(*) > 1`,
    // Other processes notice a connection by this row alone.
    'a stored connection is of a known kind, and has a version': sql`
      select name from secrets where name like 'connection/%'
        and (name not in ('connection/payments', 'connection/mail')
          or not exists (select 1 from meta m where m.name = 'connections_version'))`,
    'a person has an address and its key or neither, and none once erased': sql`
      select aid, uid from users
      where (email is null) <> (email_key is null)
        or (erased is not null and (email is not null or contact_email is not null))`,
    'a person without an address of its own has a reference': sql`
      select u.aid, u.uid from users u
      where u.email is null and u.erased is null and not exists (select 1 from user_refs r
        where r.aid = u.aid and r.uid = u.uid and r.alias = 0)`,
    // While a row of erasures exists, the worker has yet to check for data written in the meantime.
    'nothing names a person whose erasure is finished': sql`
      select u.aid, u.uid from users u
      where u.erased is not null
        and not exists (select 1 from erasures e where e.aid = u.aid and e.uid = u.uid)
        and (u.first_name <> '' or u.last_name <> ''
          or exists (select 1 from user_refs r where r.aid = u.aid and r.uid = u.uid)
          or exists (select 1 from notes n where n.aid = u.aid and n.uid = u.uid)
          or exists (select 1 from refused_checks c where c.aid = u.aid and c.uid = u.uid)
          or exists (select 1 from handled_requests q where q.aid = u.aid and q.uid = u.uid
            and (q.body is not null or q.content <> ''))
          or exists (select 1 from access a where a.aid = u.aid and a.uid = u.uid
            and (a.tags <> '[]' or a.user_ref is not null))
          or exists (select 1 from outbox o where o.aid = u.aid and o.uid = u.uid
            and (o.recipient <> '' or o.payload <> '{}'))
          or exists (select 1 from checkouts c where c.aid = u.aid and c.uid = u.uid
            and (c.first_name <> '' or c.last_name <> ''
              or coalesce(c.user_ref, c.vouched_email, c.typed_email, c.return_url) is not null)))`,
    // Otherwise it would have links that work, after those of the reader were ended.
    'an email or a checkout has no higher link number than its reader': sql`
      select u.uid, o.id from users u join outbox o on o.aid = u.aid and o.uid = u.uid
      where o.link_number > u.link_number
      union all select u.uid, c.id from users u join checkouts c on c.aid = u.aid and c.uid = u.uid
      where c.link_number > u.link_number`,
    'a note has a text and an author, and is changed by somebody or by nobody': sql`
      select n.id from notes n where n.text = '' or n.text <> trim(n.text) or length(n.text) > 2000
        or n.actor = '' or (n.changed is null) <> (n.changed_by is null)`,
    'a notice to staff is about a payment, a subscription or a webhook of its application': sql`
      select n.id from notices n
      where n.kind not in ('sale', 'dispute', 'payment_failed', 'refund_failed', 'webhook_failed')
        or (n.kind not in ('payment_failed', 'webhook_failed') and not exists (select 1 from payments p
          where p.aid = n.aid and p.id = n.subject_id))
        or (n.kind = 'payment_failed' and not exists (select 1 from subscriptions s
          where s.aid = n.aid and s.id = n.subject_id))
        or (n.kind = 'webhook_failed' and not exists (select 1 from webhook_endpoints e
          where e.aid = n.aid and e.id = n.subject_id))`,
    'a refused check has a reason and a time, and each reader has few': sql`
      select c.uid from refused_checks c where c.times < 1 or c.first_at > c.last_at
        or (c.code in ('expired', 'revoked')) <> (c.since is not null) or c.since > c.last_at
        or c.code not in ('expired', 'revoked', 'never_granted', 'no_resource')
      union all select uid from refused_checks group by aid, uid having count(*) > 20`,
    // One without an answer was claimed by a request that did not say what came of it.
    'a request with a key has its answer, and one that is known by its signature has none': sql`
      select q.digest from handled_requests q where q.kind not in ('key', 'signature')
        or (q.kind = 'key' and (q.status is null or (q.body is null) <> (q.content = '')
          or (q.body is null and (q.uid is null or q.lease_until is not null))))
        or (q.kind = 'signature' and (q.content <> ''
          or coalesce(q.uid, q.body) is not null or coalesce(q.status, q.lease_until) is not null))`,
    'a stored answer is about a user of its application': sql`
      select q.digest from handled_requests q
      left join users u on u.aid = q.aid and u.uid = q.uid
      where q.uid is not null and u.uid is null`,
    'an open checkout is of nobody who was erased': sql`
      select c.id from checkouts c join users u on u.aid = c.aid and u.uid = c.uid
      where c.status = 'open' and u.erased is not null`,
    'an expired checkout that waits for the provider has a page there': sql`
      select id from checkouts where status = 'expired' and due is not null and provider_ref is null`,
    'a reference names a user of its own application': sql`
      select r.aid, r.ref from user_refs r
      left join users u on u.aid = r.aid and u.uid = r.uid where u.uid is null`,
    'a reference is nobody’s uid': sql`
      select r.aid, r.ref from user_refs r join users u on u.aid = r.aid and u.uid = r.ref
      where r.alias = 0`,
    'an alias that is a uid is that of a user who is gone': sql`
      select r.aid, r.ref from user_refs r join users u on u.aid = r.aid and u.uid = r.ref
      where r.alias = 1 and u.erased is null`,
    'a user who is gone has no reference and no alias': sql`
      select r.aid, r.ref from user_refs r join users u on u.aid = r.aid and u.uid = r.uid
      where u.erased is not null`,
    'a former address names a user of its application who is not gone': sql`
      select f.aid, f.email_key from former_addresses f
      left join users u on u.aid = f.aid and u.uid = f.uid where u.uid is null or u.erased is not null`,
    'a former address is not the address of its own user': sql`
      select f.aid, f.email_key from former_addresses f
      join users u on u.aid = f.aid and u.uid = f.uid where u.email_key = f.email_key`,
    'an access shows a reference or an alias of its own user': sql`
      select a.id from access a left join user_refs r on r.aid = a.aid and r.ref = a.user_ref
      where a.user_ref is not null and (r.uid is null or r.uid <> a.uid)`,
    'nothing hangs on a row of another application': sql`
      select s.id from sources s left join access a on a.aid = s.aid and a.id = s.access_id
      where a.id is null
      union all select t.access_id from access_tags t
      left join access a on a.aid = t.aid and a.id = t.access_id where a.id is null
      union all select a.id from access a
      left join users u on u.aid = a.aid and u.uid = a.uid
      left join resources r on r.aid = a.aid and r.rid = a.rid where u.uid is null or r.rid is null`,
    'everything belongs to an application of this environment': sql`
      select aid from (
        select aid from application_keys union select aid from resources union select aid from users
        union select aid from history union select aid from outbox union select aid from prices
        union select aid from payments union select aid from refunds union select aid from checkouts
        union select aid from subscriptions union select aid from trials union select aid from downloads
        union select aid from download_uses union select aid from deliveries
        union select aid from erasures union select aid from files union select aid from images
        union select aid from notes union select aid from pass_entries
        union select aid from notices union select aid from refused_checks
        union select aid from webhook_endpoints union select aid from webhook_secrets
        union select aid from webhook_deliveries union select aid from webhook_replays
        union select aid from handled_requests) as named
      where aid not in (select aid from applications)`,
    'an access ends with the latest of its open sources': sql`
      select a.id, a.ends, max(s.ends) as latest from access a
      left join sources s on s.aid = a.aid and s.access_id = a.id and s.closed is null
      where a.revoked is null
      group by a.aid, a.id, a.ends having max(s.ends) <> a.ends`,
    'an access without an open source is over': sql`
      select a.id from access a
      where a.revoked is null and a.ends > ${now} and not exists (select 1 from sources s
        where s.aid = a.aid and s.access_id = a.id and s.closed is null)`,
    // A period that waits begins when the paid time before it ends. A row may come from a machine whose clock is ahead.
    'a live access has a source that has begun': sql`
      select a.id from access a
      where a.revoked is null and a.ends > ${now} and not exists (select 1 from sources s
        where s.aid = a.aid and s.access_id = a.id and s.closed is null and s.ends > ${now}
          and (s.starts is null or s.starts <= ${now + MAX_CLOCK_SKEW_S}))`,
    'what is left of a one-time period is as long as it was when it was put behind another one': sql`
      select id from sources where remaining is not null and (kind <> 'purchase'
        or period is null or starts is null or remaining < 1
        or (ends <> starts + remaining and ends <> ${FOREVER}))`,
    'a revoked access has no open source': sql`
      select a.id from access a join sources s on s.aid = a.aid and s.access_id = a.id
      where a.revoked is not null and s.closed is null`,
    // Not "exists": SQLite would look through all history of the application for each record.
    'every access has the history row of its beginning': sql`
      select a.id from access a left join (select distinct aid, access_id from history
        where action in ('granted', 'purchased', 'subscribed', 'imported')) h
        on h.aid = a.aid and h.access_id = a.id
      where h.access_id is null`,
    'every revoke has its history row': sql`
      select a.id from access a left join (select distinct aid, access_id from history
        where action = 'revoked') h on h.aid = a.aid and h.access_id = a.id
      where a.revoked is not null and h.access_id is null`,
    // A source that was moved by a merge has left its history with its former access record.
    'every grant of a source has its history row': sql`
      select s.id from sources s
      where s.closed is null and s.revision > (select count(*) from history h
        where h.aid = s.aid and h.access_id = s.access_id)
      and not exists (select 1 from history m
        where m.aid = s.aid and m.access_id = s.access_id and m.action = 'merged')`,
    // Not "like": an address may contain % or _.
    'history names nobody by e-mail': sql`
      select h.seq from history h join users u on u.aid = h.aid and u.uid = h.uid
      where replace(coalesce(h.before, '') || coalesce(h.after, ''), u.email, '')
        <> coalesce(h.before, '') || coalesce(h.after, '')`,
    'a grant that called for a mail has it in the outbox': sql`
      select s.id from sources s
      where s.closed is null and s.notified = 1 and not exists (select 1 from outbox o
        where o.aid = s.aid and o.key = 'grant:' || s.id || ':' || s.revision)`,
    'every mail that a change called for is in the outbox': sql`
      select h.seq, h.mail_key from history h
      left join outbox o on o.aid = h.aid and o.key = h.mail_key
      where h.mail_key is not null and o.id is null`,
    'every mail was called for by one change': sql`
      select o.id from outbox o left join (
        select aid, mail_key, count(*) as calls from history
        where mail_key is not null group by aid, mail_key) as called
      on called.aid = o.aid and called.mail_key = o.key
      where called.calls is null or called.calls <> 1`,
    'a mail is sent exactly if it has a time of sending': sql`
      select id from outbox where (status = 'sent') <> (sent is not null)`,
    'a mail is leased exactly while it is being sent': sql`
      select id from outbox where (status = 'sending') <> (lease_token is not null)`,
    'amounts are whole and not negative, and free access has no currency': sql`
      select id from access where amount < 0 or (amount > 0 and currency is null)`,
    'a payment is whole, positive, and never refunded by more than it was': sql`
      select id from payments where amount < 1 or refunded < 0 or refunded > amount`,
    'what was refunded of a payment is the sum of its refunds that succeeded': sql`
      select p.id from payments p left join (
        select aid, payment_id, sum(amount) as total from refunds
        where status = 'succeeded' group by aid, payment_id) as r
      on r.aid = p.aid and r.payment_id = p.id
      where p.refunded <> coalesce(r.total, 0)`,
    'refunds that are made or on their way are not more than the payment': sql`
      select p.id from payments p
      join refunds r on r.aid = p.aid and r.payment_id = p.id and r.status <> 'failed'
      group by p.aid, p.id, p.amount having sum(r.amount) > p.amount`,
    'a refund has the currency and the application of its payment': sql`
      select r.id from refunds r left join payments p on p.aid = r.aid and p.id = r.payment_id
      where p.id is null or p.currency <> r.currency or r.amount < 1`,
    'a period is charged at most once': sql`
      select subscription_id, period_start from payments
      where subscription_id is not null and status <> 'failed' and flag is null
      group by aid, subscription_id, period_start having count(*) > 1`,
    'the status of a payment follows from its refunds': sql`
      select id from payments
      where (status = 'refunded' and refunded <> amount)
        or (status = 'succeeded' and refunded <> 0)
        or (status = 'partially_refunded' and (refunded = 0 or refunded = amount))
        or (status in ('pending', 'failed') and refunded <> 0)`,
    'the status of a payment follows from what disputes took': sql`
      select id from payments
      where lost_amount < 0 or lost_amount > amount
        or disputed_amount < 0 or disputed_amount > amount
        or (status <> 'disputed' and (disputed_amount > 0 or refundable_in_dispute = 1))
        or (status in ('pending', 'failed') and lost_amount > 0)
        or (status = 'lost') <> (status <> 'disputed' and lost_amount > 0
          and refunded + lost_amount >= amount)`,
    'only a payment or a refund that is pending waits for the provider': sql`
      select id from payments where (status = 'pending') <> (due is not null)
      union all select id from refunds where (status = 'pending') <> (due is not null)`,
    'a subscription that is not ended holds its access open': sql`
      select b.id from subscriptions b
      left join sources s on s.aid = b.aid and s.subscription_id = b.id and s.closed is null
      where (b.status <> 'ended') <> (s.id is not null) or s.access_id <> b.access_id`,
    'a subscription is of the user and the resource of its access': sql`
      select b.id from subscriptions b join access a on a.aid = b.aid and a.id = b.access_id
      where b.status <> 'ended' and (a.uid <> b.uid or a.rid <> b.rid)`,
    'at most one subscription that is not ended per application, resource and user': sql`
      select aid, rid, uid from subscriptions where status <> 'ended'
      group by aid, rid, uid having count(*) > 1`,
    'a subscription waits for a moment or for a payment, until it has ended': sql`
      select b.id from subscriptions b
      where (b.next_due is null) <> (b.next_step is null)
        or (b.status = 'ended' and b.next_due is not null)
        or (b.status = 'ended') <> (b.ended is not null)
        or (b.status <> 'ended' and b.next_due is null and not exists (select 1 from payments p
          where p.aid = b.aid and p.subscription_id = b.id and p.status = 'pending'))`,
    'a paid source has its payment, which was not refunded in full or lost': sql`
      select s.id from sources s left join payments p on p.aid = s.aid and p.id = s.payment_id
      where s.kind = 'purchase' and (p.id is null
        or (s.closed is null and p.status in ('pending', 'failed', 'refunded', 'lost')))`,
    'money that opened nothing is flagged': sql`
      select p.id from payments p
      where p.status not in ('pending', 'failed') and p.flag is null
        and p.access_id is null`,
    'a finding of a reconciliation names a payment that exists': sql`
      select f.id from reconciliation_findings f
      left join payments p on p.aid = coalesce(f.aid, p.aid) and p.id = f.payment_id
      where f.payment_id is not null and p.id is null`,
    'a checkout that is paid has a time of payment': sql`
      select id from checkouts where (status = 'paid') <> (paid is not null)`,
    'a checkout that was refused was completed, and begins no subscription': sql`
      select id from checkouts
      where refusal is not null and (status <> 'paid' or subscription_id is not null)`,
    'what a link buys is bought once': sql`
      select link_mark from checkouts
      where link_mark is not null and status = 'paid' and (refusal is null or refusal <> 'trial_used')
      group by aid, link_mark having count(*) > 1`,
    'a file that a record names is whole, and is not dropped': sql`
      select d.id from downloads d left join files f on f.aid = d.aid and f.id = d.file_id
      where f.sha256 is null or f.size is null or f.dropped is not null`,
    'an accent color is one, and the texts of a brand are objects': sql`
      select aid from applications
      where accent is not null
        and (length(accent) <> 7 or accent not like '#%' or accent <> lower(accent))
        or legal_links not like '{%}' or mail_templates not like '{%}' or time_zone = ''`,
    'an image that is shown is there': sql`
      select a.aid from applications a left join images i on i.aid = a.aid and i.id = a.logo_id
      where a.logo_id is not null and i.id is null
      union all select r.rid from resources r left join images i on i.aid = r.aid and i.id = r.image_id
      where r.image_id is not null and i.id is null
      union all select d.id from downloads d left join images i on i.aid = d.aid and i.id = d.image_id
      where d.image_id is not null and i.id is null`,
    // The column has one "file" for each size.
    'every size of an image has its file': sql`
      select i.id from images i left join files f
        on f.aid = i.aid and f.dropped is null and f.sha256 is not null
        and i.sizes like '%"' || f.id || '"%'
      group by i.aid, i.id, i.sizes
      having count(f.id) < 1
        or length(i.sizes) - length(replace(i.sizes, '"file"', '')) <> 6 * count(f.id)`,
    'a file that no record names is dropped': sql`
      select f.id from files f left join downloads d on d.aid = f.aid and d.file_id = f.id
      where d.id is null and f.dropped is null and not exists (select 1 from images i
        where i.aid = f.aid and i.sizes like '%"' || f.id || '"%')`,
    'the uses of a link are counted without a gap, and not beyond what it allows': sql`
      select link from download_uses group by aid, link
      having min(number) <> 1 or max(number) <> count(*) or max(number) > min(most)`,
    'a use of a link covers a day': sql`
      select b.link from download_uses a
      join download_uses b on b.aid = a.aid and b.link = a.link and b.number = a.number + 1
      where b.opened < a.opened + 86400`,
    'what another server delivered is not counted by us': sql`
      select id from deliveries
      where answers < 1 or bytes < 0 or (outcome = 'redirected' and bytes <> 0)`,
    'no row is from the future': sql`
      select id from access where created > ${now} or revoked > ${now}
      union all select id from payments where created > ${now} or settled > ${now} or lost > ${now}
      union all select id from refunds where created > ${now} or settled > ${now}
      union all select id from subscriptions
      where created > ${now} or canceled > ${now} or ended > ${now}
      union all select id from checkouts where created > ${now} or paid > ${now}
      union all select mark from trials where created > ${now}
      union all select id from prices where created > ${now} or archived > ${now}
      union all select id from sources where created > ${now} or closed > ${now}
      union all select id from downloads
      where filed > ${now} or created > ${now} or modified > ${now} or published > ${now}
      union all select id from images where created > ${now}
      union all select id from deliveries where at > ${now}
      union all select link from download_uses where opened > ${now}
      union all select uid from users where created > ${now}
      union all select rid from resources where created > ${now} or archived > ${now}
      union all select access_id from history where at > ${now}`,
    'times are within their range': sql`
      select id from access where ends < 0 or ends > ${FOREVER} or created < 0 or revoked < created
      union all select id from sources where ends < 0 or ends > ${FOREVER} or closed < created`,
    'a tag has the time of its record': sql`
      select t.access_id from access_tags t
      join access a on a.aid = t.aid and a.id = t.access_id where t.created <> a.created`,
    'the counts for searches, with the changes since, are those of the records': sql`
      select aid, scope, sum(n) as all_off, sum(live) as live_off from (
        select aid, scope, all_n as n, live_n as live from access_counts
        union all select c.aid, c.scope, c.n,
          case when (c.ends, c.access_id) > (w.ends, w.access_id) then c.n else 0 end
        from access_changes c join access_watermarks w on w.aid = c.aid
        union all select c.aid, '', c.n,
          case when (c.ends, c.access_id) > (w.ends, w.access_id) then c.n else 0 end
        from access_changes c join access_watermarks w on w.aid = c.aid where c.scope like 'r%'
        union all select a.aid, s.scope, -1,
          case when (a.ends, a.id) > (w.ends, w.access_id) then -1 else 0 end
        from access a join access_watermarks w on w.aid = a.aid join (
          select aid, id, '' as scope from access union all select aid, id, 'r' || rid from access
          union all select aid, access_id, 't' || tag from access_tags
        ) as s on s.aid = a.aid and s.id = a.id where a.revoked is null) as sums
      group by aid, scope having sum(n) <> 0 or sum(live) <> 0
      union all select p.aid, 'no watermark', 0, 0 from applications p
      where not exists (select 1 from access_watermarks w where w.aid = p.aid)`,
    'only a payment whose dispute was lost has the time of it': sql`
      select id from payments where (lost is null) <> (lost_amount = 0)`,
    'the sums of revenue are those of the payments and the refunds': sql`
      select aid, currency, size, rid, at from (
        select aid, currency, size, rid, at, taken, sales, refunded, lost from revenue_totals
        union all select m.aid, m.currency, s.size, case when s.whole = 1 then '' else m.rid end,
          m.at - m.at % s.size, m.taken, m.sales, m.refunded, m.lost
        from (
          select aid, currency, rid, at, taken, sales, refunded, lost from revenue_changes
          union all select aid, currency, rid, coalesce(settled, created), -amount, -1, 0, 0
          from payments where status not in ('pending', 'failed')
          union all select aid, currency, rid, coalesce(lost, settled, created), 0, 0, 0,
            case when lost_amount > amount - refunded then refunded - amount
              else -lost_amount end from payments where lost_amount > 0
          union all select p.aid, p.currency, p.rid, coalesce(r.settled, r.created), 0, 0,
            -r.amount, 0
          from refunds r join payments p on p.aid = r.aid and p.id = r.payment_id
          where r.status = 'succeeded') as m
        cross join (select 900 as size, 1 as whole union all select 86400, 1
          union all select 691200, 0 union all select 5529600, 0) as s) as sums
      group by aid, currency, size, rid, at
      having sum(taken) <> 0 or sum(sales) <> 0 or sum(refunded) <> 0 or sum(lost) <> 0`,
    'the provider’s reference leads to its payment, and to no other': sql`
      select p.id from payments p left join provider_refs r
        on r.provider = p.provider and r.ref = p.provider_ref
      where p.provider_ref is not null
        and (r.payment_id is null or r.aid <> p.aid or r.payment_id <> p.id)
      union all select r.ref from provider_refs r left join payments p
        on p.aid = r.aid and p.id = r.payment_id
      where p.id is null or p.provider_ref is null
        or p.provider <> r.provider or p.provider_ref <> r.ref`,
    'what a pass opens is a text of the given size, not the pass itself': sql`
      select e.pass, e.value from pass_entries e
      left join resources r on r.aid = e.aid and r.rid = e.pass
      where r.rid is null or e.size < ${WHOLE_RID} or (e.size = ${WHOLE_RID} and e.value = '')
        or (e.size = ${WHOLE_RID} and e.value = e.pass)
        or (e.size >= 0 and e.size <> length(e.value)) or length(e.value) > 255`,
    'no pass has more than 500 entries': sql`
      select aid, pass from pass_entries where size <> 0 group by aid, pass having count(*) > 500`,
    'the downloads of a resource are in one order': sql`
      select aid, rid, position from downloads
      group by aid, rid, position having count(*) > 1 or position < 0`,
    'no application has more live keys than two': sql`
      select aid from application_keys where dies is null group by aid having count(*) > 2`,
    ...eventRules,
    ...webhookRules(),
  }
}

/** Whether any rule does not hold. Takes one query, which is much faster than `findViolations` if there are few rows. */
export async function hasViolations(db: Db, now: Seconds): Promise<boolean> {
  // PostgreSQL would plan an `exists` for the first row alone, which takes far longer if there is none.
  const counts = Object.values(rules(now)).map(
    (query) => sql`(select count(*) from (${query}) as broken)`,
  )
  const { rows } = await sql`select 1 where ${sql.join(counts, sql` + `)} > 0`.execute(db)
  return rows.length > 0 || (await otherViolations(db, now)).length > 0
}

const MAX_EXAMPLES = 5

/** The rules of the database that both environments share. */
const CONTROL_RULES = {
  'a pair joins an application of production with one of the sandbox': sql`
    select p.production_aid, p.sandbox_aid from application_pairs p
    left join aids a on a.aid = p.production_aid and a.environment = 'production'
    left join aids b on b.aid = p.sandbox_aid and b.environment = 'sandbox'
    where a.aid is null or b.aid is null`,
  'an application is in one pair at most': sql`
    select sandbox_aid from application_pairs group by sandbox_aid having count(*) > 1`,
  'an email to staff has been sent or has no time of it, and a lease while it is sent': sql`
    select id, status from staff_mails
    where (status = 'sent') <> (sent_at is not null)
      or (status = 'sending') <> (lease_token is not null)
      or (lease_token is null) <> (lease_until is null)
      or status not in ('queued', 'sending', 'sent', 'dead', 'kept')`,
  'an email to staff has a link, or a member and an application': sql`
    select id, kind from staff_mails
    where (kind in ('invite', 'reset')) <> (link_digest is not null)
      or (kind in ('sale', 'dispute', 'payment_failed', 'refund_failed', 'webhook_failed', 'digest'))
        <> (staff_id is not null and aid is not null)
      or (kind = 'security' and (staff_id is null or aid is not null))
      or kind not in ('invite', 'reset', 'forgot', 'security', 'sale', 'dispute', 'payment_failed',
        'refund_failed', 'webhook_failed', 'digest')`,
  'a management token has no role of an owner, and ends and is used after it was made': sql`
    select id, role from management_tokens
    where role not in ('developer', 'support', 'reader')
      or ends_at <= created_at or used_at < created_at or revoked_at < created_at`,
  'a choice is on or off, and of a known kind': sql`
    select staff_id, kind from staff_notifications
    where is_on not in (0, 1)
      or kind not in ('sale', 'dispute', 'payment_failed', 'refund_failed', 'webhook_failed', 'digest')`,
}

/** Finds every rule of the control database that does not hold. */
export async function findControlViolations(db: Db<ControlTables>): Promise<Violation[]> {
  return await findBroken(db, CONTROL_RULES)
}

/** Finds every rule that does not hold; if a rule is named, looks at that one only. */
export async function findViolations(db: Db, now: Seconds, only?: string): Promise<Violation[]> {
  const isWanted = ([rule]: [string, unknown]) => only === undefined || rule === only
  const wanted = Object.fromEntries(Object.entries(rules(now)).filter(isWanted))
  const others = await otherViolations(db, now)
  return [...(await findBroken(db, wanted)), ...others.filter(({ rule }) => isWanted([rule, rule]))]
}

/** The rules about what is stored as JSON, which the two engines read differently. */
async function otherViolations(db: Db, now: Seconds): Promise<Violation[]> {
  const stale = await findStaleStates(db, now, MAX_EXAMPLES)
  const rule = 'the last event about what a reader has access to tells what they have now'
  return [...(await tagViolations(db)), ...(stale.length > 0 ? [{ rule, rows: stale }] : [])]
}

async function findBroken(
  db: Db | Db<ControlTables>,
  all: Readonly<Record<string, RawBuilder<unknown>>>,
): Promise<Violation[]> {
  const violations: Violation[] = []
  for (const [rule, query] of Object.entries(all)) {
    const { rows } =
      await sql`select * from (${query}) as broken limit ${sql.lit(MAX_EXAMPLES)}`.execute(db)
    if (rows.length > 0) violations.push({ rule, rows })
  }
  return violations
}

const TAG_RULE = 'the tags of a record are the tags that find it'

/** Tags are stored twice: on the record for display, and in their own table for searching. */
async function tagViolations(db: Db): Promise<Violation[]> {
  const { rows: records } = await sql<{ id: string; tags: string }>`
    select id, tags from access where tags <> '[]'`.execute(db)
  const { rows: indexed } = await sql<{ access_id: string; tag: string }>`
    select access_id, tag from access_tags`.execute(db)
  const found = new Set(indexed.map(({ access_id, tag }) => `${access_id} ${tag}`))
  const shown = new Set(
    records.flatMap(({ id, tags }) => (JSON.parse(tags) as string[]).map((tag) => `${id} ${tag}`)),
  )
  const broken = [
    ...[...shown].filter((pair) => !found.has(pair)),
    ...[...found].filter((pair) => !shown.has(pair)),
  ]
  if (broken.length === 0) return []
  return [{ rule: TAG_RULE, rows: broken.slice(0, MAX_EXAMPLES) }]
}
