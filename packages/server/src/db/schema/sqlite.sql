-- control
CREATE TABLE aids (
  aid text primary key,
  environment text not null
) strict;
CREATE TABLE application_pairs (
production_aid text primary key references aids (aid),
sandbox_aid text not null references aids (aid),
created_at integer not null
    ) strict;
CREATE UNIQUE INDEX application_pairs_sandbox on application_pairs (sandbox_aid);
CREATE TABLE audit (
  seq integer primary key,
  at integer not null,
  staff_id text,
  email text not null,
  environment text,
  aid text,
  action text not null,
  params text not null,
  details text not null,
  outcome text not null
, token_id text, address text, agent text, session_id text, os_user text) strict;
CREATE INDEX audit_action on audit (action, seq);
CREATE INDEX audit_aid on audit (aid, seq);
CREATE INDEX audit_at on audit (at);
CREATE INDEX audit_staff on audit (staff_id, seq);
CREATE INDEX audit_token on audit (token_id, seq);
CREATE TABLE key_uses (
  key_id text primary key,
  day integer not null
) strict;
CREATE TABLE management_tokens (
id text primary key,
digest text not null,
start text not null,
name text not null,
role text not null check (role in ('developer', 'support', 'reader')),
aid text references aids (aid),
made_by text references staff (id),
created_at integer not null,
ends_at integer,
used_at integer,
revoked_at integer
    , suspended_at integer) strict;
CREATE UNIQUE INDEX management_tokens_digest on management_tokens (digest);
CREATE TABLE meta (
  name text primary key,
  value text not null
) strict;
CREATE TABLE migrations (name text primary key, applied bigint not null);
CREATE TABLE refused_calls (
  id text primary key,
  aid text not null references aids (aid),
  at integer not null,
  method text not null,
  route text not null,
  status integer not null,
  reason text not null,
  parameter text,
  key_id text
) strict;
CREATE INDEX refused_calls_aid on refused_calls (aid, at desc, id desc);
CREATE TABLE saved_views (
id text primary key,
staff_id text not null references staff (id),
aid text not null references aids (aid),
list text not null,
name text not null,
search text not null,
is_default integer not null,
created_at integer not null
    ) strict;
CREATE INDEX saved_views_aid on saved_views (aid);
CREATE UNIQUE INDEX saved_views_default on saved_views (staff_id, aid, list)
where is_default = 1;
CREATE UNIQUE INDEX saved_views_name on saved_views (staff_id, aid, list, name);
CREATE TABLE staff (
  id text primary key,
  email text not null,
  email_key text not null unique,
  name text not null,
  role text not null,
  password text,
  created_at integer not null,
  disabled_at integer
, passkey_only integer not null default 0) strict;
CREATE TABLE staff_challenges (
  digest text primary key,
  staff_id text references staff (id),
  ends_at integer not null
) strict;
CREATE TABLE staff_digests (
aid text primary key references aids (aid),
day text not null
    ) strict;
CREATE TABLE staff_links (
  token_digest text primary key,
  kind text not null,
  email text,
  email_key text,
  role text not null,
  staff_id text references staff (id),
  created_at integer not null,
  ends_at integer not null,
  used_at integer
, made_by text references staff (id), asked_for integer not null default 0) strict;
CREATE TABLE staff_mails (
id text primary key,
key text not null unique,
kind text not null,
staff_id text references staff (id),
aid text references aids (aid),
link_digest text,
payload text not null,
status text not null,
attempts integer not null,
created_at integer not null,
due_at integer not null,
lease_token text,
lease_until integer,
last_error text,
sent_at integer
    ) strict;
CREATE INDEX staff_mails_application on staff_mails (aid, kind, created_at);
CREATE INDEX staff_mails_link on staff_mails (link_digest) where link_digest is not null;
CREATE INDEX staff_mails_open on staff_mails (due_at) where status in ('queued', 'sending');
CREATE TABLE staff_notifications (
staff_id text not null references staff (id),
aid text not null references aids (aid),
kind text not null,
is_on integer not null,
primary key (staff_id, aid, kind)
    ) strict;
