import { FOREVER } from '../../packages/server/src/db/tables.ts'
import type { TestDatabase } from '../../packages/server/src/testing/databases.ts'

/**
 * The people of a publisher. Everything about a person follows from their number, by the same arithmetic in SQL and here,
 * so a test knows what a page has to show of anybody. The last digit of the number is the kind of the person:
 *
 * - 0, 1, 2: has a subscription; one in ten of 0 had one before, one in ten of 1 is in a trial, one in ten of 2 is past due
 * - 3: had a subscription
 * - 4, 5: bought an issue; one in ten of 5 got all money back and lost access, one in ten a part of it
 * - 6: was granted an issue; 7: until a day that is over; 8: lost it again; 9: until a day to come
 */
export interface Crowd {
  aid: string
  people: number
  /** In Unix seconds. */
  now: number
}

const DAY = 86_400
const HOUR = 3_600
const MONTH = 30 * DAY
const YEAR = 365 * DAY
const GRACE = 7 * DAY

export const PASS = { rid: 'pass', name: 'Monthly pass' }
export const ISSUES = 23

const FIRST_NAMES = ['Anna', 'Bert', 'Cleo', 'Dora', 'Emil', 'Fay', 'Gus', 'Hana', 'Ivo', 'Jule']
const SYLLABLES = 'bakelimonurasetivozu'
const CAPITALIZED = 'BaKeLiMoNuRaSeTiVoZu'
/** The decimal places of a number, from the left; a last name has a syllable for each. */
const PLACES = [100_000, 10_000, 1_000, 100, 10, 1]

const digitAt = (n: number, place: number) => Math.floor(n / place) % 10
const padded = (n: number) => String(n).padStart(12, '0')

/** The names and the address of a person. No other person has the same last name. */
export function personOf(n: number) {
  const first = FIRST_NAMES[Math.floor(n / 7) % FIRST_NAMES.length] as string
  const last = PLACES.map((place, at) => {
    const from = 2 * digitAt(n, place)
    return (at === 0 ? CAPITALIZED : SYLLABLES).slice(from, from + 2)
  }).join('')
  const name = `${first} ${last}`
  const email = `${name.toLowerCase().replace(' ', '.')}@example.com`
  return {
    uid: `person${padded(n)}`,
    ref: `reader-${padded(n)}`,
    first,
    last,
    name,
    email,
    initials: `${first[0]}${last[0]}`,
  }
}

export const issueName = (number: number) => `Issue ${number}`
export const issueOf = (n: number) => ({
  rid: `issue-${(n % ISSUES) + 1}`,
  name: issueName((n % ISSUES) + 1),
})

const series = {
  sqlite: (count: number) =>
    `(with recursive g (n) as (select 0 union all select n + 1 from g where n < ${count - 1}) select n from g)`,
  postgres: (count: number) => `(select n from generate_series(0::bigint, ${count - 1}) as n)`,
}

const FIRST_SQL = `case n / 7 % ${FIRST_NAMES.length} ${FIRST_NAMES.map((name, at) => `when ${at} then '${name}'`).join(' ')} end`
const LAST_SQL = PLACES.map(
  (place, at) =>
    `substr('${at === 0 ? CAPITALIZED : SYLLABLES}', cast(n / ${place} % 10 * 2 + 1 as integer), 2)`,
).join(' || ')

/** All that the tables need of each person: who they are, and what they have since when. */
function peopleQuery(engine: TestDatabase['engine'], { people, now }: Crowd): string {
  const numbers = `(select n, substr(cast(1000000000000 + n as text), 2) as id, n % 10 as kind, n / 10 % 10 as part,
    n * 7919 as scattered, ${FIRST_SQL} as first_name, ${LAST_SQL} as last_name,
    case when n / 10 % 4 = 0 then ${YEAR} else ${MONTH} end as period_s,
    case when n / 10 % 4 = 0 then n / 40 % 3 + 1 else n / 40 % 6 + 1 end as periods
    from ${series[engine](people)} as numbers)`
  // A period that is current, or the trial, began at this moment, and ends days after this run. No end is within hours of
  // any whole number of days from now, so that "within 7 days" means the same records during the whole run.
  const drawn = `(select numbers.*,
    case when kind = 1 and part = 2 then 'trial' when kind = 2 and part = 1 then 'past_due'
      when kind = 3 then 'ended' when kind < 3 then 'active' when kind < 6 then 'bought' else 'granted' end as state,
    ${now} - ${HOUR} - case when kind = 1 and part = 2 or kind = 2 and part = 1 then scattered % ${3 * DAY}
      when kind < 4 then scattered % (period_s / ${DAY} - 3) * ${DAY} + scattered % ${DAY / 2} else scattered % ${3 * YEAR} end as moment
    from ${numbers} as numbers)`
  return `(select drawn.*, 'person' || id as uid, 'reader-' || id as ref,
      first_name || ' ' || last_name as name,
      lower(first_name || '.' || last_name) || '@example.com' as email,
      case when kind < 4 then '${PASS.rid}' else 'issue-' || (n % ${ISSUES} + 1) end as rid,
      case when kind < 4 then '${PASS.name}' else 'Issue ' || (n % ${ISSUES} + 1) end as resource,
      499 + n / 10 % 5 * 100 as amount, case when n / 10 % 20 = 0 then 'EUR' else 'USD' end as currency,
      case state when 'active' then moment - (periods - 1) * period_s
        when 'past_due' then moment - periods * period_s
        when 'ended' then moment - periods * period_s else moment end as since,
      case state when 'active' then moment + period_s when 'trial' then moment + ${14 * DAY}
        when 'past_due' then moment + ${GRACE} when 'ended' then moment
        else case kind when 7 then moment + (${now} - moment) / 2 when 9 then ${now + DAY + DAY / 4} + scattered % 60 * ${DAY} + scattered % ${DAY / 2}
          else ${FOREVER} end end as ends,
      case when kind = 8 or kind = 5 and part = 0 then moment + ${HOUR / 2} end as revoked,
      case when state in ('active', 'past_due', 'ended', 'bought') then 'payment' || id || 'k0' end as receipt_of,
      case when state in ('active', 'past_due', 'ended', 'bought') then 'receipt:payment' || id || 'k0'
        when state = 'granted' then 'grant:source' || id || ':1' end as mail_key
    from ${drawn} as drawn)`
}

