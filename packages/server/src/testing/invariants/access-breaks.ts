import type { Break } from './break.ts'

/** Breaks rules about people, their access, its history and mails, passes and keys. */
export const ACCESS_BREAKS: readonly Break[] = [
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
    rule: 'a former address names a user of its application who is not gone',
    break: `insert into former_addresses select aid, 'x@example.com', 'x@example.com', 'nobody'
      from applications limit 1`,
  },
  {
    rule: 'a former address names a user of its application who is not gone',
    before: `insert into former_addresses select aid, 'x@example.com', 'x@example.com', uid
      from users where email_key = 'bob@example.com'`,
    break: `update users set erased = created, email = null, email_key = null
      where email_key = 'bob@example.com'`,
  },
  {
    rule: 'a former address is not the address of its own user',
    break: `insert into former_addresses select aid, email_key, email, uid
      from users where email_key = 'bob@example.com'`,
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
    rule: 'an email or a checkout has no higher link number than its reader',
    break: `update outbox set link_number = 1`,
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
]