CREATE INDEX staff_notifications_aid on staff_notifications (aid);
CREATE TABLE staff_passkeys (
  id text primary key,
  credential_id text not null unique,
  staff_id text not null references staff (id),
  public_key text not null,
  counter integer not null,
  transports text not null,
  name text not null,
  created_at integer not null,
  used_at integer
, host text not null default '') strict;
CREATE INDEX staff_passkeys_staff on staff_passkeys (staff_id);
CREATE TABLE staff_sessions (
  token_digest text primary key,
  id text not null unique,
  staff_id text not null references staff (id),
  created_at integer not null,
  seen_at integer not null,
  ends_at integer not null,
  agent text not null
, confirmed_at integer not null default 0) strict;
CREATE INDEX staff_sessions_staff on staff_sessions (staff_id);
CREATE TABLE staff_tries (
  subject text primary key,
  begun_at integer not null,
  tries integer not null
) strict;
CREATE INDEX staff_tries_begun on staff_tries (begun_at);
-- production and sandbox
CREATE TRIGGER access_counted after insert on access when new.revoked is null begin insert into access_changes (aid, scope, ends, access_id, n) values (new.aid, 'r' || new.rid, new.ends, new.id, 1); end;
CREATE TRIGGER access_discounted after delete on access when old.revoked is null begin insert into access_changes (aid, scope, ends, access_id, n) 
  select old.aid, 'r' || old.rid, old.ends, old.id, -1 where old.revoked is null
  union all select t.aid, 't' || t.tag, old.ends, old.id, -1 from access_tags t
  where t.aid = old.aid and t.access_id = old.id and old.revoked is null; end;
CREATE TRIGGER access_recounted after update of id, aid, rid, ends, revoked on access when old.id <> new.id or old.aid <> new.aid or old.rid <> new.rid or old.ends <> new.ends
    or (old.revoked is null) <> (new.revoked is null) begin insert into access_changes (aid, scope, ends, access_id, n) 
  select old.aid, 'r' || old.rid, old.ends, old.id, -1 where old.revoked is null
  union all select t.aid, 't' || t.tag, old.ends, old.id, -1 from access_tags t
  where t.aid = old.aid and t.access_id = old.id and old.revoked is null union all 
  select new.aid, 'r' || new.rid, new.ends, new.id, 1 where new.revoked is null
  union all select t.aid, 't' || t.tag, new.ends, new.id, 1 from access_tags t
  where t.aid = new.aid and t.access_id = new.id and new.revoked is null; end;
CREATE TRIGGER access_ref_changed before update of aid, uid, user_ref on access when new.user_ref is not null and not exists (select 1 from user_refs r
  where r.aid = new.aid and r.ref = new.user_ref and r.uid = new.uid) begin
    select raise(abort, 'an access must show a reference of its own user'); end;
CREATE TRIGGER access_ref_given before insert on access when new.user_ref is not null and not exists (select 1 from user_refs r
  where r.aid = new.aid and r.ref = new.user_ref and r.uid = new.uid) begin
    select raise(abort, 'an access must show a reference of its own user'); end;
CREATE TABLE "access" (
  id text not null,
  aid text not null,
  rid text not null,
  uid text not null,
  user_ref text,
  amount integer not null,
  currency text,
  created integer not null,
  ends integer not null,
  revoked integer,
  tags text not null, end_told integer,
  foreign key (aid, rid) references resources (aid, rid),
  foreign key (aid, uid) references users (aid, uid),
  primary key (aid, id)
) strict;
CREATE INDEX access_by_ref on access (aid, user_ref, rid) where revoked is null;
CREATE INDEX access_by_user on access (aid, uid, created desc, id desc);
CREATE INDEX access_ends on access (aid, ends, id) where revoked is null and ends >= 0;
CREATE UNIQUE INDEX access_one_unrevoked on access (aid, uid, rid) where revoked is null;
CREATE INDEX access_revoked on access (aid, revoked desc, id desc) where revoked is not null;
CREATE INDEX access_revoked_created on access (aid, created desc, id desc) where revoked is not null;
CREATE INDEX access_search on access (aid, created desc, id desc, ends, revoked) where revoked is null;
CREATE INDEX access_search_rid on access (aid, rid, created desc, id desc, ends, revoked) where revoked is null;
CREATE INDEX access_untold_ends on access (aid, ends)
where revoked is null and ends < 253402300800 and (end_told is null or end_told <> ends);
CREATE TABLE access_changes (
  aid text not null,
  scope text not null,
  id text not null default (hex(randomblob(8))),
  ends integer not null,
  access_id text not null,
  n integer not null,
  primary key (aid, scope, id)
) without rowid, strict;
CREATE TABLE access_counts (
  aid text not null,
  scope text not null,
  all_n integer not null,
  live_n integer not null,
  primary key (aid, scope)
) strict;
CREATE INDEX access_counts_empty on access_counts (aid) where all_n = 0;
CREATE TRIGGER access_tags_counted after insert on access_tags when true begin insert into access_changes (aid, scope, ends, access_id, n) 
  select a.aid, 't' || new.tag, a.ends, a.id, 1 from access a
  where a.aid = new.aid and a.id = new.access_id and a.revoked is null; end;