/** The digest of an empty message. */
const NO_MESSAGE = '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU'

const json = (fields: Record<string, string>) =>
  `'{' || ${Object.entries(fields)
    .map(([name, value]) => `'"${name}":' || ${value}`)
    .join(` || ',' || `)} || '}'`
const quoted = (value: string) => `'"' || ${value} || '"'`

function resourceStatements(engine: TestDatabase['engine'], { aid, now }: Crowd): string[] {
  const since = now - 4 * YEAR
  return [
    `insert into resources (aid, rid, name, url, created) values ('${aid}', '${PASS.rid}', '${PASS.name}', '', ${since})`,
    `insert into resources (aid, rid, name, url, created)
      select '${aid}', 'issue-' || (n + 1), 'Issue ' || (n + 1), '', ${since} from ${series[engine](ISSUES)} as numbers`,
  ]
}

function accessStatements(people: string, { aid, now }: Crowd): string[] {
  return [
    `insert into users (aid, uid, email, email_key, first_name, last_name, created)
      select '${aid}', uid, email, email, first_name, last_name, since from ${people} as p`,
    `insert into user_refs (aid, ref, uid) select '${aid}', ref, uid from ${people} as p`,
    `insert into access (id, aid, rid, uid, user_ref, amount, currency, created, ends, revoked, tags, end_told)
      select 'access' || id, '${aid}', rid, uid, ref, case when kind < 6 then amount else 0 end,
        case when kind < 6 then currency end, since, ends, revoked, '[]', case when ends < ${now} then ends end
      from ${people} as p`,
    `insert into sources (id, aid, access_id, kind, created, ends, closed, revision, message_digest, notified, starts, payment_id, subscription_id)
      select 'source' || id, '${aid}', 'access' || id,
        case state when 'bought' then 'purchase' when 'granted' then 'grant' else 'subscription' end,
        since, ends, case when state = 'ended' then ends else revoked end, 1,
        case when state = 'granted' then '${NO_MESSAGE}' else '' end, case when state = 'granted' then 1 else 0 end,
        case when state = 'bought' then since end, case when state = 'bought' then receipt_of end,
        case when kind < 4 then 'subscription' || id end from ${people} as p`,
  ]
}

function subscriptionStatements(people: string, { aid, now }: Crowd): string[] {
  const columns = `id, aid, rid, uid, access_id, amount, currency, period, status, created, trial_ends, anchor, periods,
    current_period_start, current_period_end, ended, next_due, next_step, tries, provider, method`
  const period = `case when period_s = ${YEAR} then '1 year' else '1 month' end`
  return [
    `insert into subscriptions (${columns})
      select 'subscription' || id, '${aid}', rid, uid, 'access' || id, amount, currency, ${period},
        case when state = 'trial' then 'trialing' else state end, since, case when state = 'trial' then ends end, since,
        case when state = 'trial' then 0 else periods end,
        case when state in ('active', 'trial') then moment else moment - period_s end,
        case when state in ('active', 'trial') then ends else moment end, case when state = 'ended' then ends end,
        case state when 'ended' then null when 'past_due' then ${now + 2 * DAY} else ends end,
        case when state <> 'ended' then 'renew' end, case when state = 'past_due' then 1 else 0 end, 'test', 'card' || id
      from ${people} as p where kind < 4`,
    // Came back after another subscription.
    `insert into subscriptions (${columns})
      select 'earlier' || id, '${aid}', rid, uid, 'access' || id, amount, currency, ${period}, 'ended',
        since - 3 * period_s, null, since - 3 * period_s, 2, since - 2 * period_s, since - period_s, since - period_s,
        null, null, 0, 'test', null from ${people} as p where kind = 0 and part = 3`,
  ]
}

