-- control
CREATE TABLE aids (
  aid text primary key,
  environment text not null
) strict;
CREATE TABLE meta (
  name text primary key,
  value text not null
) strict;
CREATE TABLE migrations (name text primary key, applied bigint not null);
-- production and sandbox
CREATE TABLE access (
  id text primary key,
  aid text not null,
  rid text not null,
  uid text not null,
  user_ref text,
  amount integer not null,
  currency text,
  created integer not null,
  ends integer not null,
  revoked integer,
  tags text not null,
  unique (aid, id),
  foreign key (aid, rid) references resources (aid, rid),
  foreign key (aid, uid) references users (aid, uid)
) strict;
CREATE INDEX access_by_user on access (aid, uid, created desc, id);
CREATE UNIQUE INDEX access_one_unrevoked on access (aid, rid, uid) where revoked is null;
CREATE INDEX access_search on access (aid, created desc, id) where revoked is null;
CREATE INDEX access_search_rid on access (aid, rid, created desc, id) where revoked is null;
CREATE TABLE access_tags (
  aid text not null,
  tag text not null,
  access_id text not null,
  primary key (aid, tag, access_id),
  foreign key (aid, access_id) references access (aid, id)
) strict;
CREATE INDEX access_tags_access on access_tags (aid, access_id);
CREATE TABLE application_keys (
  id text primary key,
  aid text not null references applications (aid),
  sealed text not null,
  created integer not null,
  dies integer
) strict;
CREATE INDEX application_keys_aid on application_keys (aid);
CREATE TABLE applications (
  aid text primary key,
  name text not null,
  currency text not null,
  mail_from text,
  mail_template text,
  created integer not null,
  archived integer
) strict;
CREATE TABLE history (
  seq integer primary key,
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
) strict;
CREATE INDEX history_access on history (aid, access_id, seq);
CREATE INDEX history_user on history (aid, uid, seq);
CREATE TABLE meta (
  name text primary key,
  value text not null
) strict;
CREATE TABLE migrations (name text primary key, applied bigint not null);
CREATE TABLE outbox (
  id text primary key,
  key text not null unique,
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
  sent integer
) strict;
CREATE INDEX outbox_due on outbox (due) where status in ('queued', 'sending');
CREATE INDEX outbox_given_up on outbox (aid) where status = 'dead' and recipient <> '';
CREATE INDEX outbox_user on outbox (aid, uid);
CREATE TABLE resources (
  aid text not null references applications (aid),
  rid text not null,
  name text not null,
  url text not null,
  created integer not null,
  primary key (aid, rid)
) strict;
CREATE TABLE sources (
  id text primary key,
  aid text not null,
  access_id text not null,
  kind text not null,
  created integer not null,
  ends integer not null,
  closed integer,
  revision integer not null,
  message_digest text not null,
  notified integer not null,
  foreign key (aid, access_id) references access (aid, id)
) strict;
CREATE INDEX sources_access on sources (aid, access_id);
CREATE UNIQUE INDEX sources_one_open_grant on sources (access_id)
  where kind = 'grant' and closed is null;
CREATE TABLE user_refs (
  aid text not null,
  ref text not null,
  uid text not null,
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
  erased integer,
  primary key (aid, uid)
) strict;
CREATE UNIQUE INDEX users_email on users (aid, email_key);