CREATE TRIGGER access_tags_dated after insert on access_tags begin
      update access_tags set created = coalesce((select a.created from access a
        where a.aid = new.aid and a.id = new.access_id), 0)
      where aid = new.aid and tag = new.tag and access_id = new.access_id;
    end;
CREATE TRIGGER access_tags_discounted after delete on access_tags when true begin insert into access_changes (aid, scope, ends, access_id, n) 
  select a.aid, 't' || old.tag, a.ends, a.id, -1 from access a
  where a.aid = old.aid and a.id = old.access_id and a.revoked is null; end;
CREATE TRIGGER access_tags_recounted after update of aid, tag, access_id on access_tags when true begin insert into access_changes (aid, scope, ends, access_id, n) 
  select a.aid, 't' || old.tag, a.ends, a.id, -1 from access a
  where a.aid = old.aid and a.id = old.access_id and a.revoked is null union all 
  select a.aid, 't' || new.tag, a.ends, a.id, 1 from access a
  where a.aid = new.aid and a.id = new.access_id and a.revoked is null; end;
CREATE TABLE access_tags (
  aid text not null,
  tag text not null,
  access_id text not null, created integer not null default 0,
  primary key (aid, tag, access_id),
  foreign key (aid, access_id) references access (aid, id)
) strict;
CREATE INDEX access_tags_access on access_tags (aid, access_id, tag);
CREATE INDEX access_tags_search on access_tags (aid, tag, created desc, access_id desc);
CREATE TABLE access_watermarks (
aid text primary key,
ends integer not null,
access_id text not null
    ) strict;
CREATE TABLE "application_keys" (
  id text not null,
  aid text not null references applications (aid),
  sealed text not null,
  created integer not null,
  dies integer,
  primary key (aid, id)
) strict;
CREATE TABLE applications (
  aid text primary key,
  name text not null,
  currency text not null,
  mail_from text,
  mail_template text,
  created integer not null,
  archived integer
, seller_name text, seller_address text, tax_line text, return_urls text not null default '[]', grace_days integer not null default 7, logo_id text, accent text, support_email text, legal_links text not null default '{}', mail_templates text not null default '{}', time_zone text not null default 'UTC', require_ts integer not null default 0) strict;
CREATE TABLE "checkouts" (
  id text not null,
  aid text not null references applications (aid),
  rid text not null,
  purpose text not null,
  resource_name text,
  resource_url text,
  amount integer not null,
  currency text not null,
  recurring integer not null,
  period text,
  trial_days integer not null,
  user_ref text,
  vouched_email text,
  typed_email text,
  first_name text not null,
  last_name text not null,
  return_url text,
  key_mark text,
  link_mark text,
  subscription_id text,
  uid text,
  payment_id text not null,
  provider text not null,
  provider_ref text,
  status text not null,
  created integer not null,
  expires integer not null,
  paid integer,
  due integer
, refusal text, page_ends integer, link_number integer not null default 0,
  primary key (aid, id),
  unique (aid, payment_id)
) strict;
CREATE INDEX checkouts_by_user on checkouts (aid, uid) where uid is not null;
CREATE INDEX checkouts_closing on checkouts (aid, due) where status = 'expired' and due is not null;
CREATE INDEX checkouts_due on checkouts (aid, due) where status = 'open';
CREATE INDEX checkouts_expired on checkouts (aid, expires) where status = 'expired';
CREATE UNIQUE INDEX checkouts_one_per_link on checkouts (aid, link_mark) where status = 'paid' and link_mark is not null
    and (refusal is null or refusal <> 'trial_used');
CREATE INDEX checkouts_unpaid_ref on checkouts (aid, user_ref) where status <> 'paid' and user_ref is not null;
CREATE INDEX checkouts_unpaid_subscription on checkouts (aid, subscription_id) where status <> 'paid' and subscription_id is not null;
CREATE INDEX checkouts_unpaid_typed on checkouts (aid, (case
  when ltrim(lower(typed_email), 'abcdefghijklmnopqrstuvwxyz0123456789@._+-') = ''
  then lower(typed_email) else '' end)) where status <> 'paid' and typed_email is not null;
CREATE INDEX checkouts_unpaid_vouched on checkouts (aid, (case
  when ltrim(lower(vouched_email), 'abcdefghijklmnopqrstuvwxyz0123456789@._+-') = ''
  then lower(vouched_email) else '' end)) where status <> 'paid' and vouched_email is not null;
CREATE TABLE "deliveries" (
  id text not null,
  aid text not null,
  rid text not null,
  download_id text not null,
  link text not null,
  uid text,
  at integer not null,
  answers integer not null,
  bytes integer not null,
  outcome text not null,
  foreign key (aid, rid) references resources (aid, rid),
  foreign key (aid, uid) references users (aid, uid),
  primary key (aid, id)
) strict;
CREATE INDEX deliveries_by_user on deliveries (aid, uid, at desc, id)
  where uid is not null;