function paymentStatements(people: string, { aid }: Crowd): string[] {
  const columns = `id, aid, rid, uid, access_id, subscription_id, period_start, period_end, amount, refunded, currency,
    provider, status, failure, created, settled, attempts`
  return [
    `insert into payments (${columns})
      select 'payment' || id || 'k' || k, '${aid}', rid, uid, 'access' || id, case when kind < 4 then 'subscription' || id end,
        case when kind < 4 then since + k * period_s end, case when kind < 4 then since + (k + 1) * period_s end, amount,
        case when kind = 5 and part = 0 then amount when kind = 5 and part = 1 then 99 else 0 end, currency, 'test',
        case when kind = 5 and part = 0 then 'refunded' when kind = 5 and part = 1 then 'partially_refunded' else 'succeeded' end,
        null, since + k * period_s, since + k * period_s, 1
      from ${people} as p cross join (select 0 as k union all select 1 union all select 2 union all select 3
        union all select 4 union all select 5) as paid
      where receipt_of is not null and k < case when kind < 4 then periods else 1 end`,
    `insert into payments (${columns})
      select 'failed' || id, '${aid}', rid, uid, 'access' || id, 'subscription' || id, moment, null, amount, 0, currency,
        'test', 'failed', 'declined', moment, moment, 1 from ${people} as p where state = 'past_due'`,
    `insert into refunds (id, aid, payment_id, amount, currency, status, actor, created, settled, attempts)
      select 'refund' || id, '${aid}', receipt_of, case when part = 0 then amount else 99 end, currency, 'succeeded', 'api',
        since + ${HOUR / 2}, since + ${HOUR / 2}, 1 from ${people} as p where kind = 5 and part < 2`,
  ]
}

function historyStatements(people: string, { aid }: Crowd): string[] {
  const columns = 'aid, seq, tie_breaker, uid, rid, access_id, at, actor, action, after, mail_key'
  const after = `case state when 'bought' then ${json({ payment: quoted('receipt_of'), starts: 'since', purchase_ends: 'ends', ends: 'ends' })}
    when 'granted' then ${json({ ends: 'ends', grant_ends: 'ends', tags: `'[]'` })}
    else ${json({ subscription: quoted(`'subscription' || id`), status: `'"active"'`, current_period_end: 'since + period_s', ends: 'since + period_s' })} end`
  return [
    `insert into history (${columns})
      select '${aid}', since * 1000000, 'a' || id, uid, null, null, since, 'api', 'user created', null, null from ${people} as p`,
    `insert into history (${columns})
      select '${aid}', since * 1000000, 'b' || id, uid, rid, 'access' || id, since,
        case when state = 'granted' then 'api' else 'checkout' end,
        case state when 'bought' then 'purchased' when 'granted' then 'granted' else 'subscribed' end, ${after}, mail_key
      from ${people} as p`,
    `insert into history (${columns})
      select '${aid}', revoked * 1000000, 'c' || id, uid, rid, 'access' || id, revoked, 'api', 'revoked',
        ${json({ revoked: 'revoked' })}, null from ${people} as p where revoked is not null`,
  ]
}

/** One email in fifty could not be delivered. */
const IS_DEAD = 'n / 10 % 50 = 7'

function mailStatement(people: string, { aid }: Crowd): string {
  const common = { resource: quoted('resource'), url: `'""'`, first_name: quoted('first_name') }
  const receipt = json({
    ...{ at: 'since', ...common, amount: 'amount', currency: quoted('currency') },
    seller: `'{"name":"Test magazine","address":"","tax_line":""}'`,
    payment: quoted('receipt_of'),
    ends: `case when kind < 4 then since + period_s else ends end`,
    subscription: `case when kind < 4 then ${quoted(`'subscription' || id`)} else 'null' end`,
    period: `case when kind > 3 then 'null' when period_s = ${YEAR} then '"1 year"' else '"1 month"' end`,
    price: 'amount',
  })
  const grant = json({ rid: quoted('rid'), ...common, message: `'""'`, ends: 'ends' })
  return `insert into outbox (id, key, aid, uid, kind, recipient, payload, status, attempts, created, due, last_error, sent)
    select 'mail' || id, mail_key, '${aid}', uid, case when state = 'granted' then 'grant' else 'receipt' end, email,
      case when state = 'granted' then ${grant} else ${receipt} end, case when ${IS_DEAD} then 'dead' else 'sent' end, 1,
      since * 1000, since * 1000, case when ${IS_DEAD} then '550 no such mailbox' end,
      case when ${IS_DEAD} then null else since * 1000 end
    from ${people} as p where mail_key is not null`
}

/** The statements that add the people, in the order of their references. */
export function crowdStatements(engine: TestDatabase['engine'], crowd: Crowd): string[] {
  const people = peopleQuery(engine, crowd)
  return [
    ...resourceStatements(engine, crowd),
    ...accessStatements(people, crowd).slice(0, 3),
    ...subscriptionStatements(people, crowd),
    ...paymentStatements(people, crowd),
    ...accessStatements(people, crowd).slice(3),
    ...historyStatements(people, crowd),
    mailStatement(people, crowd),
  ]
}
