/**
 * Statements are written once for both engines, in capitals where the engines differ:
 * TEXT is compared by bytes, INT has 64 bits, SERIAL is a primary key that counts up by itself
 * (`dialectOf` in migrate.ts spells them out). A migration that has landed is never edited.
 */
export interface Migration {
  name: string
  statements: readonly string[]
}

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

      // unique (aid, id) lets tags and sources join on both, so that none can hang on the row of
      // another application.
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
      // One index for each way to page through a search, in the order of its answer.
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
      // The worker looks only at what is not done: done mails never slow it down.
      `create index outbox_due on outbox (due) where status in ('queued', 'sending')`,
      `create index outbox_given_up on outbox (aid) where status = 'dead' and recipient <> ''`,
      `create index outbox_user on outbox (aid, uid)`,
    ],
  },
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
]