CREATE INDEX deliveries_search on deliveries (aid, at desc, id);
CREATE INDEX deliveries_search_rid on deliveries (aid, rid, at desc, id);
CREATE TABLE "download_uses" (
  link text not null,
  number integer not null,
  most integer not null,
  aid text not null references applications (aid),
  opened integer not null,
  ends integer not null,
  primary key (aid, link, number)
) strict;
CREATE INDEX download_uses_ends on download_uses (aid, ends);
CREATE TABLE "downloads" (
  id text not null,
  aid text not null,
  rid text not null,
  title text not null,
  description text not null,
  image text not null,
  file_id text not null,
  file_name text not null,
  type text not null,
  filed integer not null,
  created integer not null,
  modified integer not null,
  published integer, image_id text, position integer not null default 0,
  foreign key (aid, rid) references resources (aid, rid),
  primary key (aid, id),
  unique (aid, file_id),
  foreign key (aid, file_id) references files (aid, id)
) strict;
CREATE INDEX downloads_by_resource on downloads (aid, rid, position, id);
CREATE TABLE erasures (
  aid text not null,
  uid text not null,
  created integer not null,
  due integer not null,
  attempts integer not null,
  scrubbed integer not null,
  primary key (aid, uid),
  foreign key (aid, uid) references users (aid, uid)
) strict;
CREATE INDEX erasures_due on erasures (aid, due);
CREATE TABLE event_counters (
aid text primary key references applications (aid),
position integer not null,
swept integer not null
    ) strict;
CREATE TABLE event_sequences (
aid text not null references applications (aid),
uid text not null,
sequence integer not null, silent_at integer,
primary key (aid, uid)
    ) strict;
CREATE TABLE events (
aid text not null references applications (aid),
id text not null,
position integer,
uid text,
sequence integer,
type text not null,
at integer not null,
created integer not null,
body text not null,
primary key (aid, id),
unique (aid, position)
    ) strict;
CREATE UNIQUE INDEX events_of_reader on events (aid, uid, sequence);
CREATE TABLE "files" (
  id text not null,
  store text not null,
  sha256 text,
  size integer,
  created integer not null,
  dropped integer
, aid text not null references applications (aid),
  primary key (aid, id)
) strict;
CREATE INDEX files_by_content on files (sha256) where sha256 is not null;
CREATE INDEX files_dropped on files (aid, dropped) where dropped is not null;
CREATE TABLE former_addresses (
aid text not null,
email_key text not null,
email text not null,
uid text not null,
primary key (aid, email_key),
foreign key (aid, uid) references users (aid, uid)
    ) strict;
CREATE INDEX former_addresses_by_user on former_addresses (aid, uid);
CREATE TABLE handled_requests (
aid text not null references applications (aid),
digest text not null,
kind text not null,
content text not null,
uid text,
status integer,
body text,
lease_until integer,
ends integer not null,
primary key (aid, digest)
    ) strict;
CREATE INDEX handled_requests_by_end on handled_requests (aid, ends);
CREATE INDEX handled_requests_by_user on handled_requests (aid, uid) where uid is not null;
CREATE TABLE "history" (
  seq integer not null,
  aid text not null,
  uid text,
  rid text,
  access_id text,
  at integer not null,
  actor text not null,
  action text not null,
  before text,
  after text,
  mail_key text
, tie_breaker text not null default '',
  primary key (aid, seq, tie_breaker)
) strict, without rowid;
CREATE INDEX history_access on history (aid, access_id, seq);
CREATE INDEX history_user on history (aid, uid, seq);
CREATE TABLE images (
aid text not null references applications (aid),
id text not null,
type text not null,
width integer not null,
height integer not null,
sizes text not null,
created integer not null,
primary key (aid, id)
    ) strict;
CREATE TABLE link_keys (
version integer not null,
created integer not null,
ends integer
    ) strict;
CREATE UNIQUE INDEX link_keys_version on link_keys (version);
CREATE TABLE meta (
  name text primary key,
  value text not null
) strict;
CREATE TABLE migrations (name text primary key, applied bigint not null);
CREATE TABLE notes (
aid text not null,
id text not null,
uid text not null,
text text not null,
actor text not null,
created integer not null,
changed integer,
changed_by text,
primary key (aid, id),
foreign key (aid, uid) references users (aid, uid)
    ) strict;
