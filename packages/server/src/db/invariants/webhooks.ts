import { sql } from 'kysely'

/** The rules of webhooks: each query finds the rows that break its rule. */
export const webhookRules = () => ({
  'a webhook endpoint is in a known state, and says when and why it is off': sql`
    select aid, id from webhook_endpoints
    where state not in ('on', 'failing', 'off', 'disabled')
      or (state in ('off', 'disabled')) <> (off_at is not null)
      or (state = 'off') <> (off_reason is not null)
      or (state in ('off', 'disabled') and missed_from is null)
      or (state = 'failing' and (failing_since is null or failures < 1))
      or (failing_since is null) <> (failures = 0)`,
  'a webhook endpoint is not ahead of the events': sql`
    select e.aid, e.id from webhook_endpoints e left join event_counters c on c.aid = e.aid
    where e.position > coalesce(c.position, 0)`,
  // Without one, nothing could be signed.
  'a webhook endpoint has one secret that does not end, and two at most': sql`
    select e.aid, e.id from webhook_endpoints e
    where (select count(*) from webhook_secrets s
      where s.aid = e.aid and s.endpoint = e.id and s.dies is null) <> 1`,
  'a webhook delivery waits, is being sent under a lease, or has ended': sql`
    select aid, endpoint, event_id from webhook_deliveries
    where state not in ('pending', 'sending', 'delivered', 'failed')
      or (state = 'sending') <> (lease_token is not null)
      or (lease_token is null) <> (lease_until is null)
      or (state = 'delivered' and delivered is null)
      or attempts < 0 or attempts > total_attempts
      or (attempts = 0) <> (first_attempt is null)`,
  'nothing waits for a webhook endpoint that is off': sql`
    select d.aid, d.endpoint, d.event_id from webhook_deliveries d
    join webhook_endpoints e on e.aid = d.aid and e.id = d.endpoint
    where d.state in ('pending', 'sending') and e.state in ('off', 'disabled')`,
  'a webhook delivery is of an event that its endpoint has come to': sql`
    select d.aid, d.endpoint, d.event_id from webhook_deliveries d
    join webhook_endpoints e on e.aid = d.aid and e.id = d.endpoint
    where d.position > e.position and d.replay is null`,
  'a delivered webhook has an attempt that succeeded': sql`
    select d.aid, d.endpoint, d.event_id from webhook_deliveries d
    where d.state = 'delivered' and not exists (select 1 from webhook_attempts a
      where a.aid = d.aid and a.endpoint = d.endpoint and a.event_id = d.event_id
        and a.error is null and a.status between 200 and 299)`,
  'the attempts of a webhook are counted': sql`
    select a.aid, a.endpoint, a.event_id, a.number from webhook_attempts a
    join webhook_deliveries d
      on d.aid = a.aid and d.endpoint = a.endpoint and d.event_id = a.event_id
    where a.number > d.total_attempts or a.number < 1 or length(a.response) > 2048`,
})
