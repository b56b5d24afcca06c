import type { Engine } from './database.ts'
import { aidKeys } from './migrations/aid-keys.ts'
import { auditOrigins } from './migrations/audit-origins.ts'
import { events } from './migrations/events.ts'
import { failedMails } from './migrations/failed-mails.ts'
import { figures } from './migrations/figures.ts'
import { formerAddresses } from './migrations/former-addresses.ts'
import { handledRequests } from './migrations/handled-requests.ts'
import { linkKeys } from './migrations/link-keys.ts'
import { linkNumbers } from './migrations/link-numbers.ts'
import { mailPriority } from './migrations/mail-priority.ts'
import { managementTokens } from './migrations/management-tokens.ts'
import { newestFirst } from './migrations/newest-first.ts'
import { notes } from './migrations/notes.ts'
import { notices } from './migrations/notices.ts'
import { applicationPairs } from './migrations/pairs.ts'
import { partialDisputes } from './migrations/partial-disputes.ts'
import { passes } from './migrations/passes.ts'
import { passkeyHosts } from './migrations/passkey-hosts.ts'
import { passkeyOnly } from './migrations/passkey-only.ts'
import type { NewColumn } from './migrations/prepared.ts'
import { providerCalls } from './migrations/provider-calls.ts'
import { refusedChecks } from './migrations/refused-checks.ts'
import { refusedOrders } from './migrations/refused-orders.ts'
import { revenueChanges } from './migrations/revenue-changes.ts'
import { savedViews } from './migrations/saved-views.ts'
import { selling } from './migrations/selling.ts'
import { sessionConfirmations } from './migrations/session-confirmations.ts'
import { silentChanges } from './migrations/silent-changes.ts'
import { staffMail } from './migrations/staff-mail.ts'
import { suspendedTokens } from './migrations/suspended-tokens.ts'
import { unpaidCheckouts } from './migrations/unpaid-checkouts.ts'
import { webhooks } from './migrations/webhooks.ts'
import type { TableRebuild } from './sqlite/rebuild.ts'
import { createTrigger } from './trigger.ts'

/**
 * Statements are written once for both engines. Words in capitals stand for what differs: TEXT is compared by bytes,
 * INT has 64 bits, SERIAL is an auto-incrementing primary key, NOW is the time in whole seconds (`dialectOf` in
 * migrate.ts replaces them). A statement that can't be written for both is given per engine, or for one alone.
 * A released migration is never edited.
 */
export interface Migration {
  name: string
  /** Columns that PostgreSQL adds before the other statements, each in a transaction of its own. Older code goes on working
   * with them, and may put them into a backup. */
  columns?: readonly NewColumn[]
  /** For PostgreSQL: statements that run before the others, outside the transaction, while other processes go on
   * working. They may be repeated, and change nothing that older code would notice. One that needs what an earlier
   * missing migration creates is left out, so `statements` must not rely on it. */
  online?: readonly string[]
  statements: readonly Statement[]
}

export type Statement =
  | string
  | Partial<Record<Engine, string>>
  | { rebuild: readonly TableRebuild[] }

const CHANGE = 'insert into access_changes (aid, scope, ends, access_id, n)'

/** Changes that a record makes to the counts of its resource and its tags: added or subtracted. */
const recordCounts = (row: 'old' | 'new', n: 1 | -1) => `
  select ${row}.aid, 'r' || ${row}.rid, ${row}.ends, ${row}.id, ${n} where ${row}.revoked is null
  union all select t.aid, 't' || t.tag, ${row}.ends, ${row}.id, ${n} from access_tags t
  where t.aid = ${row}.aid and t.access_id = ${row}.id and ${row}.revoked is null`

const tagCounts = (row: 'old' | 'new', n: 1 | -1) => `
  select a.aid, 't' || ${row}.tag, a.ends, a.id, ${n} from access a
  where a.aid = ${row}.aid and a.id = ${row}.access_id and a.revoked is null`

/** Adds aliases for users who were merged before aliases existed: their uids lead to the user who remains, across any
 * number of merges. The history says into whom each user was merged. */