CREATE INDEX notes_by_user on notes (aid, uid, created desc, id);
CREATE TABLE notices (
aid text not null references applications (aid),
id text not null,
kind text not null,
event text not null,
rid text not null,
subject_id text not null,
amount integer not null,
currency text not null,
at integer not null,
created integer not null,
bundle text,
primary key (aid, id)
    ) strict;
CREATE INDEX notices_by_kind on notices (aid, kind, created);
CREATE TABLE "outbox" (
  id text not null,
  key text not null,
  aid text not null,
  uid text not null,
  kind text not null,
  recipient text not null,
  payload text not null,
  status text not null,
  attempts integer not null,
  created integer not null,
  due integer not null,
  lease_token text,
  lease_until integer,
  last_error text,
  sent integer, clock_offset integer not null default 0, priority integer not null default 0, link_number integer not null default 0,
  primary key (aid, id),
  unique (aid, key)
) strict;
CREATE INDEX outbox_due on outbox (aid, priority, due) where status in ('queued', 'sending');
CREATE INDEX outbox_given_up on outbox (aid, status, created desc, id)
where status = 'dead' and recipient <> '';
CREATE INDEX outbox_newest on outbox (aid, created desc, id);
CREATE INDEX outbox_recipient on outbox (aid, lower(recipient));
CREATE INDEX outbox_user on outbox (aid, uid);
CREATE TABLE pass_entries (
aid text not null,
size integer not null,
value text not null,
pass text not null,
primary key (aid, size, value, pass),
foreign key (aid, pass) references resources (aid, rid)
    ) strict;
CREATE INDEX pass_entries_by_pass on pass_entries (aid, pass, size, value);
CREATE TRIGGER payments_summed after insert on payments when new.status not in ('pending', 'failed') begin insert into revenue_changes (aid, currency, rid, at, taken, sales, refunded, lost) 
  select new.aid, new.currency, new.rid, coalesce(new.settled, new.created),
    1 * new.amount, 1, 0, 0 where new.status not in ('pending', 'failed')
  union all select new.aid, new.currency, new.rid,
    coalesce(new.lost, new.settled, new.created),
    0, 0, 0, 1 * case
  when new.lost_amount > new.amount - new.refunded then new.amount - new.refunded
  else new.lost_amount end where new.lost_amount > 0; end;
CREATE TRIGGER payments_summed_again after update of status, amount, refunded, settled, lost, lost_amount on payments when old.status <> new.status or coalesce(old.amount, -1) <> coalesce(new.amount, -1) or coalesce(old.refunded, -1) <> coalesce(new.refunded, -1) or coalesce(old.settled, -1) <> coalesce(new.settled, -1) or coalesce(old.lost, -1) <> coalesce(new.lost, -1) or coalesce(old.lost_amount, -1) <> coalesce(new.lost_amount, -1) begin insert into revenue_changes (aid, currency, rid, at, taken, sales, refunded, lost) 
  select old.aid, old.currency, old.rid, coalesce(old.settled, old.created),
    -1 * old.amount, -1, 0, 0 where old.status not in ('pending', 'failed')
  union all select old.aid, old.currency, old.rid,
    coalesce(old.lost, old.settled, old.created),
    0, 0, 0, -1 * case
  when old.lost_amount > old.amount - old.refunded then old.amount - old.refunded
  else old.lost_amount end where old.lost_amount > 0 union all 
  select new.aid, new.currency, new.rid, coalesce(new.settled, new.created),
    1 * new.amount, 1, 0, 0 where new.status not in ('pending', 'failed')
  union all select new.aid, new.currency, new.rid,
    coalesce(new.lost, new.settled, new.created),
    0, 0, 0, 1 * case
  when new.lost_amount > new.amount - new.refunded then new.amount - new.refunded
  else new.lost_amount end where new.lost_amount > 0; end;
CREATE TABLE "payments" (
  id text not null,
  aid text not null,
  rid text not null,
  uid text not null,
  access_id text,
  subscription_id text,
  checkout_id text,
  period_start integer,
  period_end integer,
  amount integer not null,
  refunded integer not null,
  currency text not null,
  provider text not null,
  provider_ref text,
  method text,
  status text not null,
  flag text,
  failure text,
  created integer not null,
  settled integer,
  attempts integer not null,
  due integer,
  lease_until integer, lost integer, refusals integer not null default 0, last_error text, deadline integer, lost_amount integer not null default 0, disputed_amount integer not null default 0, refundable_in_dispute integer not null default 0, access_left integer,
  foreign key (aid, rid) references resources (aid, rid),
  foreign key (aid, uid) references users (aid, uid),
  foreign key (aid, access_id) references access (aid, id),
  foreign key (aid, subscription_id) references subscriptions (aid, id),
  primary key (aid, id)
) strict;
CREATE INDEX payments_by_access on payments (aid, access_id) where access_id is not null;
CREATE INDEX payments_by_amount on payments (aid, currency, amount, id);
CREATE INDEX payments_by_subscription on payments (aid, subscription_id, created) where subscription_id is not null;
CREATE INDEX payments_by_user on payments (aid, uid, created desc, id desc);
CREATE UNIQUE INDEX payments_checkout on payments (aid, checkout_id) where checkout_id is not null;
CREATE INDEX payments_disputed on payments (aid, created desc, id desc) where status in ('disputed', 'lost');
CREATE INDEX payments_due on payments (aid, due) where status = 'pending';
CREATE INDEX payments_flagged on payments (aid, created desc, id desc) where flag is not null;
CREATE INDEX payments_lost on payments (aid, lost) where lost is not null;
CREATE UNIQUE INDEX payments_one_per_period on payments (aid, subscription_id, period_start)
    where status <> 'failed' and flag is null and subscription_id is not null;
