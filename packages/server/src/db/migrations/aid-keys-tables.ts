/** An index by its name, and its columns with the rows that it covers. */
type Indexed = readonly [name: string, on: string]

/** A table whose keys and indexes get the application's id. */
export interface Rekeyed {
  table: string
  /** For SQLite: texts of the old definition, and what replaces each of them. */
  edits: readonly (readonly [from: string, to: string])[]
  /** The columns of the primary key. */
  key: string
  /** For PostgreSQL: constraints that are dropped first. */
  dropped?: readonly string[]
  /** Unique constraints, by name and columns. */
  unique?: readonly Indexed[]
  uniqueIndexes?: readonly Indexed[]
  indexes?: readonly Indexed[]
  removedIndexes?: readonly string[]
  /** For SQLite: constraints that are added at the end of the definition. */
  constraints?: readonly string[]
  /** For SQLite: rows are stored in the order of the primary key, which saves an index. */
  isOrderedByKey?: true
}

const ID = [['id text primary key', 'id text not null']] as const
/** Tables that other tables referred to by a second key. */
const SECOND_KEY = [...ID, ['unique (aid, id),', '']] as const

/** Each table comes after those that its rows refer to. */
export const TABLES: readonly Rekeyed[] = [
  {
    table: 'application_keys',
    edits: ID,
    key: 'aid, id',
    removedIndexes: ['application_keys_aid'],
  },
  {
    table: 'access',
    edits: SECOND_KEY,
    key: 'aid, id',
    dropped: ['access_aid_id_key'],
    // The condition on `ends` holds for every record. It keeps SQLite from choosing this index for a search, which
    // needs another order.
    indexes: [['access_ends', '(aid, ends, id) where revoked is null and ends >= 0']],
  },
  {
    table: 'sources',
    edits: ID,
    key: 'aid, id',
    uniqueIndexes: [
      ['sources_one_open_grant', `(aid, access_id) where kind = 'grant' and closed is null`],
      ['sources_payment', '(aid, payment_id) where payment_id is not null'],
      ['sources_subscription', '(aid, subscription_id) where subscription_id is not null'],
    ],
  },
  { table: 'prices', edits: ID, key: 'aid, id' },
  {
    table: 'subscriptions',
    edits: SECOND_KEY,
    key: 'aid, id',
    dropped: ['subscriptions_aid_id_key'],
    indexes: [
      ['subscriptions_by_access', '(aid, access_id)'],
      ['subscriptions_due', '(aid, next_due) where next_due is not null'],
    ],
  },
  {
    table: 'payments',
    edits: SECOND_KEY,
    key: 'aid, id',
    dropped: ['payments_aid_id_key'],
    uniqueIndexes: [
      ['payments_checkout', '(aid, checkout_id) where checkout_id is not null'],
      [
        'payments_one_per_period',
        `(aid, subscription_id, period_start)
          where status <> 'failed' and flag is null and subscription_id is not null`,
      ],
      ['payments_provider_ref', '(aid, provider_ref, provider) where provider_ref is not null'],
    ],
    indexes: [
      ['payments_by_access', '(aid, access_id) where access_id is not null'],
      [
        'payments_by_subscription',
        '(aid, subscription_id, created) where subscription_id is not null',
      ],
      ['payments_due', `(aid, due) where status = 'pending'`],
    ],
  },
  {
    table: 'refunds',
    edits: ID,
    key: 'aid, id',
    indexes: [
      ['refunds_due', `(aid, due) where status = 'pending'`],
      ['refunds_payment', '(aid, payment_id, created)'],
    ],
  },
  {
    table: 'checkouts',
    edits: [...ID, ['payment_id text not null unique', 'payment_id text not null']],
    key: 'aid, id',
    dropped: ['checkouts_payment_id_key'],
    unique: [['checkouts_payment_id_key', '(aid, payment_id)']],
    uniqueIndexes: [
      [
        'checkouts_one_per_link',
        `(aid, link_mark) where status = 'paid' and link_mark is not null
          and (refusal is null or refusal <> 'trial_used')`,
      ],
    ],
    indexes: [
      ['checkouts_closing', `(aid, due) where status = 'expired' and due is not null`],
      ['checkouts_due', `(aid, due) where status = 'open'`],
      ['checkouts_expired', `(aid, expires) where status = 'expired'`],
    ],
  },
  {
    table: 'files',
    edits: [...ID, ['aid text', 'aid text not null references applications (aid)']],
    key: 'aid, id',
    indexes: [['files_dropped', '(aid, dropped) where dropped is not null']],
  },
  {
    table: 'downloads',
    edits: [
      ...SECOND_KEY,
      ['file_id text not null unique references files (id)', 'file_id text not null'],
    ],
    key: 'aid, id',
    dropped: ['downloads_file_id_key', 'downloads_aid_id_key'],
    unique: [['downloads_file_id_key', '(aid, file_id)']],
    constraints: ['foreign key (aid, file_id) references files (aid, id)'],
  },
  {
    table: 'download_uses',
    edits: [['primary key (link, number)', '']],
    key: 'aid, link, number',
    indexes: [['download_uses_ends', '(aid, ends)']],
  },
  { table: 'deliveries', edits: ID, key: 'aid, id' },
  {
    table: 'outbox',
    edits: [...ID, ['key text not null unique', 'key text not null']],
    key: 'aid, id',
    dropped: ['outbox_key_key'],
    unique: [['outbox_key_key', '(aid, key)']],
    indexes: [['outbox_due', `(aid, due) where status in ('queued', 'sending')`]],
  },
  {
    table: 'history',
    edits: [['seq integer primary key', 'seq integer not null']],
    key: 'aid, seq, tie_breaker',
    isOrderedByKey: true,
  },
]

/** Foreign keys of PostgreSQL that refer to a key that is replaced. Those of `access_tags` and others keep their text
 * on SQLite, where they aren't tied to an index. */
export const FOREIGN_KEYS = [
  ['access_tags', 'access_tags_aid_access_id_fkey', '(aid, access_id) references access (aid, id)'],
  ['sources', 'sources_aid_access_id_fkey', '(aid, access_id) references access (aid, id)'],
  [
    'subscriptions',
    'subscriptions_aid_access_id_fkey',
    '(aid, access_id) references access (aid, id)',
  ],
  ['payments', 'payments_aid_access_id_fkey', '(aid, access_id) references access (aid, id)'],
  [
    'payments',
    'payments_aid_subscription_id_fkey',
    '(aid, subscription_id) references subscriptions (aid, id)',
  ],
  ['refunds', 'refunds_aid_payment_id_fkey', '(aid, payment_id) references payments (aid, id)'],
] as const