const aliasesOfMerged = (uidAfter: string) => `
  with recursive merged (aid, uid, target) as (
    select h.aid, h.uid, ${uidAfter} from history h where h.action = 'user merged away'
    union select m.aid, m.uid, ${uidAfter} from merged m
    join history h on h.aid = m.aid and h.uid = m.target and h.action = 'user merged away')
  insert into user_refs (aid, ref, uid)
  select m.aid, m.uid, m.target from merged m
  join users g on g.aid = m.aid and g.uid = m.uid and g.erased is not null
  join users u on u.aid = m.aid and u.uid = m.target and u.erased is null
  where not exists (select 1 from user_refs r where r.aid = m.aid and r.ref = m.uid)`

/** Does on SQLite, as a trigger, what the foreign key from access to user_refs does on PostgreSQL: SQLite can't add a
 * foreign key to an existing table. */
const refusing = (name: string, event: string, when: string) => ({
  sqlite: `create trigger ${name} before ${event} when ${when} begin
    select raise(abort, 'an access must show a reference of its own user'); end`,
})

const SHOWS_ANOTHERS_REF = `new.user_ref is not null and not exists (select 1 from user_refs r
  where r.aid = new.aid and r.ref = new.user_ref and r.uid = new.uid)`

const IS_SHOWN = `exists (select 1 from access a
  where a.aid = old.aid and a.uid = old.uid and a.user_ref = old.ref)`