CREATE UNIQUE INDEX payments_provider_ref on payments (aid, provider_ref, provider) where provider_ref is not null;
CREATE INDEX payments_search on payments (aid, created desc, id desc);
CREATE INDEX payments_search_rid on payments (aid, rid, created desc, id desc);
CREATE INDEX payments_taken on payments (aid, settled desc, id, currency, rid, amount)
where status not in ('pending', 'failed');
CREATE TABLE "prices" (
  id text not null,
  aid text not null,
  rid text not null,
  amount integer not null,
  currency text not null,
  recurring integer not null,
  period text,
  trial_days integer not null,
  created integer not null,
  archived integer,
  foreign key (aid, rid) references resources (aid, rid),
  primary key (aid, id)
) strict;
CREATE INDEX prices_resource on prices (aid, rid, created);
CREATE TABLE provider_calls (
day integer not null,
reads integer not null,
writes integer not null
    ) strict;
CREATE UNIQUE INDEX provider_calls_day on provider_calls (day);
CREATE TABLE provider_refs (
  provider text not null,
  ref text not null,
  aid text not null references applications (aid),
  payment_id text not null,
  primary key (provider, ref)
) strict;
CREATE TABLE reconciliation_findings (
  id text primary key,
  kind text not null,
  subject text not null,
  message text not null,
  aid text,
  payment_id text,
  provider_ref text,
  amount integer,
  currency text,
  at integer not null,
  found integer not null,
  dismissed integer,
  unique (kind, subject)
) strict;
CREATE TRIGGER refunds_summed after insert on refunds when new.status = 'succeeded' begin insert into revenue_changes (aid, currency, rid, at, taken, sales, refunded, lost) 
  select p.aid, p.currency, p.rid, coalesce(new.settled, new.created),
    0, 0, 1 * new.amount, 0
  from payments p where p.aid = new.aid and p.id = new.payment_id
    and new.status = 'succeeded'; end;
CREATE TRIGGER refunds_summed_again after update of status, amount, settled on refunds when old.status <> new.status or coalesce(old.amount, -1) <> coalesce(new.amount, -1) or coalesce(old.settled, -1) <> coalesce(new.settled, -1) begin insert into revenue_changes (aid, currency, rid, at, taken, sales, refunded, lost) 
  select p.aid, p.currency, p.rid, coalesce(old.settled, old.created),
    0, 0, -1 * old.amount, 0
  from payments p where p.aid = old.aid and p.id = old.payment_id
    and old.status = 'succeeded' union all 
  select p.aid, p.currency, p.rid, coalesce(new.settled, new.created),
    0, 0, 1 * new.amount, 0
  from payments p where p.aid = new.aid and p.id = new.payment_id
    and new.status = 'succeeded'; end;
CREATE TABLE "refunds" (
  id text not null,
  aid text not null,
  payment_id text not null,
  amount integer not null,
  currency text not null,
  status text not null,
  reason text,
  reference text,
  actor text not null,
  created integer not null,
  settled integer,
  provider_ref text,
  attempts integer not null,
  due integer,
  lease_until integer,
  last_error text, refusals integer not null default 0,
  unique (aid, payment_id, reference),
  foreign key (aid, payment_id) references payments (aid, id),
  primary key (aid, id)
) strict;
CREATE INDEX refunds_due on refunds (aid, due) where status = 'pending';
CREATE INDEX refunds_payment on refunds (aid, payment_id, created);
CREATE INDEX refunds_search on refunds (aid, created desc, id);
CREATE INDEX refunds_settled on refunds (aid, settled) where status = 'succeeded';
CREATE TABLE refused_checks (
aid text not null,
uid text not null,
rid text not null,
code text not null,
since integer,
via text,
first_at integer not null,
last_at integer not null,
times integer not null,
primary key (aid, uid, rid, code),
foreign key (aid, uid) references users (aid, uid)
    ) strict;
