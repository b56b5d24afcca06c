import type { Migration } from '../migrations.ts'

/** Webhook endpoints, their secrets, and the deliveries of events to them. */
export const webhooks: Migration = {
  name: '0019_webhooks',
  statements: [
    `create table webhook_endpoints (
      aid TEXT not null references applications (aid),
      id TEXT not null,
      url TEXT not null,
      types TEXT not null,
      version TEXT not null,
      description TEXT not null,
      state TEXT not null,
      position INT not null,
      resume_at INT not null,
      probes INT not null,
      failures INT not null,
      failing_since INT,
      last_success INT,
      last_failure INT,
      last_error TEXT,
      notified INT not null,
      off_at INT,
      off_reason TEXT,
      missed_from INT,
      missed_to INT,
      created INT not null,
      primary key (aid, id)
    )`,
    // Two at most are live: during a rotation, both sign.
    `create table webhook_secrets (
      aid TEXT not null,
      id TEXT not null,
      endpoint TEXT not null,
      sealed TEXT not null,
      created INT not null,
      dies INT,
      primary key (aid, id),
      foreign key (aid, endpoint) references webhook_endpoints (aid, id)
    )`,
    `create index webhook_secrets_endpoint on webhook_secrets (aid, endpoint)`,
    // A replay is a second cursor: its events are admitted a window at a time, too.
    `create table webhook_replays (
      aid TEXT not null,
      id TEXT not null,
      endpoint TEXT not null,
      mode TEXT not null,
      from_time INT not null,
      to_time INT not null,
      position INT not null,
      end_position INT not null,
      admitted INT not null,
      actor TEXT not null,
      created INT not null,
      finished INT,
      primary key (aid, id),
      foreign key (aid, endpoint) references webhook_endpoints (aid, id)
    )`,
    `create index webhook_replays_open on webhook_replays (aid, endpoint) where finished is null`,
    `create table webhook_deliveries (
      aid TEXT not null,
      endpoint TEXT not null,
      event_id TEXT not null,
      position INT not null,
      uid TEXT,
      sequence INT,
      type TEXT not null,
      state TEXT not null,
      attempts INT not null,
      total_attempts INT not null,
      created INT not null,
      due INT not null,
      first_attempt INT,
      lease_token TEXT,
      lease_until INT,
      delivered INT,
      replay TEXT,
      primary key (aid, endpoint, event_id),
      foreign key (aid, endpoint) references webhook_endpoints (aid, id)
    )`,
    // Claims look only at open deliveries, however many are kept for staff to read.
    `create index webhook_deliveries_due on webhook_deliveries (aid, endpoint, due, position)
      where state in ('pending', 'sending')`,
    `create index webhook_deliveries_order on webhook_deliveries (aid, endpoint, uid, sequence)
      where state in ('pending', 'sending')`,
    `create index webhook_deliveries_newest on webhook_deliveries (aid, endpoint, position desc)`,
    `create index webhook_deliveries_event on webhook_deliveries (aid, event_id)`,
    `create index webhook_deliveries_user on webhook_deliveries (aid, uid)`,
    `create index webhook_deliveries_by_position on webhook_deliveries (aid, position)`,
    `create table webhook_attempts (
      aid TEXT not null,
      endpoint TEXT not null,
      event_id TEXT not null,
      number INT not null,
      at INT not null,
      url TEXT not null,
      duration_ms INT not null,
      status INT,
      error TEXT,
      response TEXT,
      primary key (aid, endpoint, event_id, number),
      foreign key (aid, endpoint, event_id)
        references webhook_deliveries (aid, endpoint, event_id)
    )`,
  ],
}