export const environmentMigrations: readonly Migration[] = [
  {
    name: '0001_access',
    statements: [
      `create table meta (
        name TEXT primary key,
        value TEXT not null
      )`,
      `create table applications (
        aid TEXT primary key,
        name TEXT not null,
        currency TEXT not null,
        mail_from TEXT,
        mail_template TEXT,
        created INT not null,
        archived INT
      )`,
      `create table application_keys (
        id TEXT primary key,
        aid TEXT not null references applications (aid),
        sealed TEXT not null,
        created INT not null,
        dies INT
      )`,
      `create index application_keys_aid on application_keys (aid)`,
      `create table resources (
        aid TEXT not null references applications (aid),
        rid TEXT not null,
        name TEXT not null,
        url TEXT not null,
        created INT not null,
        primary key (aid, rid)
      )`,
      `create table users (
        aid TEXT not null references applications (aid),
        uid TEXT not null,
        email TEXT,
        email_key TEXT,
        first_name TEXT not null,
        last_name TEXT not null,
        created INT not null,
        erased INT,
        primary key (aid, uid)
      )`,
      `create unique index users_email on users (aid, email_key)`,
      `create table user_refs (
        aid TEXT not null,
        ref TEXT not null,
        uid TEXT not null,
        primary key (aid, ref),
        foreign key (aid, uid) references users (aid, uid)
      )`,
      `create index user_refs_uid on user_refs (aid, uid)`,

      // unique (aid, id) lets tags and sources reference both columns, so that none can belong to an access
      // record of another application.
      `create table access (
        id TEXT primary key,
        aid TEXT not null,
        rid TEXT not null,
        uid TEXT not null,
        user_ref TEXT,
        amount INT not null,
        currency TEXT,
        created INT not null,
        ends INT not null,
        revoked INT,
        tags TEXT not null,
        unique (aid, id),
        foreign key (aid, rid) references resources (aid, rid),
        foreign key (aid, uid) references users (aid, uid)
      )`,
      `create unique index access_one_unrevoked on access (aid, rid, uid) where revoked is null`,
      // One index per search filter, in the order of the results.
      `create index access_search on access (aid, created desc, id) where revoked is null`,
      `create index access_search_rid on access (aid, rid, created desc, id) where revoked is null`,
      `create index access_by_user on access (aid, uid, created desc, id)`,
      `create table access_tags (
        aid TEXT not null,
        tag TEXT not null,
        access_id TEXT not null,
        primary key (aid, tag, access_id),
        foreign key (aid, access_id) references access (aid, id)
      )`,
      `create index access_tags_access on access_tags (aid, access_id)`,
      `create table sources (
        id TEXT primary key,
        aid TEXT not null,
        access_id TEXT not null,
        kind TEXT not null,
        created INT not null,
        ends INT not null,
        closed INT,
        revision INT not null,
        message_digest TEXT not null,
        notified INT not null,
        foreign key (aid, access_id) references access (aid, id)
      )`,
      `create index sources_access on sources (aid, access_id)`,
      `create unique index sources_one_open_grant on sources (access_id)
        where kind = 'grant' and closed is null`,

      `create table history (
        seq SERIAL,
        aid TEXT not null,
        uid TEXT,
        rid TEXT,
        access_id TEXT,
        at INT not null,
        actor TEXT not null,
        action TEXT not null,
        before TEXT,
        after TEXT,
        mail_key TEXT
      )`,
      `create index history_user on history (aid, uid, seq)`,
      `create index history_access on history (aid, access_id, seq)`,
      `create table outbox (
        id TEXT primary key,
        key TEXT not null unique,
        aid TEXT not null,
        uid TEXT not null,
        kind TEXT not null,
        recipient TEXT not null,
        payload TEXT not null,
        status TEXT not null,
        attempts INT not null,
        created INT not null,
        due INT not null,
        lease_token TEXT,
        lease_until INT,
        last_error TEXT,
        sent INT
      )`,
      // Indexes only unfinished mails, so that finished ones never slow the worker down.
      `create index outbox_due on outbox (due) where status in ('queued', 'sending')`,
      `create index outbox_given_up on outbox (aid) where status = 'dead' and recipient <> ''`,
      `create index outbox_user on outbox (aid, uid)`,
    ],
  },
  {
    name: '0002_money',
    statements: [
      // The seller's details on receipts, and the URLs that a buyer may be sent back to (JSON).
      `alter table applications add column seller_name TEXT`,
      `alter table applications add column seller_address TEXT`,
      `alter table applications add column tax_line TEXT`,
      `alter table applications add column return_urls TEXT not null default '[]'`,
      `alter table applications add column grace_days INT not null default 7`,
      `alter table users add column contact_email TEXT`,
      `create table secrets (
        name TEXT primary key,
        sealed TEXT not null
      )`,
      `create table prices (
        id TEXT primary key,
        aid TEXT not null,
        rid TEXT not null,
        amount INT not null,
        currency TEXT not null,
        recurring INT not null,
        period TEXT,
        trial_days INT not null,
        created INT not null,
        archived INT,
        foreign key (aid, rid) references resources (aid, rid)
      )`,
      `create index prices_resource on prices (aid, rid, created)`,

      `alter table sources add column starts INT`,
      `alter table sources add column period TEXT`,
      `alter table sources add column payment_id TEXT`,
      `alter table sources add column subscription_id TEXT`,
      `create unique index sources_payment on sources (payment_id) where payment_id is not null`,
      `create unique index sources_subscription on sources (subscription_id)
        where subscription_id is not null`,

      `create table subscriptions (
        id TEXT primary key,
        aid TEXT not null,
        rid TEXT not null,
        uid TEXT not null,
        access_id TEXT not null,
        amount INT not null,
        currency TEXT not null,
        period TEXT not null,
        status TEXT not null,
        created INT not null,
        trial_ends INT,
        anchor INT not null,
        periods INT not null,
        current_period_start INT not null,
        current_period_end INT not null,
        canceled INT,
        ended INT,
        next_due INT,
        next_step TEXT,
        tries INT not null,
        provider TEXT not null,
        method TEXT,
        unique (aid, id),
        foreign key (aid, rid) references resources (aid, rid),
        foreign key (aid, uid) references users (aid, uid),
        foreign key (aid, access_id) references access (aid, id)
      )`,
      `create unique index subscriptions_one_open on subscriptions (aid, rid, uid)
        where status <> 'ended'`,
      `create index subscriptions_search on subscriptions (aid, created desc, id)`,
      `create index subscriptions_search_rid on subscriptions (aid, rid, created desc, id)`,
      `create index subscriptions_by_user on subscriptions (aid, uid, created desc, id)`,
      `create index subscriptions_by_access on subscriptions (access_id)`,
      `create index subscriptions_due on subscriptions (next_due) where next_due is not null`,

      `create table payments (
        id TEXT primary key,
        aid TEXT not null,
        rid TEXT not null,
        uid TEXT not null,
        access_id TEXT,
        subscription_id TEXT,
        checkout_id TEXT,
        period_start INT,
        period_end INT,
        amount INT not null,
        refunded INT not null,
        currency TEXT not null,
        provider TEXT not null,
        provider_ref TEXT,
        method TEXT,
        status TEXT not null,
        flag TEXT,
        failure TEXT,
        created INT not null,
        settled INT,
        attempts INT not null,
        due INT,
        lease_until INT,
        unique (aid, id),
        foreign key (aid, rid) references resources (aid, rid),
        foreign key (aid, uid) references users (aid, uid),
        foreign key (aid, access_id) references access (aid, id),
        foreign key (aid, subscription_id) references subscriptions (aid, id)
      )`,
      // A period is charged only once, regardless of concurrent requests and crashes.
      `create unique index payments_one_per_period on payments (subscription_id, period_start)
        where status <> 'failed' and flag is null and subscription_id is not null`,
      `create unique index payments_provider_ref on payments (provider, provider_ref)
        where provider_ref is not null`,
      `create unique index payments_checkout on payments (checkout_id) where checkout_id is not null`,
      `create index payments_due on payments (due) where status = 'pending'`,
      `create index payments_search on payments (aid, created desc, id)`,
      `create index payments_search_rid on payments (aid, rid, created desc, id)`,
      `create index payments_by_user on payments (aid, uid, created desc, id)`,
      `create index payments_by_access on payments (access_id) where access_id is not null`,
      `create index payments_flagged on payments (aid, created desc, id) where flag is not null`,
      `create index payments_by_subscription on payments (subscription_id, created)
        where subscription_id is not null`,

      `create table refunds (
        id TEXT primary key,
        aid TEXT not null,
        payment_id TEXT not null,
        amount INT not null,
        currency TEXT not null,
        status TEXT not null,
        reason TEXT,
        reference TEXT,
        actor TEXT not null,
        created INT not null,
        settled INT,
        provider_ref TEXT,
        attempts INT not null,
        due INT,
        lease_until INT,
        last_error TEXT,
        unique (aid, payment_id, reference),
        foreign key (aid, payment_id) references payments (aid, id)
      )`,
      `create index refunds_due on refunds (due) where status = 'pending'`,
      `create index refunds_payment on refunds (payment_id, created)`,

      `create table checkouts (
        id TEXT primary key,
        aid TEXT not null references applications (aid),
        rid TEXT not null,
        purpose TEXT not null,
        resource_name TEXT,
        resource_url TEXT,
        amount INT not null,
        currency TEXT not null,
        recurring INT not null,
        period TEXT,
        trial_days INT not null,
        user_ref TEXT,
        vouched_email TEXT,
        typed_email TEXT,
        first_name TEXT not null,
        last_name TEXT not null,
        return_url TEXT,
        key_mark TEXT,
        link_mark TEXT,
        subscription_id TEXT,
        uid TEXT,
        payment_id TEXT not null unique,
        provider TEXT not null,
        provider_ref TEXT,
        status TEXT not null,
        created INT not null,
        expires INT not null,
        paid INT,
        due INT
      )`,
      `create index checkouts_due on checkouts (due) where status = 'open'`,
      `create index checkouts_by_user on checkouts (aid, uid) where uid is not null`,
      `create index checkouts_expired on checkouts (expires) where status = 'expired'`,
      // A link that names its reader is valid for one purchase.
      `create unique index checkouts_one_per_link on checkouts (link_mark)
        where status = 'paid' and link_mark is not null`,

      // The ledger of the built-in test provider; a real provider keeps its own.
      `create table test_ledger (
        id TEXT primary key,
        kind TEXT not null,
        key TEXT unique,
        card TEXT not null,
        charge_id TEXT,
        amount INT not null,
        currency TEXT not null,
        status TEXT not null,
        failure TEXT,
        dispute TEXT,
        tries INT not null,
        created INT not null
      )`,
      `create index test_ledger_charge on test_ledger (charge_id) where charge_id is not null`,
    ],
  },
  {
    name: '0003_downloads',
    statements: [
      // Stored files. The row is written before the first byte, so that no file is ever left untracked.
      `create table files (
        id TEXT primary key,
        store TEXT not null,
        sha256 TEXT,
        size INT,
        created INT not null,
        dropped INT
      )`,
      `create index files_by_content on files (sha256) where sha256 is not null`,
      `create index files_dropped on files (dropped) where dropped is not null`,

      `create table downloads (
        id TEXT primary key,
        aid TEXT not null,
        rid TEXT not null,
        title TEXT not null,
        description TEXT not null,
        image TEXT not null,
        file_id TEXT not null unique references files (id),
        file_name TEXT not null,
        type TEXT not null,
        filed INT not null,
        created INT not null,
        modified INT not null,
        published INT,
        unique (aid, rid),
        unique (aid, id),
        foreign key (aid, rid) references resources (aid, rid)
      )`,

      // Links have no rows of their own: the signed token says what a link allows.
      `create table download_uses (
        link TEXT not null,
        number INT not null,
        most INT not null,
        aid TEXT not null references applications (aid),
        opened INT not null,
        ends INT not null,
        primary key (link, number)
      )`,
      `create index download_uses_ends on download_uses (ends)`,

      `create table deliveries (
        id TEXT primary key,
        aid TEXT not null,
        rid TEXT not null,
        download_id TEXT not null,
        link TEXT not null,
        uid TEXT,
        at INT not null,
        answers INT not null,
        bytes INT not null,
        outcome TEXT not null,
        foreign key (aid, rid) references resources (aid, rid),
        foreign key (aid, uid) references users (aid, uid)
      )`,
      `create index deliveries_search on deliveries (aid, at desc, id)`,
      `create index deliveries_search_rid on deliveries (aid, rid, at desc, id)`,
      `create index deliveries_by_user on deliveries (aid, uid, at desc, id)
        where uid is not null`,
    ],
  },
  {
    name: '0004_search',
    statements: [
      // The index includes `ends`, so that pages are found and skipped without reading rows.
      `drop index access_search`,
      `drop index access_search_rid`,
      // SQLite reads the row unless the index also contains the column of its own condition.
      {
        sqlite: `create index access_search on access (aid, created desc, id, ends, revoked)
          where revoked is null`,
        postgres: `create index access_search on access (aid, created desc, id, ends)
          where revoked is null`,
      },
      {
        sqlite: `create index access_search_rid on access (aid, rid, created desc, id, ends, revoked)
          where revoked is null`,
        postgres: `create index access_search_rid on access (aid, rid, created desc, id, ends)
          where revoked is null`,
      },
      `create index access_ends on access (ends, id) where revoked is null`,
      `alter table access_tags add column created INT not null default 0`,
      `update access_tags set created = (select a.created from access a
        where a.aid = access_tags.aid and a.id = access_tags.access_id)`,
      `create index access_tags_search on access_tags (aid, tag, created desc, access_id)`,
      // Includes the tag: otherwise SQLite prefers to read all tags of an application over looking up a row.
      `drop index access_tags_access`,
      `create index access_tags_access on access_tags (aid, access_id, tag)`,

      // The number of unrevoked records of each application (''), resource ('r' and the rid) and tag ('t' and
      // the tag), and how many of them are past the watermark, which is a position in the order of (ends, id).
      `create table access_counts (
        aid TEXT not null,
        scope TEXT not null,
        all_n INT not null,
        live_n INT not null,
        primary key (aid, scope)
      )`,
      `create index access_counts_empty on access_counts (aid) where all_n = 0`,
      `create table access_watermark (
        name TEXT primary key,
        ends INT not null,
        access_id TEXT not null
      )`,
      // Changes that are not in the counts yet. They are appended, so that grants never wait for each other.
      // The count of an application is derived from the changes of its resources.
      `create table access_changes (
        seq SERIAL,
        aid TEXT not null,
        scope TEXT not null,
        ends INT not null,
        access_id TEXT not null,
        n INT not null
      )`,
      `create index access_changes_scope on access_changes (aid, scope)`,
      `insert into access_watermark (name, ends, access_id) values ('search', NOW, '')`,
      `insert into access_counts (aid, scope, all_n, live_n)
        select aid, scope, count(*),
          count(case when ends >= (select ends from access_watermark) then 1 end) from (
          select aid, '' as scope, ends from access where revoked is null
          union all select aid, 'r' || rid, ends from access where revoked is null
          union all select t.aid, 't' || t.tag, a.ends from access_tags t
          join access a on a.aid = t.aid and a.id = t.access_id where a.revoked is null) as counted
        group by aid, scope`,

      // Triggers do this, so that no code path can forget it, nor an older Gatehouse version that still runs
      // alongside this one.
      ...createTrigger(
        'access_counted',
        'after insert on access',
        'new.revoked is null',
        `${CHANGE} values (new.aid, 'r' || new.rid, new.ends, new.id, 1)`,
      ),
      ...createTrigger(
        'access_recounted',
        'after update of id, aid, rid, ends, revoked on access',
        `old.id <> new.id or old.aid <> new.aid or old.rid <> new.rid or old.ends <> new.ends
          or (old.revoked is null) <> (new.revoked is null)`,
        `${CHANGE} ${recordCounts('old', -1)} union all ${recordCounts('new', 1)}`,
      ),
      ...createTrigger(
        'access_discounted',
        'after delete on access',
        'old.revoked is null',
        `${CHANGE} ${recordCounts('old', -1)}`,
      ),
      ...createTrigger(
        'access_tags_counted',
        'after insert on access_tags',
        'true',
        `${CHANGE} ${tagCounts('new', 1)}`,
      ),
      ...createTrigger(
        'access_tags_recounted',
        'after update of aid, tag, access_id on access_tags',
        'true',
        `${CHANGE} ${tagCounts('old', -1)} union all ${tagCounts('new', 1)}`,
      ),
      ...createTrigger(
        'access_tags_discounted',
        'after delete on access_tags',
        'true',
        `${CHANGE} ${tagCounts('old', -1)}`,
      ),
      // A tag row carries the creation time of its record, which never changes.
      {
        postgres: `create function access_tags_dated() returns trigger language plpgsql
          set search_path from current as $$ begin
            new.created := coalesce((select a.created from access a
              where a.aid = new.aid and a.id = new.access_id), 0);
            return new;
          end $$`,
      },
      {
        sqlite: `create trigger access_tags_dated after insert on access_tags begin
            update access_tags set created = coalesce((select a.created from access a
              where a.aid = new.aid and a.id = new.access_id), 0)
            where aid = new.aid and tag = new.tag and access_id = new.access_id;
          end`,
        postgres: `create trigger access_tags_dated before insert on access_tags
          for each row execute function access_tags_dated()`,
      },
    ],
  },
  {
    name: '0005_checks',
    statements: [
      // An access check names a reference, and most records can be found directly by the one they store.
      `create index access_by_ref on access (aid, user_ref, rid) where revoked is null`,
      // uid before rid: with rid first, the many keys of one resource would differ only in their last bytes.
      `drop index access_one_unrevoked`,
      `create unique index access_one_unrevoked on access (aid, uid, rid) where revoked is null`,
    ],
  },
  {
    name: '0006_lists',
    statements: [
      `alter table resources add column description TEXT not null default ''`,
      `alter table resources add column image TEXT not null default ''`,
      `alter table resources add column archived INT`,
      // For lists of people and of revoked access, in display order.
      {
        sqlite: `create index users_newest on users (aid, created desc, uid, erased)
          where erased is null`,
        postgres: `create index users_newest on users (aid, created desc, uid) where erased is null`,
      },
      `create index users_first_name on users (aid, first_name) where first_name <> ''`,
      `create index users_last_name on users (aid, last_name) where last_name <> ''`,
      `create index access_revoked on access (aid, revoked desc, id) where revoked is not null`,
      // For counts by day, answered from the index alone.
      `create index history_by_day on history (aid, action, at)
        where action in ('granted', 'revoked')`,
      `create index refunds_search on refunds (aid, created desc, id)`,
    ],
  },
  {
    name: '0007_lists_by_index',
    statements: [
      // Days are now counted from the records themselves.
      `drop index history_by_day`,
      // The first index serves the list of mails, newest first. The second finds mails by a typed address.
      `create index outbox_newest on outbox (aid, created desc, id)`,
      `create index outbox_recipient on outbox (aid, lower(recipient))`,
    ],
  },
  {
    name: '0008_aliases',
    statements: [
      // The slow statements run first, with locks that don't block readers.
      {
        sqlite: aliasesOfMerged(`json_extract(h.after, '$.uid')`),
        postgres: aliasesOfMerged(`h.after::json ->> 'uid'`),
      },
      // Purchase links with the uid of a removed user have left such references behind.
      `update access set user_ref = null where user_ref is not null and not exists (
        select 1 from user_refs r
        where r.aid = access.aid and r.ref = access.user_ref and r.uid = access.uid)`,
      { postgres: `create unique index user_refs_owner on user_refs (aid, ref, uid)` },
      {
        postgres: `alter table access add constraint access_shows_own_ref
          foreign key (aid, user_ref, uid) references user_refs (aid, ref, uid)
          deferrable initially deferred not valid`,
      },
      { postgres: `alter table access validate constraint access_shows_own_ref` },
      refusing('access_ref_given', 'insert on access', SHOWS_ANOTHERS_REF),
      refusing('access_ref_changed', 'update of aid, uid, user_ref on access', SHOWS_ANOTHERS_REF),
      refusing('user_refs_deleted', 'delete on user_refs', IS_SHOWN),
      refusing(
        'user_refs_moved',
        'update of aid, ref, uid on user_refs',
        `(old.aid <> new.aid or old.ref <> new.ref or old.uid <> new.uid) and ${IS_SHOWN}`,
      ),
      `alter table sources add column remaining INT`,
      `alter table user_refs add column alias INT not null default 0`,
      // A reference never equals a uid, so the rows that do were inserted above.
      `update user_refs set alias = 1 where exists (select 1 from users u
        where u.aid = user_refs.aid and u.uid = user_refs.ref)`,
    ],
  },
  {
    name: '0009_erasure',
    statements: [
      // The work that remains after an erasure; the row is deleted when it is done.
      `create table erasures (
        aid TEXT not null,
        uid TEXT not null,
        created INT not null,
        due INT not null,
        attempts INT not null,
        scrubbed INT not null,
        primary key (aid, uid),
        foreign key (aid, uid) references users (aid, uid)
      )`,
      `create index erasures_due on erasures (due)`,
      // People erased before this migration kept their tags.
      `insert into erasures (aid, uid, created, due, attempts, scrubbed)
        select u.aid, u.uid, 0, 0, 0, 0 from users u where u.erased is not null
        and not exists (select 1 from history h
          where h.aid = u.aid and h.uid = u.uid and h.action = 'user merged away')`,
      // An expired checkout with a `due` time still has an open page at the provider that must be closed.
      `create index checkouts_closing on checkouts (due)
        where status = 'expired' and due is not null`,
    ],
  },
  {
    name: '0010_reconciliation',
    statements: [
      // Differences between the provider's ledger and ours that only staff can resolve. There is no foreign key to
      // applications: the charge may belong to one that was lost in a restore.
      `create table reconciliation_findings (
        id TEXT primary key,
        kind TEXT not null,
        subject TEXT not null,
        message TEXT not null,
        aid TEXT,
        payment_id TEXT,
        provider_ref TEXT,
        amount INT,
        currency TEXT,
        at INT not null,
        found INT not null,
        dismissed INT,
        unique (kind, subject)
      )`,
    ],
  },
  {
    name: '0011_trials',
    statements: [
      // Keyed digests of the addresses and cards that had a trial. They identify nobody, so they are kept when
      // a person is erased. The primary key decides between two trials that begin concurrently.
      `create table trials (
        aid TEXT not null references applications (aid),
        rid TEXT not null,
        kind TEXT not null,
        mark TEXT not null,
        created INT not null,
        primary key (aid, rid, kind, mark)
      )`,
      `alter table checkouts add column refusal TEXT`,
      `alter table checkouts add column page_ends INT`,
      // `due` is later than the creation of the page, which lives for less than a day.
      `update checkouts set page_ends = due + 86400000 where due is not null`,
      // A link whose trial was refused can still be used to buy without a trial.
      `drop index checkouts_one_per_link`,
      `create unique index checkouts_one_per_link on checkouts (link_mark)
        where status = 'paid' and link_mark is not null
        and (refusal is null or refusal <> 'trial_used')`,
    ],
  },
  aidKeys,
  selling,
  figures,
  notes,
  passes,
  notices,
  refusedChecks,
  webhooks,
  events,
  handledRequests,
  revenueChanges,
  silentChanges,
  mailPriority,
  failedMails,
  unpaidCheckouts,
  formerAddresses,
  newestFirst,
  linkNumbers,
  linkKeys,
  refusedOrders,
  providerCalls,
  partialDisputes,
]