CREATE INDEX refused_checks_by_time on refused_checks (aid, last_at);
CREATE TABLE resources (
  aid text not null references applications (aid),
  rid text not null,
  name text not null,
  url text not null,
  created integer not null, description text not null default '', image text not null default '', archived integer, image_id text,
  primary key (aid, rid)
) strict;
CREATE TABLE revenue_changes (
  aid text not null,
  id text not null default (hex(randomblob(8))),
  currency text not null,
  rid text not null,
  at integer not null,
  taken integer not null,
  sales integer not null,
  refunded integer not null,
  lost integer not null,
  primary key (aid, id)
) without rowid, strict;
CREATE TABLE revenue_totals (
  aid text not null,
  currency text not null,
  size integer not null,
  at integer not null,
  rid text not null,
  taken integer not null,
  sales integer not null,
  refunded integer not null,
  lost integer not null,
  primary key (aid, currency, size, at, rid)
) without rowid, strict;
CREATE TABLE secrets (
  name text primary key,
  sealed text not null
) strict;
CREATE TABLE "sources" (
  id text not null,
  aid text not null,
  access_id text not null,
  kind text not null,
  created integer not null,
  ends integer not null,
  closed integer,
  revision integer not null,
  message_digest text not null,
  notified integer not null, starts integer, period text, payment_id text, subscription_id text, remaining integer,
  foreign key (aid, access_id) references access (aid, id),
  primary key (aid, id)
) strict;
CREATE INDEX sources_access on sources (aid, access_id);
CREATE UNIQUE INDEX sources_one_open_grant on sources (aid, access_id) where kind = 'grant' and closed is null;
CREATE UNIQUE INDEX sources_payment on sources (aid, payment_id) where payment_id is not null;
CREATE UNIQUE INDEX sources_subscription on sources (aid, subscription_id) where subscription_id is not null;
CREATE TABLE "subscriptions" (
  id text not null,
  aid text not null,
  rid text not null,
  uid text not null,
  access_id text not null,
  amount integer not null,
  currency text not null,
  period text not null,
  status text not null,
  created integer not null,
  trial_ends integer,
  anchor integer not null,
  periods integer not null,
  current_period_start integer not null,
  current_period_end integer not null,
  canceled integer,
  ended integer,
  next_due integer,
  next_step text,
  tries integer not null,
  provider text not null,
  method text,
  foreign key (aid, rid) references resources (aid, rid),
  foreign key (aid, uid) references users (aid, uid),
  foreign key (aid, access_id) references access (aid, id),
  primary key (aid, id)
) strict;
CREATE INDEX subscriptions_by_access on subscriptions (aid, access_id);
CREATE INDEX subscriptions_by_amount on subscriptions (aid, currency, amount, id);
CREATE INDEX subscriptions_by_period_end on subscriptions (aid, current_period_end, id);
CREATE INDEX subscriptions_by_user on subscriptions (aid, uid, created desc, id desc);
CREATE INDEX subscriptions_due on subscriptions (aid, next_due) where next_due is not null;
CREATE INDEX subscriptions_ended on subscriptions (aid, ended desc, id)
where ended is not null;
CREATE INDEX subscriptions_of_reader on subscriptions (aid, uid, rid,
created, trial_ends, periods, ended, id, currency, period, amount);
CREATE UNIQUE INDEX subscriptions_one_open on subscriptions (aid, rid, uid)
  where status <> 'ended';
CREATE INDEX subscriptions_past_due on subscriptions (aid, created desc, id desc) where status = 'past_due';
CREATE INDEX subscriptions_priced on subscriptions
(aid, currency, period, amount, created, trial_ends, periods, ended);
CREATE INDEX subscriptions_renewing on subscriptions (aid, access_id)
where status in ('trialing', 'active') and method is not null;
CREATE INDEX subscriptions_search on subscriptions (aid, created desc, id desc);
CREATE INDEX subscriptions_search_rid on subscriptions (aid, rid, created desc, id desc);
CREATE INDEX subscriptions_trials on subscriptions (aid, trial_ends)
where trial_ends is not null;
CREATE TABLE test_ledger (
  id text primary key,
  kind text not null,
  key text unique,
  card text not null,
  charge_id text,
  amount integer not null,
  currency text not null,
  status text not null,
  failure text,
  dispute text,
  tries integer not null,
  created integer not null
, disputed_amount integer) strict;
CREATE INDEX test_ledger_charge on test_ledger (charge_id) where charge_id is not null;
CREATE TABLE trials (
  aid text not null references applications (aid),
  rid text not null,
  kind text not null,
  mark text not null,
  created integer not null,
  primary key (aid, rid, kind, mark)
) strict;
CREATE TRIGGER user_refs_deleted before delete on user_refs when exists (select 1 from access a
  where a.aid = old.aid and a.uid = old.uid and a.user_ref = old.ref) begin
    select raise(abort, 'an access must show a reference of its own user'); end;