export const controlMigrations: readonly Migration[] = [
  {
    name: '0001_aids',
    statements: [
      `create table meta (
        name TEXT primary key,
        value TEXT not null
      )`,
      `create table aids (
        aid TEXT primary key,
        environment TEXT not null
      )`,
    ],
  },
  {
    name: '0002_staff',
    statements: [
      `create table staff (
        id TEXT primary key,
        email TEXT not null,
        email_key TEXT not null unique,
        name TEXT not null,
        role TEXT not null,
        password TEXT,
        created_at INT not null,
        disabled_at INT
      )`,
      `create table staff_sessions (
        token_digest TEXT primary key,
        id TEXT not null unique,
        staff_id TEXT not null references staff (id),
        created_at INT not null,
        seen_at INT not null,
        ends_at INT not null,
        agent TEXT not null
      )`,
      `create index staff_sessions_staff on staff_sessions (staff_id)`,
      `create table staff_links (
        token_digest TEXT primary key,
        kind TEXT not null,
        email TEXT,
        email_key TEXT,
        role TEXT not null,
        staff_id TEXT references staff (id),
        created_at INT not null,
        ends_at INT not null,
        used_at INT
      )`,
      `create table staff_passkeys (
        id TEXT primary key,
        credential_id TEXT not null unique,
        staff_id TEXT not null references staff (id),
        public_key TEXT not null,
        counter INT not null,
        transports TEXT not null,
        name TEXT not null,
        created_at INT not null,
        used_at INT
      )`,
      `create index staff_passkeys_staff on staff_passkeys (staff_id)`,
      // Each challenge is valid for one response of an authenticator.
      `create table staff_challenges (
        digest TEXT primary key,
        staff_id TEXT references staff (id),
        ends_at INT not null
      )`,
      // Failed sign-ins per account, address or browser since the start of a time window.
      `create table staff_tries (
        subject TEXT primary key,
        begun_at INT not null,
        tries INT not null
      )`,
      `create index staff_tries_begun on staff_tries (begun_at)`,
      // No foreign key to staff: the entries outlive the member.
      `create table audit (
        seq SERIAL,
        at INT not null,
        staff_id TEXT,
        email TEXT not null,
        environment TEXT,
        aid TEXT,
        action TEXT not null,
        params TEXT not null,
        details TEXT not null,
        outcome TEXT not null
      )`,
      `create index audit_staff on audit (staff_id, seq)`,
      `create index audit_aid on audit (aid, seq)`,
    ],
  },
  {
    name: '0003_calls',
    statements: [
      // In the control database, because writing to an environment would invalidate its lookup cache.
      `create table refused_calls (
        id TEXT primary key,
        aid TEXT not null references aids (aid),
        at INT not null,
        method TEXT not null,
        route TEXT not null,
        status INT not null,
        reason TEXT not null,
        parameter TEXT,
        key_id TEXT
      )`,
      `create index refused_calls_aid on refused_calls (aid, at desc, id desc)`,
      `create table key_uses (
        key_id TEXT primary key,
        day INT not null
      )`,
    ],
  },
  {
    name: '0004_invitations',
    statements: [
      // An owner who is demoted or disabled loses the links they have open. Null: made on the command line.
      `alter table staff_links add column made_by TEXT references staff (id)`,
    ],
  },
  savedViews,
  staffMail,
  applicationPairs,
  managementTokens,
  sessionConfirmations,
  passkeyOnly,
  suspendedTokens,
  auditOrigins,
  passkeyHosts,
]