CREATE TRIGGER user_refs_moved before update of aid, ref, uid on user_refs when (old.aid <> new.aid or old.ref <> new.ref or old.uid <> new.uid) and exists (select 1 from access a
  where a.aid = old.aid and a.uid = old.uid and a.user_ref = old.ref) begin
    select raise(abort, 'an access must show a reference of its own user'); end;
CREATE TABLE user_refs (
  aid text not null,
  ref text not null,
  uid text not null, alias integer not null default 0,
  primary key (aid, ref),
  foreign key (aid, uid) references users (aid, uid)
) strict;
CREATE INDEX user_refs_uid on user_refs (aid, uid);
CREATE TABLE users (
  aid text not null references applications (aid),
  uid text not null,
  email text,
  email_key text,
  first_name text not null,
  last_name text not null,
  created integer not null,
  erased integer, contact_email text, link_number integer not null default 0,
  primary key (aid, uid)
) strict;
CREATE INDEX users_by_first_name on users (aid, first_name, uid) where first_name <> '';
CREATE INDEX users_by_last_name on users (aid, last_name, uid) where last_name <> '';
CREATE INDEX users_by_title on users (aid,
lower(coalesce(nullif(trim(first_name || ' ' || last_name), ''), email, contact_email, '')), uid);
CREATE UNIQUE INDEX users_email on users (aid, email_key);
CREATE INDEX users_newest on users (aid, created desc, uid, erased)
    where erased is null;
CREATE TABLE webhook_attempts (
aid text not null,
endpoint text not null,
event_id text not null,
number integer not null,
at integer not null,
url text not null,
duration_ms integer not null,
status integer,
error text,
response text,
primary key (aid, endpoint, event_id, number),
foreign key (aid, endpoint, event_id)
  references webhook_deliveries (aid, endpoint, event_id)
    ) strict;
CREATE TABLE webhook_deliveries (
aid text not null,
endpoint text not null,
event_id text not null,
position integer not null,
uid text,
sequence integer,
type text not null,
state text not null,
attempts integer not null,
total_attempts integer not null,
created integer not null,
due integer not null,
first_attempt integer,
lease_token text,
lease_until integer,
delivered integer,
replay text,
primary key (aid, endpoint, event_id),
foreign key (aid, endpoint) references webhook_endpoints (aid, id)
    ) strict;
CREATE INDEX webhook_deliveries_by_position on webhook_deliveries (aid, position);
CREATE INDEX webhook_deliveries_due on webhook_deliveries (aid, endpoint, due, position)
where state in ('pending', 'sending');
CREATE INDEX webhook_deliveries_event on webhook_deliveries (aid, event_id);
CREATE INDEX webhook_deliveries_newest on webhook_deliveries (aid, endpoint, position desc);
CREATE INDEX webhook_deliveries_order on webhook_deliveries (aid, endpoint, uid, sequence)
where state in ('pending', 'sending');
CREATE INDEX webhook_deliveries_user on webhook_deliveries (aid, uid);
CREATE TABLE webhook_endpoints (
aid text not null references applications (aid),
id text not null,
url text not null,
types text not null,
version text not null,
description text not null,
state text not null,
position integer not null,
resume_at integer not null,
probes integer not null,
failures integer not null,
failing_since integer,
last_success integer,
last_failure integer,
last_error text,
notified integer not null,
off_at integer,
off_reason text,
missed_from integer,
missed_to integer,
created integer not null,
primary key (aid, id)
    ) strict;
CREATE TABLE webhook_replays (
aid text not null,
id text not null,
endpoint text not null,
mode text not null,
from_time integer not null,
to_time integer not null,
position integer not null,
end_position integer not null,
admitted integer not null,
actor text not null,
created integer not null,
finished integer,
primary key (aid, id),
foreign key (aid, endpoint) references webhook_endpoints (aid, id)
    ) strict;
CREATE INDEX webhook_replays_open on webhook_replays (aid, endpoint) where finished is null;
CREATE TABLE webhook_secrets (
aid text not null,
id text not null,
endpoint text not null,
sealed text not null,
created integer not null,
dies integer,
primary key (aid, id),
foreign key (aid, endpoint) references webhook_endpoints (aid, id)
    ) strict;
CREATE INDEX webhook_secrets_endpoint on webhook_secrets (aid, endpoint);
